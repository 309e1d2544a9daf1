"""The checker, strategies for Hypothesis, and the testbenches of docs/examples/cocotb on the shipped unit and a faulty twin."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import assay

ONE, C = [0x3C00], 0xBF7FFFFF


def test_results_in_order_and_by_tag(wgmma):
    checker = assay.Checker(wgmma)
    for tag, c in ((1, 0), (2, 0x3F800000), (None, C)):
        checker.expect(ONE, ONE, c, tag=tag)
    assert checker.got(0x40000000, tag=2) and checker.got(0x33800000) and checker.got(np.uint32(0x3F800000), tag=1)
    assert checker.finish().compared == 3


@pytest.mark.parametrize(
    ("probes", "words"),
    [
        ({"bogus": 1}, "has no place 'bogus'; its places are decode.a"),
        ({"step[0].sum.window": 1 << 200}, r"step\[0\].sum.window is 0x1000.*; it has \d+ bits"),
        ({"step[0].sum.window": -1}, "not negative"),
        ({"step[0].sum.window": {}}, "must be a whole number"),
        (1.5, "probes is 1.5; it must be a whole number"),
        (1 << 4000, "probes is 0x1000"),
    ],
)
def test_probes_are_places_of_the_unit(wgmma, probes, words):
    checker = assay.Checker(wgmma)
    checker.expect(ONE, ONE, 0)
    with pytest.raises(assay.Error, match=words):
        checker.got(0x3F800000, probes=probes)
    assert checker.got(0x3F800000) and checker.finish().compared == 1  # the result was not counted


def test_every_mismatch_is_told_once_at_the_end(wgmma):
    checker = assay.Checker(wgmma, most_explained=2)
    narrow = wgmma.with_(F=20)
    for _ in range(3):
        checker.expect(ONE, ONE, C, tag="x")
        shown = wgmma.explain(np.uint16(ONE), np.uint16(ONE), np.uint32(C))
        theirs = narrow.explain(np.uint16(ONE), np.uint16(ONE), np.uint32(C))
        probes = {place.place: int(place.bits, 16) for place in shown.places}
        probes["step[0].sum.align[16]"] ^= 1
        assert not checker.got(int(theirs.d, 16), tag="x", probes=probes)
    with pytest.raises(assay.Error) as raised:
        checker.finish()
    text = str(raised.value)
    assert "3 of 3 results are wrong" in text and "1 more are wrong" in text
    assert "dot product 0 (tag 'x'): d is 35800000, expected 33800000, first at step[0].sum.align[16]" in text
    again = checker.mismatches[0].again.split()
    assert again[:3] == ["assay", "explain", "--instruction"]
    from assay._bench import _command

    said = subprocess.run([_command(), *again[1:]], capture_output=True, text=True, check=True).stdout
    assert "d           33800000" in said


def test_what_is_missing_or_unasked_for(wgmma):
    for prepare, words in [
        (lambda c: None, "Nothing was compared"),
        (lambda c: c.got(0), "A result came that nothing was expected for"),
        (lambda c: c.got(0, tag=5), r"nothing was expected for \(tag 5\)"),
        (lambda c: c.expect(ONE, ONE, 0, tag=7), r"1 expected results never came, of tags \[7\]"),
    ]:
        checker = assay.Checker(wgmma)
        prepare(checker)
        with pytest.raises(assay.Error, match=words):
            checker.finish()
    with pytest.raises(assay.Error, match="One dot product is expected at a time"):
        assay.Checker(wgmma).expect(np.ones((2, 4)), np.ones((2, 4)))
    with pytest.raises(assay.Error, match="a has a code that is not 0 to 2"):
        assay.Checker(wgmma).expect([0x10000], ONE)


def test_a_result_is_its_bits(wgmma):
    checker = assay.Checker(wgmma)
    for _ in range(4):
        checker.expect(np.float16([1, -1]), np.float16([1, 1]), np.float32(0))
    assert not checker.got(np.float32(0.5)) and checker.got(np.float32(0)) and checker.got(np.array([0], np.uint32))
    for wrong, words in ((0.5, "d has dtype float64"), ([0, 0], "one result comes at a time"), (-1, "is not 0 to 2")):
        with pytest.raises(assay.Error, match=words):
            checker.got(wrong)
    assert (checker.compared, checker.differ) == (3, 1)
    with pytest.raises(assay.Error, match="1 expected results never came"):
        checker.finish()

    integers = assay.Checker(assay.instruction("cdna1:v_mfma_i32_16x16x16i8"))
    for _ in range(2):
        integers.expect(np.int8([1]), np.int8([-3]))
    assert integers.got(np.int32(-3)) and not integers.got(np.int32(-7))


# In a list of values zero stands anywhere.
def test_what_is_missing_is_zero(tmp_path):
    file = tmp_path / "nf4.yaml"
    file.write_text("name: mine\nlike: fused_f25\nk: 16\noperands: {a: nf4, b: nf4, c: f32, d: f32}\n")
    unit = assay.datapath(str(file))
    assert float(unit.dot(np.ones(4), np.ones(4))) == 4
    checker = assay.Checker(unit)
    checker.expect([15] * 4, [15] * 4, 0)
    assert checker.got(0x40800000)
    with pytest.raises(assay.Error, match="no double holds; use its code"):
        assay.format("i64").decode(np.array([2**53 + 1], np.uint64))
    assert assay.format("i64").decode(np.array([2**60], np.uint64)) == 2.0**60


def test_ports_are_packed_as_bits():
    assert assay.pack(np.int8([1, -1, 1]), 8) == 0x01FF01
    for wrong, bits, words in (
        ([0x1FFFF, 1], 16, "does not fit 16 bits"),
        ([-1], 8, "does not fit 8 bits"),
        ([0.5], 8, "codes, which are whole numbers"),
    ):
        with pytest.raises(assay.Error, match=words):
            assay.pack(wrong, bits)
    with pytest.raises(assay.Error, match="bits above its 16"):
        assay.unpack(0x123456, [8, 8])


# NumPy makes floats of plain ints of which some need 64 bits and some do not.
def test_codes_of_64_bits_are_codes():
    unit = assay.instruction("ampere:mma.m8n8k4.f64.f64.f64.f64")
    cases = unit.generate(60)
    results = unit.dot(**cases)
    checker = assay.Checker(unit)
    for a, b, c, d in zip(cases["a"], cases["b"], cases["c"], results, strict=True):
        checker.expect(a.tolist(), b.tolist(), int(c))
        assert checker.got(int(d))
    assert np.array_equal(checker.cases()["a"], cases["a"])
    assert assay.pack([1 << 63, 1], 64) == 1 << 64 | 1 << 63
    assert assay.pack([1 << 99], 100) == 1 << 99
    assert unit.a.as_codes([1 << 63, 1], "a").tolist() == [1 << 63, 1]
    with pytest.raises(assay.Error, match="a has integers beyond 2"):
        assay.instruction("cdna1:v_mfma_i32_16x16x16i8").dot([(1 << 63) + 1, 1], [1, 1])


def test_ports_take_arrays_of_either_byte_order():
    for values in (np.float16([1, 2]), np.float32([1, -2]), np.int16([-2, 1]), np.uint16([3, 4])):
        bits = 8 * values.dtype.itemsize
        assert assay.pack(values.astype(values.dtype.newbyteorder(">")), bits) == assay.pack(values, bits)


def test_commands_name_the_file_of_a_unit(tmp_path):
    file = tmp_path / "my unit.yaml"
    file.write_text("name: mine\nlike: fused_f25\nk: 16\noperands: {a: f16, b: f16, c: f32, d: f32}\n")
    for unit, named in ((assay.datapath(file), f"--datapath '{file}'"), (assay.datapath(file.read_text()), "FILE.yaml")):
        checker = assay.Checker(unit)
        checker.expect(ONE, ONE, 0)
        checker.got(1)
        assert named in checker.mismatches[0].again


def test_codes_have_all_their_digits_and_missing_tags_are_counted():
    unit = assay.instruction("cdna1:v_mfma_i32_16x16x16i8")
    checker = assay.Checker(unit)
    checker.expect([1] * 16, [1] * 16, 0)
    checker.got(5)
    for tag in range(20):
        checker.expect([1], [1], 0, tag=tag)
    with pytest.raises(assay.Error, match=r"d is 00000005, expected 00000010(.|\n)*of tags \[0, 1, 2, 3, 4\] and 15 more"):
        checker.finish()


def test_another_nan_passes_where_any_will_do(wgmma):
    for nan, right in (("any", True), ("bits", False)):
        checker = assay.Checker(wgmma, nan=nan)
        checker.expect([0x7E00], ONE)
        assert checker.got(0x7FC00000) is right


def test_coverage_of_what_went_in(wgmma):
    checker = assay.Checker(wgmma)
    for _ in range(4):
        checker.expect(ONE, ONE, C)
    assert checker.coverage().cases == 4 and checker.cases()["a"].shape == (4, 16)


def test_strategies_draw_masks_that_the_unit_takes():
    hypothesis = pytest.importorskip("hypothesis")
    unit = assay.instruction("ada:mma.sp.m16n8k16.f32.f16.f16.f32")

    @hypothesis.settings(max_examples=20, database=None, deadline=None)
    @hypothesis.given(assay.strategies.operands(unit))
    def computes(operands):
        unit.dot(**operands)

    computes()


def test_strategies_keep_to_what_is_asked(scaled, wgmma):
    hypothesis = pytest.importorskip("hypothesis")
    from assay import strategies

    @hypothesis.settings(max_examples=60, deadline=None)
    @hypothesis.given(strategies.operands(wgmma, nan=False, infinity=False))
    def finite(operands):
        values = [getattr(wgmma, name).decode(code) for name, code in operands.items()]
        assert all(np.isfinite(value).all() for value in values)

    @hypothesis.settings(max_examples=60, deadline=None)
    @hypothesis.given(strategies.operands(scaled))
    def fit(operands):
        scaled.dot(**operands)

    finite()
    fit()


# --- a simulator ---

EXAMPLES = ROOT / "docs/examples/cocotb"


def run_testbench(build, *dut):
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "model/python"),
        "COCOTB_ANSI_OUTPUT": "0",
    }
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    environment.pop("PYTEST_CURRENT_TEST", None)  # cocotb's runner would raise in place of counting what failed
    words = [sys.executable, EXAMPLES / "run.py", ROOT, build, *dut]
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("fault", [False, True])
def test_cocotb_and_pyuvm(tmp_path, fault):
    pytest.importorskip("cocotb")
    dut = [ROOT / "configs/dut/fused_f25_f16_fault_align.yaml"] if fault else []
    status, said = run_testbench(tmp_path, *dut)
    if not fault:
        assert status == 0, said[-4000:]
        assert "3 tests, 0 failed" in said and "500 dot products" in said
        return
    assert status == 1 and "3 tests, 3 failed" in said, said[-4000:]
    # Each of the three says where the fault is.
    assert said.count("first at step[0].sum.align[5]") >= 3, said[-4000:]


@pytest.mark.parametrize("fault", [False, True])
def test_cocotb_by_icarus(tmp_path, fault):
    """Icarus Verilog 11 reads a package that the command writes, and has no probes: a fault is told by wrong results."""
    pytest.importorskip("cocotb")
    if shutil.which("iverilog") is None:
        pytest.skip("There is no iverilog here, by which this testbench runs.")
    from assay._bench import _command

    name = "hopper:wgmma.m64nNk16.f32.f16.f16"
    package = tmp_path / "dot_pkg.sv"
    words = ["export", "--instruction", name, "--to", "sv-package", "--name", "dot_pkg", "-o", package]
    subprocess.run([_command(), *words], check=True)
    if fault:
        text = package.read_text()
        assert "quantum < window - 25" in text
        package.write_text(text.replace("window - 25", "window - 24"))
    status, said = run_testbench(tmp_path / "build", package)
    assert (status, f"3 tests, {3 if fault else 0} failed" in said) == (int(fault), True), said[-4000:]
    assert "Icarus" in said or "icarus" in said
    assert (said.count(" results are wrong.") >= 3) == fault, said[-4000:]
