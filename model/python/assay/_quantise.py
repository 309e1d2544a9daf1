"""Real numbers as operands of a unit of narrow formats: scales for blocks of them, and one for the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._formats import Format, as_array, as_numbers
from ._library import Error
from ._unit import Unit

_NARROW_BITS = 8  # formats of no more get a factor for the whole tensor
_EXPONENTS = -1074, 1023  # of a double's powers of two


@dataclass(frozen=True)
class Quantised:
    """values ~ codes x scales x factor; `factor` is a power of two."""

    codes: NDArray[Any]
    scales: NDArray[Any] | None
    factor: float


def quantise(unit: Unit, operand: str, values: ArrayLike) -> Quantised:
    """Numbers as the operand "a" (... x m x K) or "b" (... x K x n) of a product, with what the unit demands beside them.

    Integers, and floats of 8 bits and fewer, are used to their greatest number: the whole tensor is divided by a power of two; by
    a greater one where a row of A, or a column of B, is so long (as a vector) that D could not hold a product of two such. Where
    the unit has scales, each block along K has its own: a power of two by the rule of OCP MX where scales are powers of two, else
    the block's greatest number over that of the format. What is then beyond the format's greatest number becomes that number. A
    format without negative numbers takes none.

    >>> import assay, numpy as np
    >>> u = assay.instruction("hopper:wgmma.m64nNk32.f32.e4m3.e4m3")
    >>> q = assay.quantise(u, "a", np.full((1, 32), 1e6))
    >>> q.factor, u.a.decode(q.codes)[0, 0] * q.factor
    (4096.0, np.float64(983040.0))
    """
    if operand not in ("a", "b"):
        raise Error(f"'{operand}' cannot be quantised; 'a' and 'b' can.")
    given = as_array(values, operand)
    of = unit.a if operand == "a" else unit.b
    if of.takes_as_codes(given) or not (of.is_integer or of.bits <= _NARROW_BITS):
        if unit.scale is not None:
            raise Error(f"{operand} has dtype {given.dtype}; numbers are floats.")
        return Quantised(unit.encode(operand, given), None, 1.0)
    numbers = as_numbers(given, operand)
    if not np.isfinite(numbers).all():
        raise Error(f"{operand} has a NaN or an infinity, which no scale makes fit {of.name}.")
    if of.finfo.min >= 0 and numbers.min(initial=0.0) < 0:
        raise Error(
            f"{operand} has negative numbers, which {of.name} has not; make them positive, or take another unit."
        )
    along = np.swapaxes(numbers, -1, -2) if operand == "b" and numbers.ndim > 1 else numbers
    codes, scales, factor = _whole(unit, of, along) if unit.scale is None else _in_blocks(unit, of, unit.scale, along)
    if along is not numbers:
        codes, scales = np.swapaxes(codes, -1, -2), None if scales is None else np.swapaxes(scales, -1, -2)
    return Quantised(codes, scales, factor)


def _whole(unit: Unit, of: Format, along: NDArray[np.float64]) -> tuple[NDArray[Any], None, float]:
    factor = _held(unit, of, along, _power(_top(along), of.finfo.max))
    return _codes(of, along / factor), None, factor


def _in_blocks(
    unit: Unit, of: Format, scale: Format, along: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any], float]:
    if along.ndim < 2 or along.shape[-1] % unit.k:
        raise Error(
            f"K is {along.shape[-1] if along.ndim else 0}, which is no multiple of the {unit.k} terms of {unit.name}."
        )
    blocks = along.reshape(*along.shape[:-1], -1, unit.k // unit.scales)
    top = np.abs(blocks).max(-1, initial=0.0)
    least = scale.finfo.smallest_subnormal or 0.0
    if scale.finfo.nmant == 0:
        shared = _floor_log2(np.where(top > 0, top, 1.0)) - _floor_log2(of.finfo.max)
        # ue8m0 reaches every number of an f32, but of an f64 it does not: then the whole tensor is divided as well.
        greatest = shared[top > 0].max() if top.any() else 0
        beyond = greatest - np.clip(greatest, _floor_log2(least), _floor_log2(scale.finfo.max))
        factor = _held(unit, of, along, _power_of(beyond))
        wanted = np.ldexp(1.0, shared - _floor_log2(factor))
    else:
        factor = _held(unit, of, along, _power(_top(along), of.finfo.max * scale.finfo.max))
        wanted = np.maximum(top / factor / of.finfo.max, least)
    scales = scale.encode(wanted).codes
    held = blocks / factor / scale.decode(scales)[..., np.newaxis]
    return _codes(of, held).reshape(along.shape), scales, factor


def _codes(of: Format, numbers: NDArray[np.float64]) -> NDArray[Any]:
    """The nearest numbers that are finite."""
    return of.encode(np.clip(numbers, of.finfo.min, of.finfo.max)).codes


def _top(numbers: NDArray[np.float64]) -> float:
    return float(np.abs(numbers).max(initial=0.0))


def _held(unit: Unit, of: Format, along: NDArray[np.float64], factor: float) -> float:
    """The factor, or a greater one for D: no sum of products exceeds the length of its row times that of its column."""
    lengths = np.sqrt(np.square(along / factor).sum(-1)) if along.ndim else along / factor
    rounded_up = 1 + (of.finfo.eps or 0.0) / 2
    return factor * max(_power(_top(lengths) * rounded_up, float(np.sqrt(unit.d.finfo.max))), 1.0)


def _power(top: float, greatest: float) -> float:
    """The least power of two, 1 of zeros, that `top` is divided by so as to be at most `greatest`."""
    if top == 0.0:
        return 1.0
    (part, exponent), (greatest_part, greatest_exponent) = np.frexp(top), np.frexp(greatest)
    return _power_of(int(exponent) - int(greatest_exponent) + int(part > greatest_part))


def _power_of(exponent: float) -> float:
    return float(np.ldexp(1.0, int(np.clip(exponent, *_EXPONENTS))))


def _floor_log2(numbers: Any) -> Any:
    return np.frexp(numbers)[1] - 1
