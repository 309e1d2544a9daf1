"""Number formats: codes to numbers and back."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import weakref
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library as lib
from ._catalogue import catalogue
from ._library import Error

_CODES: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.uint8),
    2: np.dtype(np.uint16),
    4: np.dtype(np.uint32),
    8: np.dtype(np.uint64),
}
_TABLE_BITS = 16  # formats of no more are decoded by a table of all codes


@dataclass(frozen=True)
class Encoding:
    """Codes of floats, and how many of these no code is equal to."""

    codes: NDArray[Any]
    rounded: int  # values that became another number
    overflowed: int  # of these: beyond the format's greatest or least number


@dataclass(frozen=True)
class FormatInfo:
    """What np.finfo and np.iinfo say of a dtype."""

    bits: int
    max: float
    min: float
    eps: float | None
    smallest_normal: float | None
    smallest_subnormal: float | None
    nmant: int
    nexp: int
    infinity: bool
    nan: bool


class Format:
    """A number format.

    >>> import assay
    >>> e4m3 = assay.format("e4m3")
    >>> e4m3.encode([1.0, 0.3, 1e6]).codes
    array([ 56,  42, 126], dtype=uint8)
    >>> e4m3.decode([56, 42, 126])
    array([1.000e+00, 3.125e-01, 4.480e+02])
    """

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle
        weakref.finalize(self, lib.closer("format_close", handle)).atexit = False
        self.facts: dict[str, Any] = json.loads(lib.text_of("format_facts", handle)[0])
        self.name: str = self.facts["name"]
        self.bits: int = self.facts["bits"]
        self.codes_dtype = _CODES[self.facts["bytes"]]

    def __repr__(self) -> str:
        return f"assay.format({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and self.facts == other.facts

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return format, (self.name,)

    @property
    def is_integer(self) -> bool:
        return bool(self.facts["kind"] == "integer")

    @functools.cached_property
    def finfo(self) -> FormatInfo:
        f = self.facts
        return FormatInfo(
            bits=f["bits"],
            max=f["max"],
            min=f["min"],
            eps=f.get("eps"),
            smallest_normal=f.get("smallest_normal"),
            smallest_subnormal=f.get("smallest_subnormal"),
            nmant=f["mantissa_bits"],
            nexp=f["exponent_bits"],
            infinity=f["infinity"],
            nan=f["nan"],
        )

    @functools.cached_property
    def dtype(self) -> np.dtype[Any] | None:
        """The dtype whose elements have this format's bits: NumPy's own, else that of ml_dtypes where it is installed."""
        name = self.facts["ml_dtypes"]
        if not name:
            return None
        with contextlib.suppress(TypeError):
            own: np.dtype[Any] = np.dtype(name)
            return own
        try:
            import ml_dtypes
        except ImportError:
            return None
        kind: Any = getattr(ml_dtypes, name, None)
        if kind is None:
            return None
        found: np.dtype[Any] = np.dtype(kind)
        return found

    @functools.cached_property
    def all_codes(self) -> NDArray[Any]:
        """Every code, in order; of formats of at most 16 bits."""
        if self.bits > _TABLE_BITS:
            raise Error(
                f"{self.name} has 2^{self.bits} codes; all of them are listed for formats of 16 bits and fewer."
            )
        return np.arange(1 << self.bits, dtype=self.codes_dtype)

    @functools.cached_property
    def _values(self) -> NDArray[np.float64]:
        values = self._decoded(self.all_codes)
        values.setflags(write=False)
        return values

    def decode(self, codes: ArrayLike) -> NDArray[np.float64]:
        """The numbers of codes, exactly, as float64."""
        array = self.as_codes(codes, "codes")
        if self.bits <= _TABLE_BITS:
            return np.asarray(self._values[array])
        return self._decoded(array)

    def _decoded(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        codes = np.asarray(codes, order="C")
        if self.dtype in (np.float32, np.float64):  # whose numbers are all of a double
            with np.errstate(invalid="ignore"):
                return codes.view(self.dtype).astype(np.float64)
        values = np.empty(codes.shape, np.float64)
        lib.call("format_decode", self._handle, codes.size, buffer(codes), values.ctypes.data)
        return values

    def encode(self, values: ArrayLike) -> Encoding:
        """The nearest codes of numbers, ties to even.

        What is too large becomes an infinity where the format has one, else the greatest number. A NaN is refused where
        the format has none.
        """
        array = as_numbers(values, "values")
        codes = np.empty(array.shape, self.codes_dtype)
        tally = lib.Encoded()
        lib.call("format_encode", self._handle, array.size, array.ctypes.data, buffer(codes), byref(tally))
        return Encoding(codes, tally.rounded, tally.overflowed)

    def as_codes(self, codes: ArrayLike, name: str) -> NDArray[Any]:
        """An array whose elements are this format's bits, without a copy where it is one already."""
        integers = plain_integers(codes)
        if integers is not None:
            return self._codes_of_integers(integers, name)
        array = as_array(codes, name)
        if array.dtype == self.codes_dtype:
            self._refuse_high_bits(array, name)
            return array
        if self._has_our_bits(array.dtype):
            return bits_of(array)
        raise Error(
            f"{name} has dtype {array.dtype}; codes of {self.name} are {self.codes_dtype}"
            + (f" or {self.dtype}." if self.dtype is not None else ".")
        )

    def _has_our_bits(self, dtype: np.dtype[Any]) -> bool:
        return self.dtype is not None and dtype == self.dtype

    def _codes_of_integers(self, array: NDArray[Any], name: str) -> NDArray[Any]:
        if array.size and (array.min() < 0 or int(array.max()) >> self.bits):
            raise Error(f"{name} has a code that is not 0 to 2^{self.bits} - 1; {self.name} has {self.bits} bits.")
        return array.astype(self.codes_dtype)

    def _refuse_high_bits(self, array: NDArray[Any], name: str) -> None:
        if self.bits < 8 * self.codes_dtype.itemsize and array.size and int(array.max()) >> self.bits:
            raise Error(f"{name} has bits above the {self.bits} of {self.name}.")

    def takes_as_codes(self, array: NDArray[Any]) -> bool:
        return array.dtype == self.codes_dtype or self._has_our_bits(array.dtype)

    def as_values(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Codes as an array of numbers: of the dtype that has these bits, else of float64."""
        if self.dtype is not None:
            return codes.view(self.dtype)
        return self.decode(codes)


def plain_integers(given: ArrayLike) -> NDArray[Any] | None:
    """Plain ints in lists of any depth, as they are; None where it is anything else.

    NumPy makes floats of a list in which some ints need 64 bits and some do not.
    """
    if hasattr(given, "dtype"):
        return None
    try:
        array = np.array(given, dtype=object)
    except ValueError:  # lists of several lengths
        return None
    are_ints = all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in array.flat)
    return array if array.size and are_ints else None


def as_array(given: ArrayLike, name: str) -> NDArray[Any]:
    if np.ma.is_masked(given):
        raise Error(f"{name} has masked elements, which have no number; give them one with `.filled()`.")
    try:
        array = np.asarray(given)
    except Exception as error:  # noqa: BLE001 - of whoever made the object
        raise Error(f"{name} is no array: {error}") from None
    if array.dtype.kind == "O":
        raise Error(f"{name} has dtype object; it must be codes or floats in an array of one shape.")
    integers = plain_integers(given) if array.dtype.kind == "f" else None
    if integers is not None and any(int(x) != float(x) for x in integers.flat):
        raise Error(f"{name} has integers beyond 2^53, which no float64 holds.")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def as_numbers(given: ArrayLike, name: str) -> NDArray[np.float64]:
    """Numbers as contiguous float64, which holds every one of them exactly; else an error."""
    array = as_array(given, name)
    # ml_dtypes' own have kind V, or f where they are said to be floats.
    if array.dtype.kind in "cSUMmb" or array.dtype == np.dtype(np.longdouble) or array.dtype.names:
        raise Error(f"{name} has dtype {array.dtype}; it must be codes, or floats of at most 64 bits.")
    try:
        numbers = np.asarray(array, np.float64, order="C")
    except (TypeError, ValueError):
        raise Error(f"{name} has dtype {array.dtype}, which NumPy does not turn into float64.") from None
    if (
        array.dtype.kind in "iu"
        and array.dtype.itemsize == 8
        and not np.array_equal(numbers.astype(array.dtype), array)
    ):
        raise Error(f"{name} has integers beyond 2^53, which no float64 holds.")
    return numbers


def bits_of(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(_CODES[array.dtype.itemsize])


def buffer(array: NDArray[Any]) -> lib.Buffer:
    return lib.Buffer(ctypes.c_void_p(array.ctypes.data), array.nbytes)


def format(name: str) -> Format:
    """A format by our name or that of ml_dtypes; `formats()` lists them.

    >>> import assay
    >>> assay.format("bfloat16").finfo.max
    3.3895313892515355e+38
    """
    return Format(lib.opened("format_open", catalogue(), lib.c_text(name)))


def formats() -> list[str]:
    """The names of all formats of the catalogue."""
    names: list[str] = json.loads(lib.text_of("catalogue_formats", catalogue())[0])
    return names
