#!/usr/bin/env python3
"""points_test.py ASSAY: the examples of the chapter Semantics in docs/datapath.md.

Of each row of its last table the command ASSAY and the interpreter find the d that stands there, and an interpreter that
reads the rule otherwise finds what the row says of that.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import faults
import interpreter

ASSAY = sys.argv.pop(1)
EXAMPLES = interpreter.ROOT / "docs" / "examples" / "semantics"
RESULTS = EXAMPLES.with_name("results")
RESULTS_CHAPTER = "What a format cannot hold"
# + and -: a number that is too large for each of the formats, an infinity, a NaN
CONVERTED = {"f32": ("7f000000", "ff000000", "7f800000", "ff800000", "7fc00000", "ffc00000"),
             "f16": ("7bff", "fbff", "7c00", "fc00", "7e00", "fe00")}
ONE = {"f32": "3f800000", "f16": "3c00"}
TOO_LARGE_FOR_F16 = ("47800000", "c7800000")  # 65536
POINTS = interpreter.table("Where another reading was likely")


def options(operands):
    """--a 3c00,4000 --c 3f800000: as a mapping of lists of codes."""
    words = operands.split()
    named = [codes.split("=") for key, codes in zip(words[::2], words[1::2]) if key == "--operand"]
    more = {name: [int(code, 16) for code in codes.split(",")] for name, codes in named}
    words = [word for pair in zip(words[::2], words[1::2]) if pair[0] != "--operand" for word in pair]
    return {"more": more} | {key[2:].replace("-", "_"): [int(code, 16) for code in codes.split(",")]
            for key, codes in zip(words[::2], words[1::2])}


def d_of(module, name, operands, folder=EXAMPLES):
    run = module.Interpreter((folder / f"{name}.yaml").read_text())
    codes = options(operands)
    for factor in ("a", "b"):
        codes[factor] += [0] * (run.k - len(codes[factor]))  # as the command fills up
    codes["c"] = codes["c"][0]
    return run.d_of(**codes)


class Points(unittest.TestCase):
    def test_the_command_finds_d(self):
        for rule, name, operands, d, _, _ in POINTS:
            with self.subTest(rule):
                command = [ASSAY, "explain", "--json", "--datapath", str(EXAMPLES / f"{name}.yaml"), *operands.split()]
                said = subprocess.run(command, capture_output=True, text=True, check=True)
                self.assertEqual(json.loads(said.stdout)["d"], d)

    def test_the_chapter_finds_d(self):
        for rule, name, operands, d, _, _ in POINTS:
            with self.subTest(rule):
                self.assertEqual(d_of(interpreter, name, operands), int(d, 16))

    def test_another_reading_finds_another_d(self):
        for rule, name, operands, d, otherwise, gives in POINTS:
            with self.subTest(rule):
                faulty = faults.with_fault(otherwise)
                self.assertEqual(d_of(faulty, name, operands), int(gives, 16))
                self.assertNotEqual(gives, d)

    def test_each_fault_is_one(self):
        for name in faults.names():
            with self.subTest(name):
                self.assertNotEqual(faults.faulty_source(name), faults.SOURCE.read_text())
        self.assertGreater(len(faults.names()), 300)

    def test_each_example_stands_in_the_table(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.yaml")}, {row[1] for row in POINTS})


class Converters(unittest.TestCase):
    """The rows of what units do with what a format cannot hold: each datapath converts a, times one."""

    def cases(self):
        for unit, name, *codes in interpreter.bare_table(RESULTS_CHAPTER):
            text = (RESULTS / f"{name}.yaml").read_text()
            kind = "f16" if "a: f16" in text else "f32"
            operands = list(CONVERTED[kind])
            if name == "osm1_f16":
                operands[:2] = TOO_LARGE_FOR_F16
            for operand, d in zip(operands, codes):
                yield unit, name, f"--a {operand} --b {ONE[kind]} --c {'0' * len(operand)}", d

    def test_the_command_finds_d(self):
        for unit, name, operands, d in self.cases():
            with self.subTest(f"{unit}: {operands}"):
                command = [ASSAY, "explain", "--json", "--datapath", str(RESULTS / f"{name}.yaml"), *operands.split()]
                said = subprocess.run(command, capture_output=True, text=True, check=True)
                self.assertEqual(json.loads(said.stdout)["d"], d)

    def test_the_chapter_finds_d(self):
        for unit, name, operands, d in self.cases():
            with self.subTest(f"{unit}: {operands}"):
                self.assertEqual(d_of(interpreter, name, operands, RESULTS), int(d, 16))

    def test_no_row_is_missing(self):
        self.assertEqual(len(list(self.cases())), 6 * 30)


class Agreement(unittest.TestCase):
    """What holds the model to the chapter finds a model that is not."""

    def test_another_d_is_found(self):
        text = (EXAMPLES / "zero_ieee_down.yaml").read_text()
        with tempfile.NamedTemporaryFile("w") as drawn:
            for d, status in (("80000000", 0), ("00000000", 1)):
                drawn.seek(0)
                drawn.write(f"datapath 7\n{text}case 3c00;3c00;bf800000;;;;{d}\n")
                drawn.flush()
                command = [sys.executable, str(faults.SOURCE.with_name("agreement_test.py")), "cat", drawn.name]
                said = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(said.returncode, status, said.stdout + said.stderr)
                self.assertEqual("Datapath 7: 1 of 1 cases differ." in said.stdout, status == 1)

    def test_no_cases_are_no_agreement(self):
        for draws in ("true", "false"):
            command = [sys.executable, str(faults.SOURCE.with_name("agreement_test.py")), draws]
            self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)


class Recorded(unittest.TestCase):
    """What holds the chapter to recorded sets finds one that is not."""

    def status(self, folder):
        command = [sys.executable, str(faults.SOURCE.with_name("recorded_test.py")), folder]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        return said.returncode, said.stdout + said.stderr

    def test_another_d_is_found(self):
        for d, status in (("3f800000", 0), ("3f800001", 1)):
            with tempfile.TemporaryDirectory() as folder:
                header = {"assay": 1, "architecture": "gaudi2", "instruction": "mme.f32.f32.f32.ieee"}
                case = {"a": ["3f800000"], "b": ["3f800000"], "c": "00000000", "d": d}
                Path(folder, "one.jsonl").write_text(json.dumps(header) + "\n" + json.dumps(case) + "\n")
                found, said = self.status(folder)
                self.assertEqual(found, status, said)
                self.assertEqual("one.jsonl: 1 of 1 cases differ." in said, status == 1, said)

    def test_nothing_recorded_is_no_agreement(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.status(folder)[0], 1)
        status, said = self.status("/no/such/folder")
        self.assertEqual(status, 77)
        self.assertIn("/no/such/folder is no folder", said)


if __name__ == "__main__":
    unittest.main()
