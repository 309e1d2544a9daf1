#!/usr/bin/env python3
"""simulate_test.py BUILD CMAKE PAGE: does what docs/dpi.md says, from an installed tree: builds the example's testbench with
Verilator around the healthy unit and around its faulty twin, and runs both."""

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
        self.assertEqual(sorted(self.ran), ["faulty", "healthy"])

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
