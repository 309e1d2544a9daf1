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


@dataclass(frozen=True)
class Quantised:
    """values ~ codes x scales x factor; `factor` is a power of two."""

    codes: NDArray[Any]
    scales: NDArray[Any] | None
    factor: float


def quantise(unit: Unit, operand: str, values: ArrayLike) -> Quantised:
    """Numbers as the operand "a" (... x m x K) or "b" (... x K x n) of a product, with what the unit demands beside them.

    Formats of 8 bits and fewer are used to their greatest number: the whole tensor is divided by a power of two. Where the unit has
    scales, each block along K has its own: a power of two by the rule of OCP MX where scales are powers of two, else the block's
    greatest number over that of the format.

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
    if of.bits > _NARROW_BITS or of.is_integer or of.takes_as_codes(given):
        if unit.scale is not None:
            raise Error(f"{operand} has dtype {given.dtype}; numbers are floats.")
        return Quantised(unit.encode(operand, given), None, 1.0)
    numbers = as_numbers(given, operand)
    if not np.isfinite(numbers).all():
        raise Error(f"{operand} has a NaN or an infinity, which no scale makes fit {of.name}.")
    if unit.scale is None:
        factor = _factor(numbers, of.finfo.max)
        return Quantised(of.encode(numbers / factor).codes, None, factor)
    along = np.swapaxes(numbers, -1, -2) if operand == "b" else numbers
    codes, scales, factor = _in_blocks(unit, of, unit.scale, along)
    if operand == "b":
        codes, scales = np.swapaxes(codes, -1, -2), np.swapaxes(scales, -1, -2)
    return Quantised(codes, scales, factor)


def _factor(numbers: NDArray[np.float64], greatest: float) -> float:
    top = float(np.abs(numbers).max(initial=0.0))
    return float(2.0 ** np.ceil(np.log2(top / greatest))) if top > 0 else 1.0


def _in_blocks(
    unit: Unit, of: Format, scale: Format, along: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any], float]:
    if along.ndim < 2 or along.shape[-1] % unit.k:
        raise Error(
            f"K is {along.shape[-1] if along.ndim else 0}, which is no multiple of the {unit.k} terms of {unit.name}."
        )
    blocks = along.reshape(*along.shape[:-1], -1, unit.k // unit.scales)
    top = np.abs(blocks).max(-1)
    if scale.finfo.nmant == 0:
        factor = 1.0
        exponent = np.floor(np.log2(np.where(top > 0, top, 1.0))) - np.floor(np.log2(of.finfo.max))
        wanted = np.exp2(exponent)
    else:
        factor = _factor(along, of.finfo.max * scale.finfo.max)
        wanted = np.maximum(top / factor / of.finfo.max, scale.finfo.smallest_subnormal or 0.0)
    scales = scale.encode(wanted).codes
    held = blocks / (scale.decode(scales)[..., np.newaxis] * factor)
    return of.encode(held).codes.reshape(along.shape), scales, factor
