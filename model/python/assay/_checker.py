"""A checker for testbenches: what is expected of a unit, held to what came out of it."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._bench import Comparison, Explanation, Report, check_dots, coverage, explain
from ._formats import as_array, bits_of, plain_integers
from ._library import Error
from ._unit import Unit


@dataclass(frozen=True)
class Mismatch:
    """One dot product that came out wrong."""

    tag: Hashable
    number: int  # which of the expected ones it was, from 0
    operands: dict[str, Any]  # codes
    expected: int
    got: int
    first_place: str | None  # where probes were given: the first place that is not the model's
    again: str  # the command that shows the case
    explanation: Explanation
    digits: int  # hexadecimal, of a code of d

    def __str__(self) -> str:
        place = f", first at {self.first_place}" if self.first_place else ""
        got, expected = (f"{code:0{self.digits}x}" for code in (self.got, self.expected))
        told = f"dot product {self.number}{_tagged(self.tag)}: d is {got}, expected {expected}{place}"
        return f"{told}\n  {self.again}"


class Checker:
    """Collects what is expected of a unit and what came; `finish` raises once, with every mismatch explained.

    Dot products come back in order, or by their tags. Operands are codes as plain ints or arrays, whatever `Unit.dot` takes.

    >>> import assay, numpy as np
    >>> checker = assay.Checker(assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"))
    >>> checker.expect([0x3c00], [0x3c00], 0xbf7fffff, tag=7)
    >>> checker.got(0x33800000, tag=7)
    True
    >>> checker.finish().compared
    1
    """

    def __init__(self, unit: Unit, *, nan: str | None = None, most_explained: int = 10) -> None:
        self.unit = unit
        self.mismatches: list[Mismatch] = []
        self.compared = 0
        self.differ = 0
        self._nan = nan
        self._most_explained = most_explained
        self._waiting: dict[Hashable, deque[tuple[int, dict[str, Any], int]]] = {}
        self._seen: list[dict[str, Any]] = []
        self._problems: list[str] = []
        self._widths: dict[str, int] | None = None  # of the unit's places, once one was given
        self._lock = threading.Lock()

    def expect(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike | None = None,
        *,
        scale_a: ArrayLike | None = None,
        scale_b: ArrayLike | None = None,
        tag: Hashable = None,
        **more: ArrayLike,
    ) -> None:
        """One dot product went in."""
        given = {"a": a, "b": b, "c": c, "scale_a": scale_a, "scale_b": scale_b, **more}
        codes = self.unit.dot_operands(**{name: self._coded(name, value) for name, value in given.items()})
        if codes["c"].ndim:
            raise Error(f"One dot product is expected at a time; these are {codes['c'].size}.")
        d = int(np.asarray(self.unit.dot(**codes)))  # type: ignore[arg-type]
        with self._lock:
            self._waiting.setdefault(tag, deque()).append((len(self._seen), codes, d))
            self._seen.append(codes)

    def got(self, d: ArrayLike, *, tag: Hashable = None, probes: Mapping[str, int] | int | None = None) -> bool:
        """A result came out, as its code or with the dtype of d. Says whether it is what was expected.

        `probes`: the bits of places, by name; or of all places in one number, the first one lowest, as the port `probe_o` of
        an exported unit has them. They say where a wrong d began, and are not looked at where d is right.
        """
        given = self._result(d)  # before anything is counted: what is no result of the unit leaves all as it was
        places = self._places(probes)
        with self._lock:
            waiting = self._waiting.get(tag)
            if not waiting:
                self._problems.append(f"A result came that nothing was expected for{_tagged(tag)}.")
                return False
            number, codes, expected = waiting.popleft()
        self.compared += 1
        if given == expected:
            return True
        found = self._held(codes, given)
        if found.passed:  # another NaN, where any will do
            return True
        self.differ += 1
        if len(self.mismatches) < self._most_explained:
            self.mismatches.append(self._explained(number, tag, codes, (expected, given), places))
        return False

    def _result(self, d: ArrayLike) -> int:
        code = self.unit.d.as_codes(d, "d")
        if code.size != 1:
            raise Error(f"d has shape {code.shape}; one result comes at a time.")
        return int(code.reshape(()))

    def _coded(self, name: str, value: Any) -> Any:
        """Plain ints, which a simulator hands out, are codes."""
        if value is None:
            return None
        return value if plain_integers(value) is None else self.unit._format_of(name).as_codes(value, name)

    def _held(self, codes: dict[str, Any], given: int) -> Comparison:
        d = np.array(given, self.unit.d.codes_dtype)
        return check_dots(self.unit, d, **codes, nan=self._nan, max_failures=1)

    def _explained(
        self,
        number: int,
        tag: Hashable,
        codes: dict[str, Any],
        results: tuple[int, int],
        places: Mapping[str, int] | None,
    ) -> Mismatch:
        shown = explain(self.unit, **codes)
        place, digits = _first_place(shown, places), (self.unit.d.bits + 3) // 4
        return Mismatch(tag, number, codes, *results, place, self._again(codes), shown, digits)

    def _places(self, probes: Mapping[str, int] | int | None) -> Mapping[str, int] | None:
        """The bits of places by name, each one that the unit has, and of its width."""
        if probes is None or not self._seen:
            return None
        if self._widths is None:
            self._widths = {p.place: p.width for p in explain(self.unit, **self._seen[0]).places}
        widths = self._widths
        if not isinstance(probes, Mapping):
            bits = _bits_of("probes", probes, sum(widths.values()))
            return dict(zip(widths, unpack(bits, list(widths.values())), strict=True))
        for place in probes:
            if place not in widths:
                raise Error(f"{self.unit.name} has no place {place!r}; its places are {', '.join(widths)}.")
        return {place: _bits_of(place, bits, widths[place]) for place, bits in probes.items()}

    def _again(self, codes: dict[str, Any]) -> str:
        def option(name: str) -> str:
            given = ",".join(_hex(self.unit, name, code) for code in np.atleast_1d(codes[name]))
            return f"--operand {name}={given}" if name in self.unit.more else f"--{name.replace('_', '-')} {given}"

        return " ".join([f"assay explain {self.unit._option}", *map(option, codes)])

    def coverage(self) -> Report:
        """What everything that was expected so far exercises of the unit."""
        return coverage(self.unit, self.cases())

    def cases(self) -> dict[str, Any]:
        """The operands of everything that was expected so far, as arrays."""
        if not self._seen:
            raise Error("Nothing was expected yet.")
        return {name: np.stack([codes[name] for codes in self._seen]) for name in self._seen[0]}

    def finish(self) -> Checker:
        """Raises Error where anything was wrong, is missing or was never expected, or where nothing was compared."""
        missing = sum(map(len, self._waiting.values()))
        lines = [*map(str, self.mismatches), *self._problems]
        if self.differ > len(self.mismatches):
            lines.append(f"{self.differ - len(self.mismatches)} more are wrong.")
        if missing:
            tags = [tag for tag, waiting in self._waiting.items() if waiting and tag is not None]
            further = f" and {len(tags) - 5} more" if len(tags) > 5 else ""
            lines.append(f"{missing} expected results never came" + (f", of tags {tags[:5]}{further}." if tags else "."))
        if not lines and not self.compared:
            lines.append("Nothing was compared: no result came.")
        if lines:
            raise Error(f"{self.unit.name}: {self.differ} of {self.compared} results are wrong.\n" + "\n".join(lines))
        return self

    def to_json(self) -> str:
        """What was found, for a log."""
        mismatches = [
            {"tag": str(m.tag), "number": m.number, "expected": m.expected, "got": m.got, "again": m.again}
            for m in self.mismatches
        ]
        return json.dumps({"compared": self.compared, "differ": self.differ, "mismatches": mismatches})


def _bits_of(name: str, given: Any, width: int) -> int:
    """Of a number, or of what a simulator hands out for one."""
    try:
        if isinstance(given, (str, float)):
            raise TypeError
        bits = int(given)
    except (TypeError, ValueError):
        raise Error(f"{name} is {given!r}; it must be a whole number, the bits of what a unit shows.") from None
    if bits < 0 or bits >> width:
        raise Error(f"{name} is {bits:#x}; it has {width} bits, not negative.")
    return bits


def _first_place(shown: Explanation, places: Mapping[str, int] | None) -> str | None:
    if places is None:
        return None
    return next((p.place for p in shown.places if p.place in places and int(p.bits, 16) != places[p.place]), None)


def pack(codes: ArrayLike, bits: int) -> int:
    """Codes of so many bits side by side in one number, the first one lowest: a vector port.

    Plain ints are codes; elements of an array count as the bits that they are made of.

    >>> import assay, numpy as np
    >>> hex(assay.pack([0x3c00, 0x4000], 16)), hex(assay.pack(np.float16([1, 2]), 16))
    ('0x40003c00', '0x40003c00')
    """
    if not isinstance(bits, (int, np.integer)) or bits < 1:
        raise Error(f"bits is {bits!r}; a code has a whole number of bits, at least 1.")
    integers = plain_integers(codes)
    array = as_array(codes, "codes") if integers is None else integers
    if hasattr(codes, "dtype") and array.dtype.kind != "u":
        array = bits_of(array)
    if integers is None and array.size and array.dtype.kind not in "iu":
        raise Error(f"A port takes codes, which are whole numbers; these have dtype {array.dtype}.")
    whole = 0
    for i, code in enumerate(array.ravel()):
        if int(code) < 0 or int(code) >> bits:
            raise Error(f"Code {i}, {int(code):#x}, does not fit {bits} bits.")
        whole |= int(code) << i * bits
    return whole


def unpack(number: int, bits: Sequence[int]) -> list[int]:
    """The fields of such a number, of so many bits each.

    >>> import assay
    >>> [hex(code) for code in assay.unpack(0x40003c00, [16, 16])]
    ['0x3c00', '0x4000']
    """
    fields = []
    for width in bits:
        fields.append(number & ((1 << width) - 1))
        number >>= width
    if number:
        raise Error(f"The number has bits above its {sum(bits)}, those of all fields.")
    return fields


def _hex(unit: Unit, name: str, code: Any) -> str:
    return format(int(code), f"0{(unit._format_of(name).bits + 3) // 4}x")


def _tagged(tag: Hashable) -> str:
    return "" if tag is None else f" (tag {tag!r})"
