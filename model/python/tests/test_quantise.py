"""assay.quantise: scales and factors, and where they end."""

import numpy as np
import pytest

import assay

MX = "rtx_blackwell:mma.m16n8k32.block32.f32.{0}.{0}.f32.ue8m0"
FP8, FP8_INTO_F16 = (f"hopper:wgmma.m64nNk32.{d}.e4m3.e4m3" for d in ("f32", "f16"))
BYTES, NIBBLES, UNSIGNED = (
    f"ada:mma.{shape}.s32.{a}.{b}.s32"
    for shape, a, b in (("m8n8k16", "s8", "s8"), ("m8n8k32", "s4", "s4"), ("m8n8k16", "u8", "s8"))
)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def values(unit, operand, quantised):
    """What codes, scales and factor stand for."""
    numbers = getattr(unit, operand).decode(quantised.codes) * quantised.factor
    if quantised.scales is None:
        return numbers
    scales = unit.scale.decode(quantised.scales)
    return numbers * np.repeat(scales, unit.k // unit.scales, axis=-1 if operand == "a" else -2)


def product(unit, a, b):
    qa, qb = assay.quantise(unit, "a", a), assay.quantise(unit, "b", b)
    d = unit.d.decode(unit.matmul(qa.codes, qb.codes, scale_a=qa.scales, scale_b=qb.scales))
    return d * qa.factor * qb.factor


def error(unit, a, b):
    return np.linalg.norm(product(unit, a, b) - a @ b) / np.linalg.norm(a @ b)


@pytest.mark.parametrize("greatest, element", [(1.0, 0x78), (1.75, 0x7B), (1.8, 0x7B), (1.875, 0x7B), (-1.99, 0xFB)])
def test_mx_ends_at_the_greatest_normal_number(greatest, element):
    """By its rule the shared exponent is floor(log2 max) - emax; elements beyond the format's end are clamped to it."""
    unit = assay.instruction(MX.format("e5m2"))
    block = np.zeros((1, 32))
    block[0, :2] = greatest, 0.5
    q = assay.quantise(unit, "a", block)
    assert q.codes[0, 0] == element and q.factor == 1 and unit.scale.decode(q.scales)[0, 0] == 2.0**-15


@pytest.mark.parametrize(
    "name",
    [
        MX.format("e5m2"),
        "p3109_draft_4_0:BlockDotProduct.b32.f32.Binary8p4se.Binary8p4se.Binary8p1uf",
        "p3109_draft_4_0:BlockDotProduct.b32.f32.Binary8p3se.Binary8p4se.Binary8p1uf",
    ],
)
def test_no_scaled_block_makes_an_infinity(name):
    unit = assay.instruction(name)
    a, b = normal(64, 64), normal(64, 64, seed=1)
    assert unit.a.finfo.infinity and np.isfinite(values(unit, "a", assay.quantise(unit, "a", a))).all()
    assert error(unit, a, b) < 0.15


@pytest.mark.parametrize("name, within", [(BYTES, 0.02), (NIBBLES, 0.4)])
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e6])
def test_integers_are_scaled_to_their_greatest_number(name, within, size):
    unit = assay.instruction(name)
    a, b = normal(8, 64) * size, normal(64, 8, seed=1)
    q = assay.quantise(unit, "a", a)
    assert unit.a.finfo.max / 2 < np.abs(unit.a.decode(q.codes)).max() <= unit.a.finfo.max
    assert np.log2(q.factor) % 1 == 0 and error(unit, a, b) < within


def test_unsigned_integers_have_no_negative_numbers():
    unit = assay.instruction(UNSIGNED)
    a, b = np.abs(normal(8, 64)) / 100, normal(64, 8, seed=1)
    assert error(unit, a, b) < 0.02
    with pytest.raises(assay.Error, match="a has negative numbers, which u8 has not"):
        assay.quantise(unit, "a", -a)


def test_codes_of_integers_stay_as_they_are():
    q = assay.quantise(assay.instruction(BYTES), "a", np.int8([[-3] * 16]))
    assert q.factor == 1 and (q.codes == 0xFD).all()


def test_integers_have_scales_of_blocks_too():
    unit = assay.datapath(
        {
            "name": "blocks of integers",
            "k": 64,
            "operands": {
                "a": "mxint8",
                "b": "mxint8",
                "c": "f32",
                "d": "f32",
                "scale": {"format": "ue8m0", "block": 32},
            },
            "specials": "step",
            "adders": [
                {"name": "block", "add": {"product": "exact"}, "group": {"terms": 32}, "times": "scales"},
                {
                    "name": "sum",
                    "add": {"block": "exact", "acc": "exact"},
                    "result": [{"format": "d", "cut": "nearest_even"}],
                },
            ],
        }
    )
    assert error(unit, normal(8, 128), normal(128, 8, seed=1)) < 0.02


@pytest.mark.parametrize("k", [64, 2048])
def test_a_narrow_d_holds_the_product(k):
    unit = assay.instruction(FP8_INTO_F16)
    ones = np.ones((1, k))
    assert product(unit, ones, ones.T) == k
    assert error(unit, normal(16, k), normal(k, 16, seed=1)) < 0.05
    # A D that is wide enough changes nothing: the tensor is used to e4m3's greatest number.
    assert assay.quantise(assay.instruction(FP8), "a", ones).factor == 2.0**-8
    assert assay.quantise(unit, "a", ones).factor > 2.0**-8


@pytest.mark.parametrize("name", [FP8, BYTES, MX.format("e5m2")])
@pytest.mark.parametrize("size", [4 * 5e-324, 1e-320, 1e-300, 1e300])
def test_the_ends_of_f64_are_numbers_still(name, size):
    unit = assay.instruction(name)
    given = np.zeros((1, 32))
    given[0, :2] = size, -size
    found = values(unit, "a", assay.quantise(unit, "a", given))
    assert np.allclose(found / size, given / size, rtol=0.13)
