"""mutate_test.py ASSAY: scripts/mutate_rtl on units of a few lines, with mutants of every fate, and each of its errors."""

import json
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ASSAY = sys.argv.pop()

DATAPATH = "name: mine\nlike: integer\nk: 1\noperands: {a: i8, b: i8, c: i32, d: i32}\n"
DUT = """instructions:
  - {datapath: mine.yaml, constants: {mode_i: 010}}
sources: [unit.sv]
defines: {WIDTH: 32}
parameters: {Bias: 0}
top: unit
handshake: combinational
ports:
  a: {port: a_i, width: 8}
  b: {port: b_i, width: 8}
  c: c_i
  d: d_o
probes: {places: {"step[0].sum.reduce": seen_o}}
"""
HEADER = """module unit #(parameter int Bias = 1) (
  input  logic signed [7:0] a_i,
  input  logic signed [7:0] b_i,
  input  logic [`WIDTH-1:0] c_i,
  input  logic [4:0] mode_i,
  output logic [31:0] d_o,
  output logic [31:0] seen_o
);
  assign seen_o = d_o;
"""
RIGHT = """  logic signed [31:0] a, b;
  assign a = 32'(a_i) + Bias;
  assign b = mode_i == 5'h10 ? 32'(b_i) : '0;
  // Another way to the same sum, taken for one c only: no mutant of it is found by chance.
  logic [31:0] usual, other;
  assign usual = a * b + c_i;
  assign other = (a + 32'd1) * b + (c_i - b);
  // Nothing, but not to a tool that does not prove it.
  logic [31:0] nothing;
  assign nothing = {usual[30:0], 1'b0} & 32'd1 & {31'd0, (a_i > b_i) && (b_i > a_i)};
  assign d_o = (c_i == 32'h5eed_cafe ? other : usual) ^ {30'd0, (a_i > b_i) && (b_i > a_i), 1'b0} ^ nothing;
endmodule
"""


class MutateRtl(unittest.TestCase):
    def setUp(self):
        self.folder = Path("mutated", self.id().rsplit(".", 1)[1]).resolve()  # what was built for it is found again
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.write(RIGHT)
        (self.folder / "mine.yaml").write_text(DATAPATH)
        (self.folder / "dut.yaml").write_text(DUT)

    def write(self, body):
        (self.folder / "unit.sv").write_text(HEADER + body)

    def run_script(self, *options, assay=ASSAY):
        return subprocess.run([ROOT / "scripts/mutate_rtl", "--assay", assay, *options, self.folder / "dut.yaml",
                               self.folder / "out"], capture_output=True, text=True, check=False)

    def test_gives_each_mutant_its_fate(self):
        listed = self.folder / "mutants.json"
        done = self.run_script("--count", "40", "--cases", "300", "--seconds", "1", "--json", listed)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        mutants = json.loads(listed.read_text())["mutants"]
        self.assertEqual([m["number"] for m in mutants], list(range(1, 41)))
        of = {fate: [m for m in mutants if m["fate"] == fate] for fate in ["killed", "equivalent", "missed", "open"]}
        self.assertEqual(sum(map(len, of.values())), 40)
        self.assertGreater(len(of["killed"]), 10)
        self.assertGreater(len(of["equivalent"]), 0, done.stdout)
        self.assertGreater(len(of["missed"]), 0, done.stdout)
        self.assertGreater(len(of["open"]), 0, done.stdout)
        last = max(m["case"] for m in of["killed"])
        self.assertIn(f"{len(of['killed'])} of 40 mutants killed, {len(of['equivalent'])} equivalent, {len(of['missed'])} "
                      f"missed, {len(of['open'])} open, by 300 cases; the last one by case {last}\n", done.stdout)
        # How far it was is said ten times, the last time with the same counts.
        said = [line for line in done.stderr.splitlines() if line.startswith("mutate_rtl: ")]
        self.assertEqual(len(said), 10, done.stderr)
        self.assertEqual(said[-1], f"mutate_rtl: 40 of 40 mutants: {len(of['killed'])} killed, "
                                   f"{len(of['equivalent'])} equivalent, {len(of['missed'])} missed, {len(of['open'])} open")
        # Of one that no case killed, operands that do are shown.
        survivor = of["missed"][0]
        self.assertIn(f"  mutant {survivor['number']}: {survivor['mutation']}\n    {survivor['command']}\n", done.stdout)
        self.assertIn("unit.sv:", survivor["mutation"])
        self.assertEqual(shlex.split(survivor["command"])[:2], ["assay", "explain"])
        shown = subprocess.run([ASSAY, *shlex.split(survivor["command"])[1:]], capture_output=True, text=True, check=False)
        self.assertEqual(shown.returncode, 1, shown.stdout + shown.stderr)

        # A mutant is killed by that case, and by none before it.
        late = max(of["killed"], key=lambda m: m["case"])
        device = f"rtl:{self.folder}/out/dut.yaml#assay_mutant_i={late['number']:x}"
        compare = [ASSAY, "compare", "--device", device]
        alone = subprocess.run([*compare, "--case", str(late["case"])], capture_output=True, check=False)
        before = subprocess.run([*compare, "--cases", str(late["case"])], capture_output=True, check=False)
        self.assertEqual((alone.returncode, before.returncode), (1, 0 if late["case"] else 3))

    def test_parameters_and_packages_are_read(self):
        package = """package widths;
  parameter int Wide = 32;
  typedef logic [Wide-1:0] wide_t;
  function automatic logic [31:0] widened(input logic signed [7:0] x);
    widened = {{24{x[7]}}, x};
  endfunction
endpackage
"""
        body = """  widths::wide_t a, b;
  assign a = widths::widened(a_i);
  assign b = mode_i == 5'h10 ? widths::widened(b_i) : '0;
  assign d_o = Form[1] ? (a + Bias) * b + c_i : '0;
endmodule
"""
        header = HEADER.replace("parameter int Bias = 1", "parameter int Bias = 1, parameter logic [3:0] Form = 4'b0001")
        (self.folder / "unit.sv").write_text(package + header + body)
        (self.folder / "dut.yaml").write_text(DUT.replace("{Bias: 0}", "{Bias: 0, Form: \"4'b0010\"}"))
        done = self.run_script("--count", "6", "--cases", "300", "--seconds", "1")
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertIn("of 6 mutants killed", done.stdout)

    def test_modules_are_found_in_include_dirs(self):
        (self.folder / "parts").mkdir()
        (self.folder / "parts/product.sv").write_text(
            "module product (input logic signed [7:0] a_i, b_i, output logic [31:0] p_o);\n"
            "  assign p_o = 32'(a_i) * 32'(b_i);\nendmodule\n")
        self.write("  logic [31:0] p;\n  product part(.a_i, .b_i, .p_o(p));\n"
                   "  assign d_o = mode_i == 5'h10 ? p + c_i : '0;\nendmodule\n")
        (self.folder / "dut.yaml").write_text(DUT.replace("defines:", "include_dirs: [parts]\ndefines:"))
        done = self.run_script("--count", "6", "--cases", "300", "--seconds", "1")
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertIn("of 6 mutants killed", done.stdout)

    def test_what_is_waived_is_no_failure(self):
        self.write(RIGHT.replace("? other : usual)", "? other : usual) + 32'(a_i == 8'sd0)"))
        waivers = self.folder / "waivers.yaml"
        waivers.write_text("waivers:\n  - {expected: normal, reason: accepted here, owner: J. Doe}\n"
                           "  - {expected: zero, reason: accepted here, owner: J. Doe}\n")
        done = self.run_script("--count", "3", "--cases", "300", "--seconds", "1")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("unit itself differs from the model", done.stderr)
        done = self.run_script("--count", "3", "--cases", "300", "--seconds", "1", "--waivers", waivers)
        self.assertIn("0 of 3 mutants killed", done.stdout, done.stderr)

    def test_another_yosys_may_be_named(self):
        done = self.run_script("--count", "3", "--yosys", str(self.folder / "no_yosys"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_yosys cannot be started; scripts/setup installs yosys, and --yosys names another.", done.stderr)

    def test_a_unit_that_is_wrong_itself_is_refused(self):
        self.write(RIGHT.replace("? 32'(b_i)", "? 32'(b_i) + 1"))
        done = self.run_script("--count", "3")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"^mutate_rtl: unit itself differs from the model, at case \d+; mend that first\.$")

    def test_what_yosys_cannot_read_is_said(self):
        self.write("  assign d_o = ;\nendmodule\n")
        done = self.run_script()
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("mutate_rtl: yosys cannot mutate unit: "), done.stderr)
        self.assertIn("unit.sv:10", done.stderr)

    def test_what_is_no_dut_file_is_said(self):
        (self.folder / "dut.yaml").unlink()
        done = self.run_script()
        self.assertEqual(done.returncode, 2)
        self.assertIn("dut.yaml: this is no DUT file: ", done.stderr)

    def test_the_program_is_needed(self):
        done = self.run_script("--count", "3", assay=str(self.folder / "no_assay"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_assay cannot be started; scripts/build makes it, and --assay names another.", done.stderr)

    def test_the_count_is_checked(self):
        done = self.run_script("--count", "0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--count must be 1 or more.", done.stderr)


if __name__ == "__main__":
    unittest.main()
