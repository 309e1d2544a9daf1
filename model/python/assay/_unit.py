"""Units: an instruction of the catalogue or a datapath of one's own, on whole arrays."""

from __future__ import annotations

import json
import os
import shlex
import warnings
import weakref
from collections.abc import Iterator, Mapping
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library as lib
from ._catalogue import catalogue, instructions
from ._formats import Format, as_array, as_numbers, buffer, format
from ._library import Error

_FORMATS = {"a": 0, "b": 1, "c": 2, "d": 3, "scale": 4}  # of assay_operand

# Multiply-accumulates that are done within a fraction of a second, by what runs them (`path`): a product is cut into pieces
# of so many, between which Python handles signals.
_PIECE = {"core": 4e6, "64-bit lanes": 2e8}
_FAST_PIECE = 2e9


_SCALES = ("scale_a", "scale_b")

# A sum that f64 rounds, rounded once more to so many mantissa bits, is the sum rounded once: 2 x (24 + 1) + 2 < 53.
_TWICE_ROUNDED = 24


class OverflowWarning(UserWarning):
    """Floats were encoded that lie beyond the format's greatest number."""


@dataclass
class Tally:
    """What became of floats that were encoded on the way: hand it to `dot` or `matmul` as `tally`.

    >>> import assay
    >>> u, tally = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"), assay.Tally()
    >>> u.matmul([[0.1] * 16], [[1e5]] * 16, tally=tally)
    array([[inf]], dtype=float32)
    >>> tally
    Tally(rounded={'a': 16, 'b': 16}, overflowed={'b': 16})
    """

    rounded: dict[str, int] = field(default_factory=dict)
    overflowed: dict[str, int] = field(default_factory=dict)

    def _add(self, name: str, rounded: int, overflowed: int) -> None:
        for counts, count in ((self.rounded, rounded), (self.overflowed, overflowed)):
            if count:
                counts[name] = counts.get(name, 0) + count


class Unit:
    """One instruction, or one datapath of one's own. It never changes; any number of threads may use it.

    `a`, `b`, `c`, `d` and `scale` are its formats (`scale` is None where it has no scales), `k` the terms of one of its dot
    products, `scales` the scales of one on each side. `more` has the format of each further operand that a case takes, by
    name: scales of one side, zero points, random words.
    """

    def __init__(
        self, handle: c_void_p, name: str, source: tuple[str, str] | None = None, option: str = "--datapath FILE.yaml"
    ) -> None:
        self._handle = handle
        weakref.finalize(self, lib.closer("unit_close", handle)).atexit = False
        self._source = source or ("text", self.yaml)
        self._option = option  # what names it in a command
        self.name = name
        self.k: int = lib.fact("unit_k", handle)
        self.scales: int = lib.fact("unit_scales", handle)
        self.sha256: str = lib.fact("unit_sha256", handle)
        self.path: str = lib.fact("unit_path", handle)
        formats = {
            operand: Format(lib.opened("format_of", handle, number))
            for operand, number in _FORMATS.items()
            if operand != "scale" or self.scales
        }
        self._formats = formats
        self.a, self.b, self.c, self.d = (formats[name] for name in "abcd")
        self.scale: Format | None = formats.get("scale")
        self._more = [str(lib.fact("unit_more_name", handle, i)) for i in range(lib.fact("unit_more", handle))]
        self.more: Mapping[str, Format] = MappingProxyType(
            {name: Format(lib.opened("format_of_more", handle, i)) for i, name in enumerate(self._more)}
        )
        scales = {"scale_a": self.scale, "scale_b": self.scale} if self.scale else {}
        # Of each operand its format, and how many of it one dot product takes along the last axis; of c none has that axis.
        self._operands: dict[str, Format] = {"a": self.a, "b": self.b, "c": self.c, **scales, **self.more}
        self._lengths = {"a": self.k, "b": self.k, "c": 0} | dict.fromkeys(scales, self.scales)
        self._lengths |= {name: lib.fact("unit_more_codes", handle, i) for i, name in enumerate(self._more)}
        # Of what of a product each is: of a row of A, a column of B or an element of D.
        self._owners = {"a": "a", "b": "b", "c": "d", "scale_a": "a", "scale_b": "b"}
        self._owners |= {name: str(lib.fact("unit_more_owner", handle, i)) for i, name in enumerate(self._more)}
        self._made = True

    def __setattr__(self, name: str, value: object) -> None:
        if "_made" in self.__dict__:
            raise AttributeError(f"A unit never changes: its {name} stays as it is, and `with_` makes another unit.")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A unit never changes: its {name} stays.")

    def __repr__(self) -> str:
        types = f"{self.a.name} x {self.b.name} + {self.c.name} -> {self.d.name}"
        scales = f", {self.scales} scales of {self.scale.name} a side" if self.scale else ""
        more = "".join(f", {self._lengths[name]} {of.name} as {name}" for name, of in self.more.items())
        return f"<assay.Unit {self.name}: {self.k} terms, {types}{scales}{more}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and (self.sha256, self._formats) == (other.sha256, other._formats)

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __reduce__(self) -> Any:
        kind, text = self._source
        return (instruction if kind == "instruction" else datapath), (text,)

    @property
    def families(self) -> list[str]:
        """The families of generated cases that take turns for this unit."""
        names: list[str] = json.loads(lib.text_of("unit_families", self._handle)[0])
        return names

    @property
    def yaml(self) -> str:
        """The datapath as the text of a file, without `like`."""
        return lib.text_of("unit_text", self._handle)[0]

    def with_(self, settings: Mapping[str, Any] | None = None, /, **keys: Any) -> Unit:
        """The unit with some keys of its datapath changed, named as docs/datapath.md nests them.

        F stands for the `keep` of every input of every adder that has one: the fraction bits of the accumulation.

        >>> import assay, numpy as np
        >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
        >>> hex(u.with_(F=20).dot(np.uint16([0x3c00]), np.uint16([0x3c00]), np.uint32(0xbf7fffff)))
        '0x35800000'
        >>> "nearest_even" in u.with_({"adders.sum.result[0].cut": "nearest_even"}).yaml
        True
        """
        changes = {**(settings or {}), **keys}
        try:
            text = json.dumps({str(key): value for key, value in changes.items()}, default=lib.plain_number)
        except (TypeError, ValueError) as error:
            raise Error(f"The settings are no YAML: {error}.") from None
        handle = lib.opened("unit_with", self._handle, text.encode())
        told = ", ".join(f"{key}={value}" for key, value in changes.items())
        return Unit(handle, f"{self.name} with {told}" if told else self.name)

    # --- operands ---

    def encode(self, operand: str, values: ArrayLike, tally: Tally | None = None) -> NDArray[Any]:
        """Codes of one operand ("a", "b", "c", "scale_a", ..): codes as they are, floats rounded to the nearest.

        Codes are arrays of the unsigned integers that `codes_dtype` names, or of the dtype that has the format's bits, such
        as np.float16 for f16 or ml_dtypes.float8_e4m3fn for e4m3. Other floats are numbers.
        """
        wanted = self._format_of(operand)
        array = as_array(values, operand)
        if wanted.takes_as_codes(array):
            return wanted.as_codes(array, operand)
        if array.dtype.kind in "iu" and not wanted.is_integer:
            raise Error(
                f"{operand} has dtype {array.dtype}; codes of {wanted.name} have dtype {wanted.codes_dtype}, and numbers are "
                "floats."
            )
        return self._encoded(operand, wanted, array, tally)

    def _encoded(self, operand: str, wanted: Format, array: NDArray[Any], tally: Tally | None) -> NDArray[Any]:
        try:
            encoding = wanted.encode(as_numbers(array, operand))
        except Error as error:
            raise Error(f"{operand}: {error}") from None
        if tally is not None:
            tally._add(operand, encoding.rounded, encoding.overflowed)
        elif encoding.overflowed:
            warnings.warn(
                f"{encoding.overflowed} of {array.size} elements of {operand} lie beyond the ends of {wanted.name}, which "
                f"reaches from {wanted.finfo.min:g} to {wanted.finfo.max:g}.",
                OverflowWarning,
                stacklevel=4,
            )
        return encoding.codes

    def _format_of(self, operand: str) -> Format:
        wanted = self._operands.get(operand)
        if wanted is None and operand in _SCALES:
            raise Error(f"{self.name} has no scales; leave {operand} out.")
        if wanted is None:
            raise Error(f"'{operand}' is no operand; there are {', '.join(self._operands)}.")
        return wanted

    def _further_codes(self, given: Mapping[str, ArrayLike | None], tally: Tally | None) -> dict[str, NDArray[Any]]:
        """Scales and `more`, in the unit's own order: all of them are there, and no others."""
        wanted = [name for name in self._operands if name not in ("a", "b", "c")]
        missing = [name for name in wanted if given.get(name) is None]
        if missing:
            each = ", ".join(f"{self._lengths[name]} of {self._operands[name].name} as {name}" for name in missing)
            raise Error(f"{self.name} needs {' and '.join(missing)}: {each} for each {self.k} terms.")
        for name, value in given.items():
            if value is not None:
                self._format_of(name)
        return {name: self.encode(name, given[name], tally) for name in wanted}  # type: ignore[arg-type]

    def _wants_values(self, *operands: tuple[ArrayLike, Format]) -> bool:
        """Results are codes where a and b were given as unsigned integers, else numbers."""
        return not all(_are_codes(given, of) for given, of in operands)

    # --- dot products ---

    def dot(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike | None = None,
        *,
        scale_a: ArrayLike | None = None,
        scale_b: ArrayLike | None = None,
        tally: Tally | None = None,
        **more: ArrayLike,
    ) -> Any:
        """d = c + a . b, along the last axis; any number at once, broadcast against each other.

        Fewer than k terms are filled up with zeros. d is codes where a and b were, else numbers. `more`: the unit's further
        operands, by name.

        >>> import assay
        >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
        >>> float(u.dot([1.0, 2.0], [3.0, 0.5]))
        4.0
        """
        operands = self.dot_operands(a, b, c, scale_a=scale_a, scale_b=scale_b, tally=tally, **more)
        d = np.empty(operands["c"].shape, self.d.codes_dtype)
        lib.call("dot", self._handle, d.size, byref(packed(self, operands)), buffer(d))
        return (self.d.as_values(d) if self._wants_values((a, self.a), (b, self.b)) else d)[()]

    def dot_operands(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike | None = None,
        *,
        scale_a: ArrayLike | None = None,
        scale_b: ArrayLike | None = None,
        tally: Tally | None = None,
        **more: ArrayLike,
    ) -> dict[str, NDArray[Any]]:
        """The codes of dot products, each operand in an array of its own: what one has of them along the last axis, if any."""
        codes = {"a": self.encode("a", a, tally), "b": self.encode("b", b, tally)}
        codes["c"] = self.encode("c", 0.0 if c is None else c, tally)
        codes |= self._further_codes({"scale_a": scale_a, "scale_b": scale_b, **more}, tally)
        lengths = self._lengths
        if codes["a"].shape[-1:] != codes["b"].shape[-1:]:
            raise Error(
                f"a has shape {codes['a'].shape} and b {codes['b'].shape}; their last axes are as long as each other."
            )
        for name in ("a", "b"):
            codes[name] = _filled_up(name, codes[name], self._format_of(name), self.k)
        shapes = {name: code.shape[: code.ndim - bool(lengths[name])] for name, code in codes.items()}
        try:
            shape = np.broadcast_shapes(*shapes.values())
        except ValueError:
            told = ", ".join(f"{name} {code.shape}" for name, code in codes.items())
            raise Error(f"The shapes do not go together: {told}.") from None
        return {name: self._stretched(name, code, shape, lengths[name]) for name, code in codes.items()}

    def _stretched(self, name: str, code: NDArray[Any], shape: tuple[int, ...], length: int) -> NDArray[Any]:
        if length and not code.ndim:
            raise Error(f"{name} is one number; {self.name} takes {length} along its last axis.")
        if length and code.shape[-1] != length:
            raise Error(f"{name} has {code.shape[-1]} along its last axis; {self.name} takes {length}.")
        return np.asarray(np.broadcast_to(code, shape + ((length,) if length else ())), order="C")

    # --- matrix products ---

    def matmul(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike | None = None,
        *,
        scale_a: ArrayLike | None = None,
        scale_b: ArrayLike | None = None,
        promote_every: int | None = None,
        split_k: int | None = None,
        threads: int = 1,
        into: NDArray[Any] | None = None,
        tally: Tally | None = None,
        **more: ArrayLike,
    ) -> Any:
        """D = A x B + C, broadcast as np.matmul does it; along K one instruction after the other.

        Arrays of codes are used where they lie, whatever their strides. K is a multiple of `k`. Scales have a row for each
        row of A and a column for each column of B: `scales` for each instruction along K. `more`: the unit's further
        operands, by name, in the same way; random words have an axis of their own, the last after D's. `promote_every`: so many
        values of k are summed from zero, then added to an f32 accumulator; D is f32 then. `split_k`: K is cut into so many
        runs of one length; each is summed from zero, and these sums are added to C in order, in D's format. `into`: an
        array of codes that takes D; it may be C.

        >>> import assay, numpy as np
        >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
        >>> u.matmul(np.eye(16), np.full((16, 2), 0.5), 1.0)[0]
        array([1.5, 1.5], dtype=float32)
        """
        threads = whole("threads", threads, 1, 256)
        codes = {"a": self.encode("a", a, tally), "b": self.encode("b", b, tally)}
        codes |= self._further_codes({"scale_a": scale_a, "scale_b": scale_b, **more}, tally)
        problem = _Problem(self, codes)
        values = into is None and self._wants_values((a, self.a), (b, self.b))
        codes_c = problem.like_d("c", self.encode("c", 0.0 if c is None else c, tally))
        if promote_every is not None or split_k not in (None, 1):
            if into is not None:
                told = "promote_every the result is f32" if promote_every is not None else "split_k sums are added here"
                raise Error(f"With {told}, and `into` takes the unit's d; leave one of them out.")
            parts = _Parts(self, problem.k, promote_every, split_k)
            sums = self._in_parts(problem, codes_c, parts, threads)
            return problem.without_added_axes(parts.of.as_values(sums) if values else sums)
        d = self._destination(into, problem.shape, codes_c, codes)
        for batch in np.ndindex(problem.batch):
            self._multiply(problem.at(batch), codes_c[batch], d[batch], threads)
        if into is not None:
            return into
        return problem.without_added_axes(self.d.as_values(d) if values else d)

    def _destination(
        self, into: Any, shape: tuple[int, ...], c: NDArray[Any], codes: dict[str, NDArray[Any]]
    ) -> NDArray[Any]:
        if into is None:
            return np.empty(shape, self.d.codes_dtype)
        if not isinstance(into, np.ndarray) or into.dtype != self.d.codes_dtype or into.shape != shape:
            told = f"{into.dtype} of shape {into.shape}" if isinstance(into, np.ndarray) else type(into).__name__
            raise Error(f"into is {told}; the product needs an array of {self.d.codes_dtype} of shape {shape}.")
        if not into.flags.writeable:
            raise Error("into is read-only; the product needs an array to write to.")
        if any(stride % into.itemsize for stride in into.strides) or _overlaps_itself(into):
            raise Error("into has elements that overlap each other, or strides that are no multiple of an element.")
        is_c = _where(c) == _where(into) and self.c.codes_dtype == self.d.codes_dtype
        others = [*codes.values()] + ([] if is_c else [c])
        if any(np.may_share_memory(into, other) for other in others):
            raise Error("into overlaps an operand; it may be c itself, or memory of its own.")
        return into

    def _multiply(self, of: dict[str, NDArray[Any]], c: NDArray[Any], d: NDArray[Any], threads: int) -> None:
        (m, k), n = of["a"].shape, of["b"].shape[1]
        most = _PIECE.get(self.path, _FAST_PIECE) * threads
        rows = max(1, min(m, int(most / k / n)))
        columns = n if rows > 1 else max(1, min(n, int(most / k)))
        for i in range(0, m, rows):
            for j in range(0, n, columns):
                row, column = slice(i, i + rows), slice(j, j + columns)
                at: dict[str, Any] = {"a": row, "b": (slice(None), column), "d": (row, column)}
                part = {name: codes[at[self._owners[name]]] for name, codes in of.items()}
                self._gemm(part | {"c": c[row, column], "d": d[row, column]}, threads)

    def _gemm(self, of: dict[str, NDArray[Any]], threads: int) -> None:
        product = lib.Product(*of["d"].shape, of["a"].shape[1])
        kept = {name: _with_strides(_as_matrix(array), name) for name, array in of.items()}
        views = {
            name: lib.Matrix(array.ctypes.data, *(stride // array.itemsize for stride in array.strides))
            for name, array in kept.items()
        }
        for name in kept.keys() - self.more.keys():
            setattr(product, name, views[name])
        product.more = (lib.Matrix * len(self._more))(*(views[name] for name in self._more))
        lib.call("gemm", self._handle, byref(product), threads)

    def _in_parts(self, problem: _Problem, c: NDArray[Any], parts: _Parts, threads: int) -> NDArray[Any]:
        zeros = problem.like_d("c", self.encode("c", 0.0))
        total = parts.numbers(self.c.decode(c))
        d = np.empty(problem.mn, self.d.codes_dtype)
        for batch in np.ndindex(problem.batch):
            of = problem.at(batch)
            for run in parts.runs():
                of_run = parts.numbers(np.zeros(problem.mn))
                for first, terms in run:
                    self._multiply(_part_of_k(of, first, terms, self), zeros[batch], d, threads)
                    of_run = parts.added(of_run, self.d.decode(d))
                total[batch] = parts.added(total[batch], of_run)
        return parts.codes(total)

    # --- the bench; see _bench.py ---

    def explain(self, a: ArrayLike, b: ArrayLike, c: ArrayLike | None = None, **further: Any) -> Any:
        """`assay.explain(self, ..)`."""
        return _bench().explain(self, a, b, c, **further)

    def compare(self, device: Any, **further: Any) -> Any:
        """`assay.compare(self, ..)`."""
        return _bench().compare(self, device, **further)

    def identify(self, device: Any, **further: Any) -> Any:
        """`assay.identify(device, unit=self, ..)`: what a device computes on these operands."""
        return _bench().identify(device, unit=self, **further)

    def generate(self, cases: int = 5000, **further: Any) -> Any:
        """`assay.generate(self, ..)`."""
        return _bench().generate(self, cases, **further)

    def check(self, d: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike | None = None, **further: Any) -> Any:
        """`assay.check_dots(self, ..)`."""
        return _bench().check_dots(self, d, a, b, c, **further)

    def score(self, cases: Any = None, **further: Any) -> Any:
        """`assay.score(self, ..)`."""
        return _bench().score(self, cases, **further)

    def coverage(self, cases: Any = None, **further: Any) -> Any:
        """`assay.coverage(self, ..)`."""
        return _bench().coverage(self, cases, **further)

    def guarantee(self, **further: Any) -> Any:
        """`assay.guarantee(self, ..)`."""
        return _bench().guarantee(self, **further)


def _bench() -> Any:
    from . import _bench as bench

    return bench


class _Parts:
    """How K is cut into runs, and each run into pieces, whose sums are added outside the unit; in which format."""

    def __init__(self, unit: Unit, k: int, promote_every: int | None, split_k: int | None) -> None:
        count = 1 if split_k is None else whole("split_k", split_k, 1, 1 << 30)
        if k % count:
            raise Error(f"K is {k}, which is no multiple of split_k, which is {count}.")
        self._k, self._run = k, k // count
        self._piece = self._run if promote_every is None else whole("promote_every", promote_every, 1, 1 << 30)
        if promote_every is not None and self._piece % unit.k:
            raise Error(f"promote_every is {promote_every}; it must be a multiple of the instruction's {unit.k} terms.")
        if self._run % unit.k:
            raise Error(
                f"split_k is {count}, which cuts K into runs of {self._run}; a run is a multiple of the instruction's "
                f"{unit.k} terms."
            )
        self.of = unit.d if promote_every is None else format("f32")
        if self.of.is_integer or (self.of.finfo.nmant > _TWICE_ROUNDED and self.of.dtype != np.float64):
            raise Error(
                f"{unit.name} gives {self.of.name}; split_k adds f64, and floats of at most {_TWICE_ROUNDED + 1} "
                "significant bits."
            )
        # f32 and f64 are added by NumPy; narrower ones in f64 and rounded, which is as good as once.
        self._own: type[np.floating[Any]] = np.float32 if self.of.dtype == np.float32 else np.float64

    def runs(self) -> Iterator[list[tuple[int, int]]]:
        """Of each piece of a run where it begins in K and how many terms it has."""
        for first in range(0, self._k, self._run):
            end = first + self._run
            yield [(at, min(self._piece, end - at)) for at in range(first, end, self._piece)]

    def numbers(self, values: NDArray[np.float64]) -> NDArray[Any]:
        with np.errstate(all="ignore"):
            return values.astype(self._own, order="C")

    def added(self, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
        with np.errstate(all="ignore"):
            exact = x + y.astype(self._own)
        return exact if self.of.dtype == self._own else self.of.decode(self.of.encode(exact).codes)

    def codes(self, numbers: NDArray[Any]) -> NDArray[Any]:
        return numbers.view(self.of.codes_dtype) if self.of.dtype == self._own else self.of.encode(numbers).codes


class _Problem:
    """Operands of a matrix product, broadcast: batches of m x k and k x n."""

    def __init__(self, unit: Unit, codes: dict[str, NDArray[Any]]) -> None:
        a, b = codes["a"], codes["b"]
        if not a.ndim or not b.ndim:
            raise Error(f"a has shape {a.shape} and b {b.shape}; each needs an axis, as in np.matmul.")
        self._added = a.ndim == 1, b.ndim == 1
        self._codes = codes
        if self._added[0]:
            codes["a"] = a[np.newaxis, :]
        if self._added[1]:
            codes["b"] = b[:, np.newaxis]
        m, self.k = codes["a"].shape[-2:]
        n = codes["b"].shape[-1]
        self.mn = m, n
        if codes["b"].shape[-2] != self.k:
            raise Error(
                f"a has shape {a.shape} and b {b.shape}; the last axis of a is as long as the last but one of b."
            )
        if not m * n * self.k:
            raise Error(f"a has shape {a.shape} and b {b.shape}; a product needs a row, a column and a term.")
        if self.k % unit.k:
            raise Error(f"K is {self.k}, which is no multiple of the {unit.k} terms of {unit.name}.")
        axes = dict.fromkeys(codes, 2)
        for name in codes.keys() - {"a", "b"}:
            each = self.k // unit.k * unit._lengths[name]
            wanted = {"a": (m, each), "b": (each, n), "d": (m, n, each)}[unit._owners[name]]
            axes[name] = len(wanted)
            codes[name] = _stretched_matrix(name, codes[name], wanted, -2 if unit._owners[name] == "b" else -1)
        try:
            self.batch = np.broadcast_shapes(*(code.shape[: -axes[name]] for name, code in codes.items()))
        except ValueError:
            told = ", ".join(f"{name} {code.shape}" for name, code in codes.items())
            raise Error(f"The shapes do not go together: {told}.") from None
        self.shape = self.batch + self.mn
        for name, code in codes.items():
            codes[name] = np.broadcast_to(code, self.batch + code.shape[-axes[name] :])

    def at(self, batch: tuple[int, ...]) -> dict[str, NDArray[Any]]:
        return {name: code[batch] for name, code in self._codes.items()}

    def like_d(self, name: str, code: NDArray[Any]) -> NDArray[Any]:
        if self._added[0] and code.ndim and not self._added[1]:
            code = code[..., np.newaxis, :]
        elif self._added[1] and code.ndim:
            code = code[..., np.newaxis] if not self._added[0] else code[..., np.newaxis, np.newaxis]
        try:
            return np.broadcast_to(code, self.batch + self.mn)
        except ValueError:
            raise Error(f"{name} has shape {code.shape}; the product has {self.batch + self.mn}.") from None

    def without_added_axes(self, d: NDArray[Any]) -> Any:
        row, column = self._added
        return d[(..., *([0] if row else [slice(None)]), *([0] if column else [slice(None)]))]


def whole(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    raise Error(f"{name} is {value!r}; it must be a whole number from {least} to {most}.")


def packed(unit: Unit, codes: Mapping[str, NDArray[Any]]) -> lib.Operands:
    """Refers to the arrays, which are contiguous and outlive it."""
    more = (lib.Buffer * len(unit.more))(*(buffer(codes[name]) for name in unit.more))
    return lib.Operands(**{name: buffer(code) for name, code in codes.items() if name not in unit.more}, more=more)


def _are_codes(given: ArrayLike, of: Format) -> bool:
    dtype = getattr(given, "dtype", None)
    if isinstance(dtype, np.dtype):
        dtype = dtype.newbyteorder("=")
    return bool(dtype == of.codes_dtype and dtype != of.dtype)


def _filled_up(name: str, codes: NDArray[Any], of: Format, k: int) -> NDArray[Any]:
    if not codes.ndim or not codes.shape[-1]:
        raise Error(f"{name} has shape {codes.shape}; a dot product needs a term.")
    if codes.shape[-1] >= k:
        return codes
    if "zero_code" not in of.facts:
        raise Error(f"{name} has {codes.shape[-1]} of {k} terms, and {of.name} has no zero to fill up with.")
    more = [(0, 0)] * (codes.ndim - 1) + [(0, k - codes.shape[-1])]
    return np.pad(codes, more, constant_values=of.facts["zero_code"])


def _stretched_matrix(name: str, code: NDArray[Any], wanted: tuple[int, ...], along_k: int) -> NDArray[Any]:
    """One number stands for all of them; of several there are as many along K as the product takes."""
    if code.ndim and (code.ndim < -along_k or code.shape[along_k] != wanted[along_k]):
        raise Error(f"{name} has shape {code.shape}; this product takes {wanted}.")
    try:
        return np.broadcast_to(code, code.shape[: -len(wanted)] + wanted)
    except ValueError:
        raise Error(f"{name} has shape {code.shape}; this product takes {wanted}.") from None


def _part_of_k(of: dict[str, NDArray[Any]], first: int, terms: int, unit: Unit) -> dict[str, NDArray[Any]]:
    def along(name: str) -> Any:
        each = unit._lengths[name]
        part = slice(first // unit.k * each, (first + terms) // unit.k * each)
        return (part,) if unit._owners[name] == "b" else (..., part)

    return {name: code[along(name)] for name, code in of.items()}


def _as_matrix(array: NDArray[Any]) -> NDArray[Any]:
    """Random words as the library takes them: a row for each element of D."""
    return array if array.ndim == 2 else array.reshape(-1, array.shape[-1])


def _overlaps_itself(array: NDArray[Any]) -> bool:
    """Whether two elements, whole elements apart, lie at one address."""
    reach = 0  # of the axes with shorter strides
    axes = [(abs(stride), length) for stride, length in zip(array.strides, array.shape, strict=True) if length > 1]
    for stride, length in sorted(axes):
        if stride < reach + array.itemsize:
            break
        reach += stride * (length - 1)
    else:
        return False
    # Strides that interleave axes: rare, so all addresses are looked at.
    at = np.zeros((), np.int64)
    for stride, length in axes:
        at = np.add.outer(at, stride * np.arange(length))
    return bool(np.unique(at).size != at.size)


def _where(array: NDArray[Any]) -> tuple[int, list[int]]:
    """Where the elements of an array lie; along an axis of one element any stride is the same."""
    steps = [stride for stride, length in zip(array.strides, array.shape, strict=True) if length > 1]
    return array.__array_interface__["data"][0], steps


def _with_strides(array: NDArray[Any], name: str) -> NDArray[Any]:
    """The array, where its strides are whole elements; else a copy."""
    if name == "d" or not any(stride % array.itemsize for stride in array.strides):
        return array
    return np.asarray(array, order="C")


def instruction(name: str) -> Unit:
    """An instruction of the catalogue by any of its spellings; its architecture may be left out where only one has it.

    >>> import assay
    >>> assay.instruction("tdpbf16ps")
    <assay.Unit x86:tdpbf16ps: 32 terms, bf16 x bf16 + f32 -> f32>
    """
    name = str(name)
    full = _full_name(name)
    handle = lib.opened("unit_open", catalogue(), lib.c_text(name))
    return Unit(handle, full, ("instruction", name), f"--instruction {full}")


def _full_name(name: str) -> str:
    if ":" in name:
        return name
    return next((full for full in instructions() if full.partition(":")[2] == name), name)


def datapath(source: str | os.PathLike[str] | Mapping[str, Any]) -> Unit:
    """A datapath of one's own, with `operands` and `k`: a file, its text, or the same as a dict.

    >>> import assay
    >>> u = assay.datapath({"name": "narrow", "like": "fused_f25", "k": 16,
    ...                     "operands": {"a": "f16", "b": "f16", "c": "f32", "d": "f32"},
    ...                     "adders": [{"name": "sum", "add": {"product": {"keep": 20}, "acc": {"keep": 20}}}]})
    >>> u
    <assay.Unit narrow: 16 terms, f16 x f16 + f32 -> f32>
    """
    if isinstance(source, Mapping):
        try:
            text = json.dumps(source, default=lib.plain_number)
        except (TypeError, ValueError) as error:
            raise Error(f"The datapath is no YAML: {error}.") from None
        return _of_text(text, str(source.get("name", "a datapath")))
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return _of_text(source, "a datapath")
    if not isinstance(source, (str, os.PathLike)):
        raise Error(f"A datapath is a file, a text or a dict, found {type(source).__name__}.")
    handle = lib.opened("unit_open_file", catalogue(), lib.c_path(source))
    return Unit(handle, str(source), option=f"--datapath {shlex.quote(str(source))}")


def _of_text(text: str, name: str) -> Unit:
    return Unit(lib.opened("unit_open_text", catalogue(), lib.c_text(text)), name, ("text", text))
