"""same_bits_test.py ANSWERS BUILD SOURCES: the model inside explorer.html gives the same bits as the one on this machine.

On every case of every shipped vector file, and on whole explanations: of a few cases of each file, and of one case of
each datapath of the catalogue. Both sides answer as text, and the texts must be equal.
"""

import json
import random
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ANSWERS, BUILD, SOURCES = sys.argv[1:4]
del sys.argv[1:4]
PAGE = Path(BUILD, "share/assay-pages/explorer.html")
SCRIPT = Path(__file__).with_name("same_bits.js")


class Side:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def setUpModule():
    global NATIVE, INSIDE
    NATIVE, INSIDE = Side([ANSWERS]), Side(["node", SCRIPT, PAGE])


def tearDownModule():
    assert NATIVE.close() == 0
    assert INSIDE.close() == 0


def vector_files():
    return sorted(file for folder in ["captured", "emulated"] for file in Path(SOURCES, "tb/vectors", folder).iterdir()
                  if ".jsonl" in file.name)


def text_of(file):
    return subprocess.run([ANSWERS, "--text", file], check=True, capture_output=True, text=True).stdout


class SameBits(unittest.TestCase):
    def same(self, request):
        native, inside = NATIVE.ask(request), INSIDE.ask(request)
        self.assertTrue(native.startswith("{"), native)
        self.assertEqual(native, inside)
        return json.loads(native)

    def test_every_shipped_vector(self):
        cases = 0
        for file in vector_files():
            with self.subTest(file=file.name):
                answer = self.same({"ask": "vectors", "text": text_of(file)})
                self.assertNotIn("error", answer)
                self.assertEqual(answer["differ"], 0)
                self.assertEqual(answer["without_d"], 0)
                cases += answer["sums"]
        print(f"{cases} cases of {len(vector_files())} files")
        self.assertGreater(cases, 78000)

    def test_explanations_of_recorded_cases(self):
        for file in vector_files():
            lines = text_of(file).splitlines()
            for line in random.Random(file.name).sample(lines[1:], min(2, len(lines) - 1)):
                one = self.same({"ask": "case", "header": lines[0], "line": line})
                if "error" in one:
                    continue
                with self.subTest(file=file.name):
                    answer = self.same({"ask": "explain", "units": [one["unit"]], "operands": one["operands"]})
                    self.assertEqual(answer["units"][0]["explanation"]["d"], one["d"])

    # Random codes: NaN, infinities and numbers far apart among them.
    def test_explanations_of_every_architecture(self):
        listed = self.same({"ask": "list"})["architectures"]
        draw = random.Random(24)
        shown = 0
        for architecture in listed:
            names = architecture["instructions"]
            for name in draw.sample(names, min(6, len(names))):
                unit = {"instruction": f"{architecture['name']}:{name}"}
                plain = self.same({"ask": "explain", "units": [unit]})
                with self.subTest(unit=unit):
                    self.assertNotIn("error", plain)
                    operands = {}
                    for given in plain["units"][0]["operands"]:
                        bits, digits = given["format"]["bits"], len(given["codes"][0])
                        if given["name"] in ["a", "b", "c"]:
                            operands[given["name"]] = [f"{draw.getrandbits(bits):0{digits}x}" for _ in given["codes"]]
                    answer = self.same({"ask": "explain", "units": [unit], "operands": operands})
                    self.assertNotIn("error", answer)
                    shown += 1
        self.assertGreater(shown, 90)

    def test_mistakes_and_numbers(self):
        own = self.same({"ask": "text", "unit": {"instruction": "hopper:wgmma.m64nNk16.f32.f16.f16"}})["text"]
        for text in [own.replace("keep: 25", "keep: 900"), own.replace("specials", "special"), own + "  x", "", "[" * 99,
                     own.replace("floor: -133", "floor: low"), "like: none\n"]:
            self.assertIn("error", self.same({"ask": "text", "unit": {"text": text}}))
        unit = {"text": own}
        for operand in ["a", "c"]:
            for text in ["1.5", "-0.1", "1e-5", "6.5e4", "7e4", "1e400", "0x1.8p-3", "inf", "-inf", "nan", "0.33333", "1.", ".5", "-",
                         "1e", "3c0g", "0b101", "1.0.0", "5e-324", "2.98023223876953125e-8"]:
                self.same({"ask": "read", "unit": unit, "operand": operand, "text": text})


if __name__ == "__main__":
    for needed, there in [("explorer.html, which was not built", PAGE.is_file()), ("node", shutil.which("node"))]:
        if not there:
            print(f"SKIPPED: there is no {needed}; scripts/setup --page installs what makes it. Nothing was compared.")
            sys.exit(77)
    unittest.main(verbosity=1)
