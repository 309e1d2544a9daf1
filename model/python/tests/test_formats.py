"""Formats against ml_dtypes, which shares nothing with them, and against NumPy."""

import numpy as np
import pytest

import assay

ml_dtypes = pytest.importorskip("ml_dtypes")
BOTH = [name for name in assay.formats() if assay.format(name).dtype is not None]
SMALL = [name for name in BOTH if assay.format(name).bits <= 16]


def test_most_formats_have_a_dtype():
    without = set(assay.formats()) - set(BOTH)
    assert {"tf32", "ue4m3", "hif8", "nf4", "posit8_2", "Binary8p3se"} <= without
    assert not without & {"f32", "bf16", "e4m3", "e5m2", "ue8m0", "i8", "i4"}


@pytest.mark.parametrize("name", SMALL)
def test_every_code_is_that_of_ml_dtypes(name):
    f = assay.format(name)
    codes = f.all_codes
    theirs = codes.view(f.dtype).astype(np.float64)
    assert len(codes) == 1 << f.bits
    assert np.array_equal(f.decode(codes), theirs, equal_nan=True)
    assert np.array_equal(np.signbit(f.decode(codes))[theirs == 0], np.signbit(theirs)[theirs == 0])


def between(f):
    """Every number of the format, what lies half way between two, and a hair to either side.

    The hair is one of float32, by which ml_dtypes goes: of float64, what lies nearer to a tie it rounds twice.
    """
    values = np.unique(f.decode(f.all_codes[:: max(1, len(f.all_codes) // 4096)]))
    values = values[np.isfinite(values)]
    middles = (values[1:] + values[:-1]) / 2
    hair = [np.nextafter(middles.astype(np.float32), np.float32(end)) for end in (np.inf, -np.inf)]
    return np.concatenate([values, middles, *hair]).astype(np.float64)


@pytest.mark.parametrize("name", [name for name in SMALL if assay.format(name).finfo.nmant and name != "bf16"])
def test_rounding_is_that_of_ml_dtypes(name):
    f = assay.format(name)
    values = between(f)
    theirs = values.astype(f.dtype).view(f.codes_dtype)
    encoding = f.encode(values)
    assert np.array_equal(encoding.codes, theirs)
    assert encoding.rounded == np.count_nonzero(f.decode(theirs) != values) and encoding.overflowed == 0


def test_doubles_are_rounded_once():
    # ml_dtypes goes from float64 to bfloat16 by float32; 1 + 2^-8 + 2^-40 is above the tie, and float32 has it on the tie.
    assert assay.format("bf16").decode(assay.format("bf16").encode(1 + 2**-8 + 2**-40).codes) == 1 + 2**-7
    assert assay.format("bf16").decode(assay.format("bf16").encode(1 + 2**-8).codes) == 1
    x = np.random.default_rng(0).normal(size=1000)
    assert np.array_equal(assay.format("f32").encode(x).codes, x.astype(np.float32).view(np.uint32))
    assert np.array_equal(assay.format("f64").encode(x).codes, x.view(np.uint64))


@pytest.mark.parametrize("name", ["e4m3", "e5m2", "f16", "e2m1", "bf16", "e3m2"])
def test_finfo_is_that_of_ml_dtypes(name):
    ours, theirs = assay.format(name).finfo, ml_dtypes.finfo(assay.format(name).dtype)
    assert (ours.max, ours.min, ours.bits, ours.nmant) == (
        float(theirs.max),
        float(theirs.min),
        theirs.bits,
        theirs.nmant,
    )
    assert (ours.eps, ours.smallest_normal) == (float(theirs.eps), float(theirs.smallest_normal))
    assert ours.smallest_subnormal == float(theirs.smallest_subnormal)


def test_what_is_too_large():
    for name, code in {"f16": 0x7C00, "e4m3": 0x7E, "e5m2": 0x7C, "e2m1": 0x7}.items():
        encoding = assay.format(name).encode([1e30, np.inf])
        assert list(encoding.codes) == [code, code] and encoding.overflowed == (
            1 if assay.format(name).finfo.infinity else 2
        )
    integers = assay.format("i8").encode([127.4, 127.6, -128.5, -129, 2.5, 3.5])
    assert list(integers.codes.view(np.int8)) == [127, 127, -128, -128, 2, 4]
    assert (integers.rounded, integers.overflowed) == (6, 4)
    widest = assay.format("i64").encode([2.0**63, 2.0**64, -(2.0**63), -(2.0**64)])  # the greatest is 2^63 as a double
    assert list(widest.codes.view(np.int64)) == [2**63 - 1, 2**63 - 1, -(2**63), -(2**63)]
    assert (widest.rounded, widest.overflowed) == (3, 3)
    scales = assay.format("ue8m0").encode([0.0, 3.0, 2.9, -1.0])
    assert list(scales.codes) == [0, 128, 128, 0] and scales.overflowed == 2


def test_signs_of_zeros_and_nan():
    assert list(assay.format("f16").encode([-0.0, -1e-30, np.nan]).codes) == [0x8000, 0x8000, 0x7E00]
    assert list(assay.format("e4m3fnuz").encode([-0.0, np.nan]).codes) == [0, 0x80]


@pytest.mark.parametrize("name", assay.formats())
def test_every_number_survives(name):
    f = assay.format(name)
    codes = f.all_codes if f.bits <= 16 else np.arange(0, 1 << 32, 65_521, np.uint64).astype(f.codes_dtype)
    values = f.decode(codes)
    kept = ~np.isnan(values)
    encoding = f.encode(values[kept])
    assert encoding.rounded == 0 and np.array_equal(f.decode(encoding.codes), values[kept])


def test_names():
    assert assay.format("float8_e4m3fn") == assay.format("e4m3")
    with pytest.raises(assay.Error, match=r"There is no format .*'e9m9'.*; there are f64, f32"):
        assay.format("e9m9")
