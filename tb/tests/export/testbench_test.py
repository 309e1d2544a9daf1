#!/usr/bin/env python3
"""testbench_test.py ASSAY RTL_REF SCRATCH: the testbench of an export under Verilator, around our own unit, and under Icarus Verilog,
which cannot read our blocks, around one that looks its answers up: lint without a word, a pass that was earned, and a failure for
every mistake that can be planted in its files. What is built is kept in SCRATCH."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY, RTL_REF, SCRATCH = sys.argv[1:4] if len(sys.argv) > 3 else (None, None, None)
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"
SCALED = "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e3m2.f32.ue8m0"
HALF = "hopper:wgmma.m64nNk16.f16.f16.f16"
SPARSE = "hopper:mma.sp.m16n8k16.f32.f16.f16.f32"  # with a mask beside a, b and c
CASES = 200


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)


def assay(*arguments):
    done = run(ASSAY, *arguments)
    if done.returncode != 0:
        raise AssertionError(done.stdout)
    return done.stdout


def unit_files(unit):
    return [f"-I{RTL_REF}", f"{RTL_REF}/assay_pkg.sv", unit]


def vectors(folder, nan):
    """A vector file whose header asks for this rule, and in which the d of every NaN has another payload where `nan` is any."""
    assay("generate", "--instruction", WGMMA, "--cases", CASES, "--with-results", "-o", folder / "v.jsonl")
    text = (folder / "v.jsonl").read_text(encoding="utf-8").replace('"cases"', f'"nan":"{nan}","cases"', 1)
    if nan == "any":
        assert '"d":"7fffffff"' in text
        text = text.replace('"d":"7fffffff"', '"d":"ffc00001"')
    (folder / "v.jsonl").write_text(text, encoding="utf-8")
    return folder / "v.jsonl"


def answers_of(folder):
    """A unit that knows the case by its operands alone, written from the files of the export: Verilog of 2001, plainest words."""
    words = {name: (folder / f"{name}.hex").read_text(encoding="utf-8").split() for name in "abcd"}
    bits = {name: 4 * len(words[name][0]) for name in "abcd"}
    cases = {(a, b, c): d for a, b, c, d in zip(*(words[name] for name in "abcd"))}
    rows = "".join(f"      {{{bits['a']}'h{a}, {bits['b']}'h{b}, {bits['c']}'h{c}}}: d_o = {bits['d']}'h{d};\n"
                   for (a, b, c), d in cases.items())
    ports = "".join(f"  input [{bits[name] - 1}:0] {name}_i,\n" for name in "abc")
    return (f"module dot_fused_f25_f16 (\n{ports}  output reg [{bits['d'] - 1}:0] d_o,\n  output probe_o\n);\n"
            f"  assign probe_o = 1'b0;\n  always @* begin\n    case ({{a_i, b_i, c_i}})\n{rows}"
            f"      default: d_o = {bits['d']}'bx;\n    endcase\n  end\nendmodule\n")


class Testbench:
    """What holds under every simulator; `build` and `simulate` are its own."""

    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="assay_export_"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.programs = {nan: cls.build(nan, cls.exported(nan)) for nan in ["bits", "any"]}

    @classmethod
    def exported(cls, nan):
        folder = cls.root / nan
        folder.mkdir()
        assay("export", vectors(folder, nan), "--to", "readmemh", "--module", "dot_fused_f25_f16", "-o", folder / "e")
        return folder / "e"

    def simulate(self, nan, folder, *arguments):
        return run(*self.programs[nan], f"+vectors={folder}", *arguments)

    def copied(self, nan="bits"):
        folder = Path(tempfile.mkdtemp(dir=self.root))
        shutil.copytree(self.root / nan / "e", folder / "e")
        return folder / "e"

    def fails(self, words, nan, folder, *arguments):
        ran = self.simulate(nan, folder, *arguments)
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        self.assertNotIn("PASSED", ran.stdout)
        self.assertIn(words, ran.stdout)

    def change(self, file, line, change):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        lines[line] = change(lines[line])
        file.write_text("".join(lines), encoding="utf-8")

    def test_our_unit_passes(self):
        ran = self.simulate("bits", self.copied())
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(f"PASSED: {CASES} cases compared, all equal.", ran.stdout)
        self.assertIn("PASSED: 7 cases compared", self.simulate("bits", self.copied(), "+cases=7").stdout)

    def test_a_wrong_word_fails(self):
        folder = self.copied()
        self.change(folder / "d.hex", 123, lambda word: f"{int(word, 16) ^ 1:08x}\n")
        self.fails(f"FAILED: 1 of {CASES} cases differ.", "bits", folder)
        self.fails("case 123: d is ", "bits", folder)

    def test_a_wrong_operand_fails(self):
        folder = self.copied()
        lines = (folder / "a.hex").read_text(encoding="utf-8").splitlines()
        (folder / "a.hex").write_text("\n".join([lines[1], lines[0], *lines[2:]]) + "\n", encoding="utf-8")
        self.fails("cases differ.", "bits", folder)

    def test_under_any_nan_a_number_is_still_held_to_its_bits(self):
        folder = self.copied("any")
        lines = (folder / "d.hex").read_text(encoding="utf-8").splitlines()
        self.change(folder / "d.hex", next(i for i, word in enumerate(lines) if word != "ffc00001"), lambda _: "ffc00001\n")
        self.fails(f"FAILED: 1 of {CASES} cases differ.", "any", folder)

    def test_files_that_are_missing_or_cut_short(self):
        for name in ["a", "b", "c", "d"]:
            folder = self.copied()
            self.change(folder / f"{name}.hex", CASES - 1, lambda _: "")
            self.fails(f"{name}.hex has {CASES - 1} words; it should have {CASES}.", "bits", folder)
            (folder / f"{name}.hex").unlink()
            self.fails(f"{name}.hex cannot be opened", "bits", folder)

    def test_nothing_compared_is_no_pass(self):
        self.fails(f"+cases is 0; it should be 1 to {CASES}.", "bits", self.copied(), "+cases=0")
        self.fails(f"+cases is {CASES + 1}; it should be 1 to {CASES}.", "bits", self.copied(), f"+cases={CASES + 1}")


class UnderVerilator(Testbench, unittest.TestCase):
    @classmethod
    def build(cls, nan, folder):
        built = Path(SCRATCH) / nan
        built.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, **({"OBJCACHE": "ccache"} if shutil.which("ccache") else {})}
        done = run("verilator", "--binary", "-Wall", "-j", 2, "--Mdir", built, "--top-module", "tb",
                   *unit_files(f"{RTL_REF}/dot_fused_f25_f16.sv"), folder / "tb.sv", "-CFLAGS", "-O0", env=environment)
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        return [built / "Vtb"]

    def test_a_nan_is_held_to_the_rule_of_the_header(self):
        ran = self.simulate("any", self.copied("any"))
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.fails("d is 7fffffff, expected ffc00001", "bits", self.copied("any"))

    def test_lint_has_nothing_to_say(self):
        for unit in [SCALED, HALF, SPARSE]:
            for nan in ["bits", "any"]:
                with self.subTest(unit=unit, nan=nan):
                    folder = Path(tempfile.mkdtemp(dir=self.root))
                    (folder / "dut.sv").write_text(assay("export-sv", "--instruction", unit, "--module", "dut"),
                                                   encoding="utf-8")
                    assay("generate", "--instruction", unit, "--cases", 5, "--with-results", "-o", folder / "v")
                    text = (folder / "v").read_text(encoding="utf-8").replace('"cases"', f'"nan":"{nan}","cases"', 1)
                    (folder / "v").write_text(text, encoding="utf-8")
                    assay("export", folder / "v", "--to", "readmemh", "-o", folder / "e")
                    done = run("verilator", "--lint-only", "--timing", "-Wall", "--top-module", "tb",
                               *unit_files(folder / "dut.sv"), folder / "e/tb.sv")
                    self.assertEqual((done.returncode, done.stdout), (0, ""))


class UnderIcarus(Testbench, unittest.TestCase):
    @classmethod
    def build(cls, nan, folder):
        unit = cls.root / f"unit_{nan}.v"
        unit.write_text(answers_of(folder), encoding="utf-8")
        program = cls.root / f"{nan}.vvp"
        done = run("iverilog", "-g2012", "-Wall", "-s", "tb", "-o", program, unit, folder / "tb.sv")
        if done.returncode != 0 or "error" in done.stdout:
            raise AssertionError(done.stdout)
        return ["vvp", "-n", program]

    def test_any_nan_will_do(self):
        folder = self.copied("any")
        lines = (folder / "d.hex").read_text(encoding="utf-8").splitlines()
        self.change(folder / "d.hex", lines.index("ffc00001"), lambda _: "7fc00000\n")
        ran = self.simulate("any", folder)
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_unknown_bits_are_no_answer(self):
        folder = self.copied("any")
        lines = (folder / "d.hex").read_text(encoding="utf-8").splitlines()
        nan = lines.index("ffc00001")  # for which one NaN is as good as another, but unknown bits are none
        self.change(folder / "c.hex", nan, lambda word: f"{int(word, 16) ^ 1:08x}\n")
        self.fails(f"case {nan}: d is xxxxxxxx, expected ffc00001", "any", folder)


if __name__ == "__main__":
    if ASSAY is None:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=1)
