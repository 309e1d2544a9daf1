"""planted_test.py ASSAY: `assay identify` is put to RTL that export-sv wrote, to a twin of it with a planted fault that a word
says, and to one with a fault that no word says. What it prints for the first two is held to the RTL by `assay compare`;
the third gets no file."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ASSAY = sys.argv[1]


def planted(name):
    folder = Path("units") / name
    subprocess.run([ROOT / "scripts/plant", "--assay", ASSAY, name, folder], check=True, stdout=subprocess.DEVNULL)
    dut = folder / "dut.yaml"  # claims nothing - it is whatever it is asked for - and shows nothing but d
    text = dut.read_text().replace("datapath: datapath.yaml", 'instruction: "*"')
    dut.write_text(text.replace("probes: {port: probe_o, layout: plan}\n", ""))
    return f"rtl:{folder}/dut.yaml"


def identified(name):
    device = planted(name)
    done = subprocess.run([ASSAY, "identify", "--device", device, "--formats", "f16,f16,f32", "--k", "8", "--confirm", "2000"],
                          capture_output=True, text=True, check=False)
    return device, done


class Planted(unittest.TestCase):
    def hold_to_the_rtl(self, name, word):
        device, done = identified(name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(word, done.stdout)
        file = Path("units") / f"{name}.yaml"
        file.write_text(done.stdout)
        held = subprocess.run([ASSAY, "compare", "--reference", f"model:{file}", "--device", device, "--cases", "3000",
                               "--datapath", f"units/{name}/datapath.yaml"], capture_output=True, text=True, check=False)
        self.assertEqual(held.returncode, 0, held.stdout + held.stderr)

    def test_what_export_sv_wrote(self):
        self.hold_to_the_rtl("fused", "product: {keep: 25, cut: toward_zero}")

    def test_a_fault_that_a_word_says(self):
        self.hold_to_the_rtl("keep_24", "product: {keep: 24, cut: toward_zero}")

    def test_a_fault_that_no_word_says(self):
        _, done = identified("sign_or")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(": no word for this", done.stdout)
        self.assertNotIn("\nname: ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
