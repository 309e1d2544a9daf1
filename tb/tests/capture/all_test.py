"""scripts/capture/all, cases and bundle, with a program in place of assay-capture whose GPU is the model."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, BIN = (Path(folder).resolve() for folder in sys.argv[1:3])
CAPTURE = ROOT / "scripts/capture"
TARGET = "sm_70"

# Lists as the real one does; its GPU is the model, whose d it gives in FLIPPED with one bit changed.
FAKE = """#!/usr/bin/env bash
set -euo pipefail
case $1 in
  here) echo "sm_70 volta" ;;
  run)
    [[ $2 != *"$REFUSED"* ]] || { echo "fake: refused." >&2; exit 4; }
    "$ASSAY" run "$2" -o "$4"
    [[ $2 != *"$FLIPPED"* ]] || sed -i '2s/"d":"./"d":"7/' "$4"
    echo "$2" >>"$RAN"
    ;;
  *) exec "$REAL" "$@" ;;
esac
"""

# A toolkit whose compiler knows sm_75 and whose disassembler has seen two kernels.
NVCC = """#!/usr/bin/env bash
case $1 in
  --list-gpu-code) echo sm_75 ;;
  --version) echo "Cuda compilation tools, release 9.9, V9.9.1" ;;
  *) grep -q mma.sync "${@: -3:1}" && touch "${@: -1}" ;;
esac
"""
# Any compiler; what it is asked for is a copy of the real program.
NOTING = """#!/usr/bin/env bash
echo " $* " >>"$TOLD"
case $1 in
  --list-gpu-code) echo sm_75 ;;
  --version) echo "release 9.9, V9.9.1" ;;
  *) while (($# > 1)); do [[ $1 != -o || $2 == /dev/null ]] || cp "$REAL" "$2"; shift; done ;;
esac
"""
# assay, until it is to generate what REFUSED names.
BREAKING = """#!/usr/bin/env bash
[[ $1 != generate || $* != *"$REFUSED"* ]] || exit 1
exec "$WHOLE" "$@"
"""
SWEEPING = """#!/usr/bin/env bash
echo "$@" >>"$TOLD"
[[ $3 != "$REFUSED" ]] || exit 4
[[ $3 != "$FLIPPED" ]]
"""
CUOBJDUMP = """#!/usr/bin/env bash
cat <<'END'
                Function : mma_m16n8k8_f32_f16_f16_f32
        /*0090*/                   HMMA.1688.F32 R4, R8, R12, R4 ;
        /*00a0*/                   F2FP.F16.F32.PACK_AB R4, R5, R6 ;
        /*00b0*/                   HMMA.1688.F32 R4, R8, R12, R4 ;
                Function : other
        /*0090*/                   UTCHMMA gdesc[UR4], gdesc[UR6] ;
        /*00a0*/                   HMMA.884.F16.F16.STEP0 R4, R8 ;
END
"""


class All(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.fake = self.folder / "fake"
        self.fake.write_text(FAKE, encoding="utf-8")
        self.fake.chmod(self.fake.stat().st_mode | stat.S_IXUSR)

    def run_script(self, name, *words, **environment):
        given = {**os.environ, "ASSAY": str(BIN / "assay"), "ASSAY_CAPTURE": str(BIN / "assay-capture"),
                 "REAL": str(BIN / "assay-capture"), "REFUSED": "nothing", "FLIPPED": "nothing",
                 "RAN": str(self.folder / "ran"), **environment}
        return subprocess.run([name, *map(str, words)], capture_output=True, text=True, check=False, env=given,
                              cwd=self.folder)

    def capture(self, scripts=CAPTURE, **environment):
        return self.run_script(scripts / "all", "--program", self.fake, "--kernels", self.folder, **environment)

    def test_captures_checks_and_packs(self):
        done = self.capture()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 captured, 0 not.", done.stdout)
        self.assertEqual(done.stdout.count("  passed  "), 3, done.stdout)
        packed = subprocess.run(["tar", "-tzf", self.folder / f"captured-{TARGET}.tar.gz"], capture_output=True,
                                text=True, check=True).stdout
        self.assertIn(f"{TARGET}/mma_m8n8k4_f32_f16_f16_f16.jsonl", packed)
        again = self.capture()
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(len((self.folder / "ran").read_text().split()), 3, "nothing is captured twice")

    def test_says_what_differs(self):
        done = self.capture(FLIPPED="f32_f16_f16_f32")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("  passed  "), 2, done.stdout)
        self.assertEqual(done.stdout.count("  failed  "), 1, done.stdout)

    def test_goes_on_where_one_is_refused(self):
        done = self.capture(REFUSED="f16_f16_f16_f16")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 captured, 1 not: mma_m8n8k4_f16_f16_f16_f16.jsonl.", done.stdout)

    def test_cases_that_were_half_made_are_made_again(self):
        breaking = self.folder / "breaking"
        breaking.write_text(BREAKING, encoding="utf-8")
        breaking.chmod(0o755)
        broken = self.capture(ASSAY=str(breaking), WHOLE=str(BIN / "assay"), REFUSED="f16.f16.f16.f16")
        self.assertEqual(broken.returncode, 1, broken.stdout + broken.stderr)
        self.assertFalse((self.folder / "ran").exists(), "nothing is captured before all cases are there")
        again = self.capture()
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("3 captured, 0 not.", again.stdout)

    def test_without_a_gpu(self):
        if shutil.which("nvidia-smi") or shutil.which("rocm-smi"):
            self.skipTest("there may be a GPU here")
        done = self.run_script(CAPTURE / "all", "--program", BIN / "assay-capture", "--kernels", self.folder)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("None of the targets can be captured here.", done.stderr)

    def test_a_bundle_needs_nothing_else(self):
        bundle = self.folder / "bundle"
        made = self.run_script(CAPTURE / "bundle", bundle, TARGET)
        self.assertEqual(made.returncode, 0, made.stderr)
        without = {"ASSAY": str(self.folder / "none")}
        built = self.run_script(bundle / "scripts/capture/build", "--to", bundle / "kernels", "gfx1", **without)
        self.assertTrue((bundle / "kernels/assay-capture").exists(), built.stdout + built.stderr)
        self.fake.write_text(FAKE.replace('"$ASSAY" run', f'"{BIN}/assay" run'), encoding="utf-8")
        done = self.capture(bundle / "scripts/capture", **without)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("there is no assay here", done.stdout)
        self.assertIn("3 captured, 0 not.", done.stdout)

    def test_cases_hold_zero_terms_apart(self):
        made = self.run_script(CAPTURE / "cases", "--assay", BIN / "assay", "--program", BIN / "assay-capture",
                               "--cases", 100, "sm_80", self.folder / "cases")
        self.assertEqual(made.returncode, 0, made.stderr)
        header, *lines = (self.folder / "cases/mma_m16n8k8_f32_tf32_tf32_f32.jsonl").read_text().splitlines()
        self.assertEqual(json.loads(header)["cases"], 700)
        self.assertEqual(len(lines), 700)
        zero = lambda code: int(code, 16) & 0x7fffe000 == 0
        tags = {}
        for line in lines:
            case = json.loads(line)
            if "tag" in case:
                tags.setdefault(case["tag"], []).append(sum(map(zero, case["a"] + case["b"])))
        self.assertEqual({tag: (len(zeros), max(zeros), min(zeros)) for tag, zeros in tags.items()},
                         {"no zero term": (200, 0, 0), "a zero term": (200, 1, 1), "c zero": (200, 0, 0)})

    # By tag, each case as (zeros, zeros that the mask leaves on) among a and b.
    def zeros_of(self, target, name, zeros):
        made = self.run_script(CAPTURE / "cases", "--assay", BIN / "assay", "--program", BIN / "assay-capture",
                               "--cases", 20, target, self.folder / "cases", name)
        self.assertEqual(made.returncode, 0, made.stderr)
        file = self.folder / "cases" / (name.replace(".", "_") + ".jsonl")
        tags = {}
        for line in file.read_text(encoding="utf-8").splitlines()[1:]:
            case = json.loads(line)
            if "tag" in case:
                mask = case.get("mask", ["1"] * len(case["a"]))
                on = sum(a in zeros or b in zeros for a, b, bit in zip(case["a"], case["b"], mask) if bit == "1")
                tags.setdefault(case["tag"], set()).add((sum(code in zeros for code in case["a"] + case["b"]), on))
        return tags

    def test_codes_of_six_bits_have_their_sign_in_the_sixth(self):
        self.assertEqual(self.zeros_of("sm_120a", "mma.m16n8k32.f32.e2m3.e3m2.f32", ("00", "20")),
                         {"no zero term": {(0, 0)}, "a zero term": {(1, 1)}, "c zero": {(0, 0)}})

    def test_the_zero_term_is_one_that_the_mask_leaves_on(self):
        self.assertEqual(self.zeros_of("sm_90a", "mma.sp.m16n8k32.f32.f16.f16.f32", ("0000", "8000")),
                         {"no zero term": {(0, 0)}, "a zero term": {(1, 1)}, "c zero": {(0, 0)}})

    def build(self, *words, **environment):
        return self.run_script(CAPTURE / "build", "--to", self.folder / "kernels", "--program", BIN / "assay-capture",
                               *words, **environment)

    def test_cases_that_recorded_sets_leave_open(self):
        """With the model for a GPU, sets and cases together leave nothing open."""
        assay, name = BIN / "assay", "mma.m16n8k4.f64.f64.f64.f64"
        words = ["--assay", assay, "--program", BIN / "assay-capture", "--open", "--cases", 3000]
        words += ["sm_90a", self.folder / "open"]
        found = self.run_script(CAPTURE / "cases", *words, name, "mma.m16n8k8.f32.f16.f16.f32")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(found.stdout, f"cases: 1 file in {self.folder}/open.\n")
        file = self.folder / "open/mma_m16n8k4_f64_f64_f64_f64.jsonl"
        self.assertNotIn('"d":', file.read_text(encoding="utf-8"))
        recorded = ROOT / "tb/vectors/captured/hopper_mma_m16n8k4_f64_f64_f64_f64.jsonl.zst"
        self.assertEqual(self.run_script(assay, "identify", recorded).returncode, 3)
        answered = self.folder / "answered.jsonl"
        self.assertEqual(self.run_script(assay, "run", file, "-o", answered).returncode, 0)
        self.assertEqual(self.run_script(assay, "identify", recorded, answered, "--together").returncode, 0)
        refused = self.run_script(CAPTURE / "cases", *words, "mma.m1n1k1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("sm_90a has no instruction 'mma.m1n1k1'; `assay-capture list sm_90a` shows them.", refused.stderr)

    def test_the_build_reads_the_machine_instructions(self):
        for name, text in [("nvcc", NVCC), ("cuobjdump", CUOBJDUMP)]:
            (self.folder / name).write_text(text, encoding="utf-8")
            (self.folder / name).chmod(0o755)
        done = self.build("sm_70", "sm_75", NVCC=str(self.folder / "nvcc"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("sm_70     left out: nvcc release 9.9 does not know it.", done.stdout)
        self.assertIn("kernels of 1 of 2 targets", done.stdout)
        self.assertEqual((self.folder / "kernels/sm_75.toolkit").read_text(), "nvcc 9.9.1\n")
        self.assertEqual((self.folder / "kernels/sm_75.machine").read_text(),
                         "mma_m16n8k8_f32_f16_f16_f32 HMMA.1688.F32\nother UTCHMMA HMMA.884.F16.F16.STEP0\n")

    def test_the_build_says_what_a_compiler_refused(self):
        nvcc = self.folder / "nvcc"
        nvcc.write_text(NVCC.replace("grep -q mma.sync", "echo no such instruction && grep -q nowhere"), encoding="utf-8")
        nvcc.chmod(0o755)
        done = self.build("sm_75", NVCC=str(nvcc))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("sm_75     refused by ", done.stdout)
        self.assertIn("no such instruction", done.stdout)
        self.assertEqual(self.build("sm_70", NVCC=str(nvcc)).returncode, 4)

    # Nothing is compiled but by one compiler, which notes what it was told.
    def test_the_compilers_are_told_to_contract_nothing(self):
        compiler, told = self.folder / "compiler", self.folder / "told"
        compiler.write_text(NOTING, encoding="utf-8")
        compiler.chmod(0o755)
        named = {"CXX": str(compiler), "NVCC": str(compiler), "HIPCXX": str(compiler), "TOLD": str(told)}
        done = self.run_script(CAPTURE / "build", "--to", self.folder / "kernels", "sm_75", "gfx90a", **named)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        compiled = [line for line in told.read_text().splitlines() if " -o " in line]
        for word, what in [("-ldl", "-ffp-contract=off"), ("-cubin", "-fmad=false"), ("-x hip", "-ffp-contract=off")]:
            lines = [line for line in compiled if word in line]
            self.assertTrue(lines, compiled)
            for line in lines:
                self.assertIn(f" {what} ", line)
                compiled.remove(line)
        self.assertEqual(compiled, [])

    # A folder as `sweep build` makes it, whose program notes what it is told and ends as REFUSED and FLIPPED say.
    def sweeps(self):
        folder = self.folder / "sweep"
        (folder / "units").mkdir(parents=True)
        (folder / "units/units.txt").write_text("aa first\nbb second\naa third\n", encoding="utf-8")
        program = folder / "assay-capture"
        program.write_text(SWEEPING, encoding="utf-8")
        program.chmod(0o755)
        return folder

    def test_a_sweep_takes_each_instruction_with_its_unit(self):
        folder = self.sweeps()
        told = {"TOLD": str(self.folder / "told"), "FLIPPED": "second", "REFUSED": "none"}
        done = self.run_script(CAPTURE / "sweep", "run", folder, "--cases", "7", "--every", **told)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        words = [line.split() for line in (self.folder / "told").read_text().splitlines()]
        self.assertEqual([w[2] for w in words], [n for n in ("first", "second", "third") for _ in range(3)])
        self.assertEqual([Path(w[1]).name for w in words], ["aa.cubin"] * 3 + ["bb.cubin"] * 3 + ["aa.cubin"] * 3)
        for first, second, random in zip(words[::3], words[1::3], words[2::3]):
            self.assertEqual((first[-1], second[-1]), ("--every", "--every-c"))
            self.assertEqual(random[-4:], ["--cases", "7", "--seed", "1"])
        one = self.run_script(CAPTURE / "sweep", "run", folder, "third", **told)
        self.assertEqual(one.returncode, 0, one.stdout + one.stderr)
        gone = self.run_script(CAPTURE / "sweep", "run", folder, **{**told, "REFUSED": "first"})
        self.assertEqual(gone.returncode, 4)

    def test_what_a_sweep_refuses(self):
        folder = self.sweeps()
        for words, status, says in [
                (["run", self.folder], 2, "there are no units in"),
                (["run", folder, "fourth"], 2, "there is no instruction 'fourth' here."),
                (["run", folder, "--cases", "many"], 2, "a whole number in decimal digits is needed, found 'many'"),
                (["build", "sm_1", folder], 2, "there is no target 'sm_1'"),
                (["build", "gfx90a", folder], 4, "gfx90a is none of nvcc"),
                (["build", "--nvcc", "nowhere", "sm_90a", folder], 4, "")]:
            if not says and Path("/usr/local/cuda/bin/nvcc").exists():
                continue
            done = self.run_script(CAPTURE / "sweep", *words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertIn(says, done.stderr)
        program = BIN / "assay-capture"
        listed = ["--targets", CAPTURE / "targets.txt"]
        for words, says in [(["sweep", "u.cubin"], "sweep takes a UNIT and INSTRUCTIONs."),
                            (["sweep", "u.cubin", "x", "--case", "1"], "'--case' is no option"),
                            (["sweep", "u.cubin", "x"], "--kernels is missing.")]:
            done = self.run_script(program, *words, *listed)
            self.assertEqual((done.returncode, says in done.stderr), (2, True), done.stderr)

    def test_kernels_execute_the_instruction_of_their_name(self):
        self.build("gfx90a")
        machine = self.folder / "kernels/gfx90a.machine"
        if not machine.exists():
            self.skipTest("no compiler for gfx90a with a disassembler beside it")
        lines = machine.read_text().splitlines()
        self.assertEqual(len(lines), 27)
        for line in lines:
            kernel, instruction = line.split()
            self.assertEqual(kernel, instruction)

    def test_the_page_lists_the_targets(self):
        listed = self.run_script(BIN / "assay-capture", "list", "--targets", CAPTURE / "targets.txt").stdout
        self.assertEqual(len(listed.splitlines()), 10)
        self.assertIn(f"```text\n{listed}```\n", (ROOT / "docs/capture.md").read_text(encoding="utf-8"))

    def test_wrong_use(self):
        for name, words, status, says in [
                ("all", ["--fast"], 1, "'--fast' is no option of this script"),
                ("all", ["--program", "/nowhere"], 1, "there is no program '/nowhere'; --program names an assay-capture"),
                ("cases", ["--assay", "/nowhere", "--program", BIN / "assay-capture", "sm_70", self.folder], 1,
                 "cases: /nowhere cannot be started: No such file or directory; --assay and --program name the programs."),
                ("cases", ["--program", "/nowhere", "sm_70", self.folder], 1, "cases: /nowhere cannot be started"),
                ("build", ["--fast"], 1, "'--fast' is no option of this script"),
                ("bundle", [], 1, "name the FOLDER to make"),
                ("bundle", [self.folder], 1, "is there already"),
                ("cases", ["--program", BIN / "assay-capture", "sm_1", self.folder], 2, "there is no target 'sm_1'")]:
            done = self.run_script(CAPTURE / name, *words)
            self.assertEqual(done.returncode, status, (name, done.stderr))
            self.assertIn(says, done.stderr)
        for name in ["all", "build", "bundle", "cases", "sweep"]:
            self.assertEqual(self.run_script(CAPTURE / name, "--help").returncode, 0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
