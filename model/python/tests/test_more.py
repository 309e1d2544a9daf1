"""Units whose cases bring scales of one side, zero points and random words: the examples that the project ships."""

import subprocess
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT

import assay
from assay import _unit

UNITS = ROOT / "docs" / "examples" / "units"
WEIGHTS = """name: weights
k: 4
operands: {a: f16, b: i4, c: f32, d: f32, zero_b: {format: i4, block: 2}, scales: {s: {of: b, format: f16, at: product}}}
specials: step
adders: [{name: sum, add: {product: exact, acc: {keep: 30, cut: toward_zero}}, result: [{format: d, cut: nearest_even}]}]
"""


@pytest.fixture(scope="module")
def weights():
    return assay.datapath(WEIGHTS)


def test_operands_have_names_and_formats(weights):
    assert {name: of.name for name, of in weights.more.items()} == {"s": "f16", "zero_b": "i4"}
    assert repr(weights).endswith("1 f16 as s, 2 i4 as zero_b>")
    word = assay.datapath(UNITS / "stochastic_bf16.yaml").more["random"]
    assert word.bits == 16 and word.is_integer


def test_dot_is_worked_out_by_hand(weights):
    d = weights.dot([[1.0, 2.0, 4.0, 0.0]] * 2, [3.0, -8.0, 7.0, 0.0], [10.0, 0.0], s=[[0.5], [1.0]], zero_b=[1.0, -8.0])
    assert d.tolist() == [(2 - 18 + 60) / 2 + 10, 2 - 18 + 60]


def test_dot_of_many_is_the_exact_sum(weights):
    random = np.random.default_rng(5)
    b, zero = random.integers(-8, 8, (50, 4)), random.integers(-8, 8, (50, 2))
    a = random.integers(-64, 64, (50, 4)) / 16
    s = 2.0 ** random.integers(-3, 3, (50, 1))
    d = weights.dot(a, b.astype(float), 0.0, s=s, zero_b=zero.astype(float))
    for i in range(50):
        terms = [Fraction(a[i, t]) * Fraction(int(b[i, t] - zero[i, t // 2])) * Fraction(s[i, 0]) for t in range(4)]
        assert Fraction(float(d[i])) == sum(terms)


def test_what_is_missing_or_too_much_is_named(weights, wgmma):
    with pytest.raises(assay.Error, match="needs s and zero_b: 1 of f16 as s, 2 of i4 as zero_b for each 4 terms"):
        weights.dot([1.0], [1.0])
    with pytest.raises(assay.Error, match="'zero_c' is no operand; there are a, b, c, s, zero_b"):
        weights.dot([1.0], [1.0], s=[1.0], zero_b=[0.0, 0.0], zero_c=[1.0])
    with pytest.raises(assay.Error, match="has no scales; leave scale_a out"):
        weights.dot([1.0], [1.0], s=[1.0], zero_b=[0.0, 0.0], scale_a=[1.0])
    with pytest.raises(assay.Error, match="'s' is no operand"):
        wgmma.dot([1.0], [1.0], s=[1.0])
    with pytest.raises(assay.Error, match="zero_b has 3 along its last axis; .* takes 2"):
        weights.dot([1.0], [1.0], s=[1.0], zero_b=[0.0] * 3)
    with pytest.raises(assay.Error, match="needs s and zero_b: 1 of f16 as s, 2 of i4 as zero_b for each 4 terms"):
        weights.matmul(np.ones((2, 4)), np.ones((4, 2)))
    with pytest.raises(assay.Error, match=r"zero_b has shape \(3, 2\); this product takes \(2, 2\)"):
        weights.matmul(np.ones((2, 4)), np.ones((4, 2)), s=[[1.0, 1.0]], zero_b=np.zeros((3, 2)))


def test_matmul_gives_rows_columns_and_elements_their_own():
    """Two instructions along K, in pieces, broadcast batches and out of transposed arrays: each element is its own dots."""
    unit = assay.datapath(
        """name: all_kinds
k: 4
operands: {a: i8, b: f16, c: f32, d: f32, zero_a: {format: i8, block: 2}, scales: {s: {of: b, format: f16, at: product}}}
specials: step
adders: [{name: sum, add: {product: {keep: 30, cut: down}, acc: {keep: 30, cut: down}},
  result: [{format: d, cut: stochastic_a, random_bits: 5}]}]
"""
    )
    random = np.random.default_rng(7)
    a, b = random.integers(-128, 128, (2, 3, 8)), random.standard_normal((8, 5)).astype(np.float16)
    zero_a = random.integers(-128, 128, (2, 4, 3)).swapaxes(1, 2)
    s = random.standard_normal((2, 5)).astype(np.float16)
    words = random.integers(0, 32, (2, 3, 5, 2)).astype(np.uint8)
    c = random.standard_normal((3, 5)).astype(np.float32)
    given = {"s": s, "zero_a": zero_a.astype(float), "random": words}
    d = unit.matmul(a.astype(float), b, c, **given)
    assert d.shape == (2, 3, 5)
    for batch, i, j in np.ndindex(d.shape):
        acc = c[i, j]
        for step in range(2):
            k, zeros = slice(4 * step, 4 * step + 4), zero_a[batch, i, 2 * step : 2 * step + 2]
            acc = unit.dot(
                a[batch, i, k].astype(float), b[k, j], acc, s=[s[step, j]], zero_a=zeros.astype(float),
                random=words[batch, i, j, step : step + 1],
            )  # fmt: skip
        assert d[batch, i, j] == acc
    promoted = unit.matmul(a.astype(float), b, c, promote_every=4, **given)
    first, second = (
        unit.matmul(
            a[:, :, 4 * n : 4 * n + 4].astype(float), b[4 * n : 4 * n + 4], s=s[n : n + 1], random=words[..., n : n + 1],
            zero_a=zero_a[:, :, 2 * n : 2 * n + 2].astype(float),
        )
        for n in range(2)
    )  # fmt: skip
    assert (promoted == c + (first + second)).all()


def test_matmul_in_pieces_is_the_same(monkeypatch):
    unit = assay.datapath(UNITS / "stochastic_fp8.yaml")
    random = np.random.default_rng(8)
    a = random.integers(0, 120, (7, 16)).astype(np.uint8)
    b = random.integers(0, 120, (16, 6)).astype(np.uint8)
    words = random.integers(0, 256, (7, 6, 1)).astype(np.uint8)
    whole = unit.matmul(a, b, random=words)
    monkeypatch.setitem(_unit._PIECE, "core", 16 * 4)
    assert (unit.matmul(a, b, random=words) == whole).all()
    assert (unit.matmul(a, b, random=words[::-1]) != whole).any()


@pytest.mark.parametrize("file", sorted(UNITS.glob("*.yaml")), ids=lambda file: file.stem)
def test_each_shipped_unit_runs(file):
    unit = assay.datapath(file)
    cases = unit.generate(40)
    assert set(cases) == set(unit._lengths)
    d = unit.dot(**cases)
    assert assay.check_dots(unit, d, **cases).passed
    assert assay.compare(unit, lambda **operands: unit.dot(**operands), cases=40).passed


def test_a_device_that_forgets_a_zero_point_is_found(weights):
    def forgets(zero_b, **operands):
        return weights.dot(zero_b=zero_b[:, :1].repeat(2, axis=1), **operands)

    found = assay.compare(weights, forgets, cases=500)
    assert not found.passed and found.summary.differs > 20


def test_the_checker_prints_a_case_that_the_command_understands(weights, tmp_path):
    file = tmp_path / "weights.yaml"
    file.write_text(WEIGHTS)
    checker = assay.Checker(weights)
    checker.expect([0x3C00, 0, 0, 0], [3, 0, 0, 0], 0, s=[0x3C00], zero_b=[1, 0])
    assert not checker.got(0)
    from assay._bench import _command

    again = checker.mismatches[0].again.replace("FILE.yaml", str(file)).split()
    said = subprocess.run([_command(), *again[1:]], capture_output=True, text=True, check=True).stdout
    assert "d           40000000" in said
