"""Units on whole arrays: each element held to one dot product at a time, and these to numbers that are known."""

import pickle

import numpy as np
import pytest
from conftest import SCALED, WGMMA

import assay


def codes(unit, operand, shape, seed=0):
    """Any codes, NaN and infinity among them."""
    wanted = unit._format_of(operand)
    return np.random.default_rng(seed).integers(0, 1 << wanted.bits, shape, np.uint64).astype(wanted.codes_dtype)


def element(unit, a, b, c, scale_a=None, scale_b=None):
    """One element along K, an instruction after the other, each d the next one's c."""
    d = c
    for i in range(len(a) // unit.k):
        of, scale = slice(i * unit.k, (i + 1) * unit.k), slice(i * unit.scales, (i + 1) * unit.scales)
        scales = {} if scale_a is None else {"scale_a": scale_a[scale], "scale_b": scale_b[scale]}
        d = unit.dot(a[of], b[of], d, **scales)
    return d


def test_the_fact_that_tells_generations_apart(wgmma):
    one, c = np.uint16([0x3C00]), np.uint32(0xBF7FFFFF)
    assert wgmma.dot(one, one, c) == 0x33800000
    assert assay.instruction("volta:mma.m8n8k4.f32.f16.f16.f32").dot(one, one, c) == 0x34000000


def test_matmul_of_codes_is_its_dot_products(wgmma):
    a, b, c = codes(wgmma, "a", (5, 48)), codes(wgmma, "b", (48, 7), 1), codes(wgmma, "c", (5, 7), 2)
    d = wgmma.matmul(a, b, c)
    assert d.dtype == np.uint32
    expected = [[element(wgmma, a[i], b[:, j], c[i, j]) for j in range(7)] for i in range(5)]
    assert np.array_equal(d, expected)


def test_scales_go_along_k(scaled):
    m, n, k = 3, 4, 2 * scaled.k
    blocks = 2 * scaled.scales
    a, b, c = codes(scaled, "a", (m, k)), codes(scaled, "b", (k, n), 1), codes(scaled, "c", (m, n), 2)
    x, y = codes(scaled, "scale_a", (m, blocks), 3), codes(scaled, "scale_b", (blocks, n), 4)
    d = scaled.matmul(a, b, c, scale_a=x, scale_b=y)
    expected = [[element(scaled, a[i], b[:, j], c[i, j], x[i], y[:, j]) for j in range(n)] for i in range(m)]
    assert np.array_equal(d, expected)


def test_any_strides_are_used_where_they_lie(wgmma):
    a, b, c = codes(wgmma, "a", (6, 64)), codes(wgmma, "b", (32, 8), 1), codes(wgmma, "c", (3, 4), 2)
    views = a[::-2, ::2], b[:, ::2], c[::-1]
    d = wgmma.matmul(*views)
    assert np.array_equal(d, wgmma.matmul(*(view.copy() for view in views)))
    transposed = wgmma.matmul(np.asfortranarray(a[:3, :32]), np.asfortranarray(b))
    assert np.array_equal(transposed, wgmma.matmul(a[:3, :32], b))
    records = np.zeros((3, 32), [("pad", "u1"), ("code", "u2")])  # strides of 3 bytes
    records["code"] = a[:3, :32]
    assert np.array_equal(wgmma.matmul(records["code"], b), transposed)


def test_other_byte_order(wgmma):
    a, b = codes(wgmma, "a", (2, 16)), codes(wgmma, "b", (16, 2))
    assert np.array_equal(wgmma.matmul(a.astype(">u2"), b), wgmma.matmul(a, b))


SHAPES = [
    ((2, 3, 16), (16, 4)),
    ((3, 16), (2, 16, 4)),
    ((2, 1, 3, 16), (5, 16, 4)),
    ((16,), (16,)),
    ((16,), (2, 16, 4)),
    ((2, 3, 16), (16,)),
]


@pytest.mark.parametrize(("of_a", "of_b"), SHAPES)
def test_broadcasts_as_numpy_does(integers, of_a, of_b):
    a = np.random.default_rng(1).integers(-128, 128, of_a, np.int8)
    b = np.random.default_rng(2).integers(-128, 128, of_b, np.int8)
    expected = np.matmul(a.astype(np.int32), b.astype(np.int32))
    d = integers.matmul(a, b)
    assert d.dtype == np.int32 and np.shape(d) == np.shape(expected) and np.array_equal(d, expected)
    c = np.arange(expected.size, dtype=np.int32).reshape(expected.shape)
    assert np.array_equal(integers.matmul(a, b, c), expected + c)
    assert np.array_equal(integers.matmul(a, b, np.int32(3)), expected + 3)


def test_dot_broadcasts(integers):
    a = np.random.default_rng(1).integers(-128, 128, (4, 1, 16), np.int8)
    b = np.random.default_rng(2).integers(-128, 128, (3, 16), np.int8)
    expected = (a.astype(int) * b).sum(-1)
    assert np.array_equal(integers.dot(a, b), expected)
    assert np.array_equal(integers.dot(a[..., :5], b[..., :5]), (a[..., :5].astype(int) * b[..., :5]).sum(-1))


def test_floats_are_encoded_and_counted(wgmma):
    tally = assay.Tally()
    a = np.full((1, 16), 1.0 + 2**-20)
    assert wgmma.matmul(a, np.ones((16, 1)), tally=tally) == np.float32(16)
    assert tally.rounded == {"a": 16} and not tally.overflowed
    with pytest.warns(
        assay.OverflowWarning, match="16 of 16 elements of a lie beyond the ends of f16, which reaches from -65504 to 65504"
    ):
        assert np.isinf(wgmma.matmul(np.full((1, 16), 1e6), np.ones((16, 1)))[0, 0])


def test_results_are_of_the_kind_of_the_operands(wgmma):
    a, b = np.ones((2, 16), np.float16), np.ones((16, 2), np.float16)
    assert wgmma.matmul(a, b).dtype == np.float32
    assert wgmma.matmul(a.view(np.uint16), b.view(np.uint16)).dtype == np.uint32
    assert wgmma.matmul(a.view(np.uint16), b).dtype == np.float32


def test_ml_dtypes_come_and_go():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    unit = assay.instruction("hopper:wgmma.m64nNk32.f32.e4m3.e4m3")
    a = np.ones((2, 32), ml_dtypes.float8_e4m3fn)
    assert np.array_equal(unit.matmul(a, a.T), np.full((2, 2), 32, np.float32))
    narrow = assay.datapath(
        {
            "name": "narrow",
            "like": "fused_f25",
            "k": 32,
            "operands": {"a": "e4m3", "b": "e4m3", "c": "bf16", "d": "bf16"},
            "nan": "7fff",
            "adders": [{"name": "sum", "result": [{"format": "bf16", "cut": "toward_zero"}]}],
        }
    )
    assert narrow.matmul(a, a.T).dtype == ml_dtypes.bfloat16


def test_promotion_adds_in_f32(wgmma):
    a, b = (
        np.float16(np.random.default_rng(0).normal(size=(3, 128))),
        np.float16(np.random.default_rng(1).normal(size=(128, 4))),
    )
    c = np.float32(np.random.default_rng(2).normal(size=(3, 4)))
    total = np.zeros((3, 4), np.float32)
    for first in range(0, 128, 32):
        total = total + wgmma.matmul(a[:, first : first + 32], b[first : first + 32])
    assert np.array_equal(wgmma.matmul(a, b, c, promote_every=32), c + total)
    found = wgmma.matmul(a.view(np.uint16), b.view(np.uint16), promote_every=32)
    assert found.dtype == np.uint32 and np.array_equal(found.view(np.float32), total)


def test_runs_of_k_are_added_in_order(wgmma):
    a, b = codes(wgmma, "a", (3, 128)) & 0x9FFF, codes(wgmma, "b", (128, 4), 1) & 0x9FFF  # no NaN, no infinity
    c = np.float32(np.random.default_rng(2).normal(size=(3, 4)))
    runs = [wgmma.matmul(a[:, at : at + 32], b[at : at + 32]).view(np.float32) for at in range(0, 128, 32)]
    expected = ((runs[0] + runs[1]) + runs[2]) + runs[3]
    assert np.array_equal(wgmma.matmul(a, b, split_k=4), expected.view(np.uint32))
    assert not np.array_equal(wgmma.matmul(a, b, split_k=4), wgmma.matmul(a, b))
    assert np.array_equal(wgmma.matmul(a, b, split_k=1), wgmma.matmul(a, b))
    with_c = (((c + runs[0]) + runs[1]) + runs[2]) + runs[3]
    assert np.array_equal(wgmma.matmul(a, b, c, split_k=4), with_c.view(np.uint32))
    batched = wgmma.matmul(np.stack([a, a[::-1]]), b, c, split_k=4)
    assert np.array_equal(batched[0], with_c.view(np.uint32)) and not np.array_equal(batched[1], batched[0])


def test_runs_of_k_are_promoted_each(wgmma):
    a, b = codes(wgmma, "a", (3, 192)) & 0x9FFF, codes(wgmma, "b", (192, 4), 1) & 0x9FFF
    halves = [wgmma.matmul(a[:, at : at + 96], b[at : at + 96], promote_every=64) for at in (0, 96)]  # 64 and 32 each
    expected = halves[0].view(np.float32) + halves[1].view(np.float32)
    assert np.array_equal(wgmma.matmul(a, b, promote_every=64, split_k=2), expected.view(np.uint32))
    assert not np.array_equal(wgmma.matmul(a, b, promote_every=64), expected.view(np.uint32))


# Sums of runs, and what they are in the format of d, worked out by hand: rounded at the end alone, 2051 would be 2052.
ADDED = {
    "f16, ties to even": ("hopper:mma.m16n8k8.f16.f16.f16.f16", [2048.0, 1.0, 1.0], 2048.0),
    "f16, each sum rounded": ("hopper:mma.m16n8k8.f16.f16.f16.f16", [2048.0, 1.0, 2.0], 2050.0),
    "f16, too large": ("hopper:mma.m16n8k8.f16.f16.f16.f16", [65504.0, 16.0], np.inf),
    "f16, in order": ("hopper:mma.m16n8k8.f16.f16.f16.f16", [65504.0, 16.0, -65504.0], np.inf),
    "f64, ties to even": ("hopper:mma.m8n8k4.f64.f64.f64.f64", [2.0**53, 1.0, 1.0], 2.0**53),
    "f32, ties to even": ("hopper:mma.m16n8k8.f32.f16.f16.f32", [8192.0, 2.0**-11, 2.0**-11], 8192.0),
}


@pytest.mark.parametrize(("name", "runs", "expected"), ADDED.values(), ids=ADDED.keys())
def test_runs_of_k_are_added_in_the_format_of_d(name, runs, expected):
    unit = assay.instruction(name)
    a = np.zeros((1, unit.k * len(runs)))
    a[0, :: unit.k] = runs
    assert unit.matmul(a, np.ones((a.shape[1], 1)), split_k=len(runs))[0, 0] == expected


def test_runs_of_a_narrow_format_of_ones_own():
    unit = assay.datapath(
        {
            "name": "narrow",
            "like": "fused_f25",
            "k": 4,
            "operands": {"a": "bf16", "b": "bf16", "c": "bf16", "d": "bf16"},
            "nan": "7fff",
            "adders": [{"name": "sum", "result": [{"format": "bf16", "cut": "toward_zero"}]}],
        }
    )
    a = np.zeros((1, 12))
    a[0, ::4] = [256.0, 1.0, 3.0]  # bf16 has steps of 2 here: 256 + 1 is a tie, and 256 + 3 another
    d = unit.matmul(unit.a.encode(a).codes, unit.b.encode(np.ones((12, 1))).codes, split_k=3)
    assert d.dtype == np.uint16 and unit.d.decode(d)[0, 0] == 260


def test_into_takes_d_and_may_be_c(wgmma):
    a, b, c = codes(wgmma, "a", (4, 16)), codes(wgmma, "b", (16, 4)), codes(wgmma, "c", (4, 4))
    expected = wgmma.matmul(a, b, c)
    into = np.zeros((4, 8), np.uint32)[:, ::2]
    assert wgmma.matmul(a, b, c, into=into) is into and np.array_equal(into, expected)
    wgmma.matmul(a, b, c, into=c)
    assert np.array_equal(c, expected)


def test_pieces_make_the_whole(wgmma, monkeypatch):
    a, b, c = codes(wgmma, "a", (9, 32)), codes(wgmma, "b", (32, 11)), codes(wgmma, "c", (9, 11))
    whole = wgmma.matmul(a, b, c)
    for most in (32 * 3, 32 * 11 * 2, 1):  # part of a row, two rows, one element
        monkeypatch.setattr("assay._unit._FAST_PIECE", most)
        assert np.array_equal(wgmma.matmul(a, b, c), whole)
        assert np.array_equal(wgmma.matmul(a, b, c, threads=3), whole)


def test_changed_keys(wgmma):
    one, c = np.uint16([0x3C00]), np.uint32(0xBF7FFFFF)
    assert [wgmma.with_(F=f).dot(one, one, c) for f in (23, 24, 25)] == [0x34000000, 0x33800000, 0x33800000]
    both = wgmma.with_({"adders.sum.add.product.keep": 23, "adders.sum.add.acc.keep": 23})
    assert both == wgmma.with_(F=23) and hash(both) == hash(wgmma.with_(F=23)) and both != wgmma
    assert wgmma.with_() == wgmma
    assert wgmma.with_(k=8).k == 8


def test_a_datapath_as_file_text_and_dict(tmp_path):
    fields = {
        "name": "narrow",
        "like": "fused_f25",
        "k": 8,
        "operands": dict(zip("abcd", ["f16", "f16", "f32", "f32"], strict=True)),
    }
    text = "name: narrow\nlike: fused_f25\nk: 8\noperands: {a: f16, b: f16, c: f32, d: f32}\n"
    file = tmp_path / "narrow.yaml"
    file.write_text(text)
    units = [assay.datapath(given) for given in (fields, text, file, str(file))]
    assert all(unit == units[0] and unit.k == 8 for unit in units)


def test_own_formats_reach_a_unit():
    unit = assay.datapath(
        "name: own\nlike: fused_f25\nk: 4\n"
        "formats: {e4m2: {exponent: 4, mantissa: 2, bias: 7, infinity: false, nan: none, signed_zero: true}}\n"
        "operands: {a: e4m2, b: e4m2, c: f32, d: f32}\n"
    )
    assert unit.a.name == "e4m2" and unit.a.finfo.max == 448
    assert unit.matmul(np.full((1, 4), 1.25), np.ones((4, 1)))[0, 0] == 5


def test_units_are_pickled(wgmma):
    narrow = wgmma.with_(F=20)
    for unit in (wgmma, narrow, assay.instruction(SCALED)):
        again = pickle.loads(pickle.dumps(unit))
        assert again == unit and again.k == unit.k
    assert pickle.loads(pickle.dumps(assay.format("e4m3"))) == assay.format("e4m3")


def test_a_name_without_its_architecture():
    assert assay.instruction("tdpbf16ps").name == "x86:tdpbf16ps"
    assert assay.instruction(WGMMA).name == WGMMA
