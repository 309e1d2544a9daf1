#!/usr/bin/env python3
"""simulate_test.py BUILD CMAKE PAGE: does what docs/dpi.md says, from an installed tree: builds the example's testbench with
Verilator around the healthy unit and around its faulty twin, and runs both; and the example of one file, by Icarus Verilog too."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, CMAKE, PAGE = sys.argv[1:4] if len(sys.argv) > 3 else (None, None, None)
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"


class Simulated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="assay_dpi_"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.prefix = cls.root / "prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        page = Path(PAGE).read_text(encoding="utf-8")
        blocks = [block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "verilator --binary" in block]
        cls.ran = {re.search(r"--Mdir (\w+)", block).group(1): cls.shell(block) for block in blocks}

    @classmethod
    def shell(cls, text):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY")}
        cached = {"OBJCACHE": "ccache"} if shutil.which("ccache") else {}
        text = "set -e\n" + text.replace("/opt/assay", str(cls.prefix))
        return subprocess.run(["bash", "-c", text], cwd=cls.root, env={**kept, **cached}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def refused(self, arguments, words):
        ran = self.shell(f"healthy/Vdot_tb {arguments}")
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("FAILED", ran.stdout)
        self.assertIn(words, ran.stdout)

    def test_the_page_builds_two_units(self):
        self.assertEqual(sorted(self.ran), ["alone", "faulty", "healthy"])

    def test_one_file_is_all_of_it(self):
        self.assertIn("PASSED cdna1:v_mfma_i32_16x16x16i8: 5000 results checked, no error.", self.ran["alone"].stdout)

    def test_a_simulator_without_dpi_takes_the_recorded_cases(self):
        page = Path(PAGE).read_text(encoding="utf-8")
        block = next(block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "iverilog" in block)
        self.assertIn("PASSED 6 recorded cases", self.shell(block).stdout)
        wrong = self.shell(block.replace("-DNO_DPI", "-DNO_DPI -DWRONG"))
        self.assertRegex(wrong.stdout, "FAILED +[1-6] of +6 recorded cases")

    def test_the_recorded_cases_are_those_of_the_model(self):
        said = self.shell("prefix/bin/assay generate --with-results --cases 6 --instruction cdna1:v_mfma_i32_16x16x16i8").stdout
        rows = [json.loads(line) for line in said.splitlines()[1:]]
        source = (self.prefix / "share/doc/assay/docs/examples/dpi/alone.sv").read_text(encoding="utf-8")
        for row in rows:
            words = [f"128'h{''.join(reversed(row[side]))}" for side in "ab"] + [f"32'h{row[side]}" for side in "cd"]
            self.assertIn("{" + ", ".join(words) + "}", source)

    def test_the_healthy_unit_passes(self):
        ran = self.ran["healthy"]
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(f"PASSED {WGMMA}: 20000 results checked, no error.", ran.stdout)

    def test_the_faulty_unit_fails_with_a_command_that_shows_why(self):
        ran = self.ran["faulty"]
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        found = re.search(rf"FAILED {WGMMA}: 20000 results checked, (\d+) errors\. The first: Result \d+ of {WGMMA} is "
                          r"d = (\w{8}), expected (\w{8})\. .*\n +assay (explain .*)", ran.stdout)
        self.assertTrue(found, ran.stdout)
        self.assertGreater(int(found.group(1)), 100)
        explained = self.shell(f"prefix/bin/assay {found.group(4)}").stdout
        self.assertIn(found.group(3), explained)
        self.assertNotIn(found.group(2), explained)

    def test_an_unknown_instruction_is_a_sentence(self):
        self.refused("+unit=hopper:none", "There is no instruction 'none' among the")

    def test_a_wrong_k_is_a_sentence(self):
        self.refused("+k=8", f"The testbench takes {WGMMA} for one with k = 8; it has k = 16.")

    def test_nothing_checked_is_no_pass(self):
        self.refused("+cases=0", f"No result of {WGMMA} was checked, which is no pass.")


if __name__ == "__main__":
    if BUILD is None:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=1)
