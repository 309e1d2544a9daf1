"""slang, a fourth reader of SystemVerilog, takes what is exported: the package of a model, and the wiring of our blocks."""

import subprocess

import pyslang
import pytest
from conftest import ROOT, SCALED, WGMMA

from assay import _bench

# All that slang warns of, but signs that a conversion of the same width changes and casts that change nothing: what
# yosys and Icarus Verilog read asks for both.
ALL = ["-Weverything", "-Wno-sign-conversion", "-Wno-useless-cast"]
BLOCKS = ["-Wextra", "-Wno-useless-cast", "-y", ROOT / "rtl_ref", "--libext", ".sv", ROOT / "rtl_ref/assay_pkg.sv"]

SMALL = """name: small
k: 2
operands: {a: e4m3, b: e5m2, c: f16, d: nf4}
specials: operation
flags: {of: d, invalid: made, tiny: after}
adders:
  - name: sum
    add: {product: {keep: 8, cut: down}, acc: {keep: 9, cut: nearest_even}}
    sticky: or
    zero: ieee
    result: [{format: d, cut: nearest_even, overflow: largest, infinity: largest, nan: zero}]
"""


def said_by_slang(capfd, *words):
    """What it says of files; nothing where all is well."""
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    assert driver.parseCommandLine(" ".join(["slang", *map(str, words)]), pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources()
    driver.reportCompilation(driver.createCompilation(), True)
    said = capfd.readouterr()
    return said.out + said.err


def exported(path, *words):
    ran = subprocess.run([_bench._command(), *map(str, words)], capture_output=True, text=True, check=True)
    path.write_text(ran.stdout)
    return path


def top_of(package, path):
    """A module that asks for all places, of operands that are zero."""
    head = next(line for line in package.read_text().splitlines() if " places(" in line)
    widths = [int(part.split("[")[1].split(":")[0]) + 1 for part in head.split("places(")[1].split(",")]
    zeros = ", ".join(f"{width}'h0" for width in widths)
    path.write_text(
        "module top (output bit [unit_pkg::PlacesBits - 1:0] places_o);\n"
        f"  assign places_o = unit_pkg::places({zeros});\nendmodule\n"
    )
    return path


@pytest.mark.parametrize("name", [WGMMA, SCALED, "small"])
def test_it_reads_packages_without_a_word(capfd, tmp_path, name):
    (tmp_path / "small.yaml").write_text(SMALL)
    unit = ["--datapath", tmp_path / "small.yaml"] if name == "small" else ["--instruction", name]
    package = exported(tmp_path / "unit_pkg.sv", "export", *unit, "--to", "sv-package", "--name", "unit_pkg")
    top = top_of(package, tmp_path / "top.sv")
    assert said_by_slang(capfd, *ALL, package, top) == ""
    package.write_text(package.read_text().replace("larger(int x, int y)", "larger(bit [7:0] x, int y)"))
    assert "warning: implicit conversion truncates" in said_by_slang(capfd, *ALL, package, top)


@pytest.mark.parametrize("name", [WGMMA, SCALED])
def test_it_reads_the_wiring_of_blocks_without_a_word(capfd, tmp_path, name):
    unit = exported(tmp_path / "unit.sv", "export-sv", "--instruction", name, "--module", "unit")
    assert said_by_slang(capfd, *BLOCKS, unit) == ""
    unit.write_text(unit.read_text().replace(".code_i", ".coda_i", 1))
    assert "error: port 'coda_i' does not exist" in said_by_slang(capfd, *BLOCKS, unit)
