"""Strategies for Hypothesis: operands of a unit, which shrink to the smallest case that fails.

>>> import assay, numpy as np
>>> from assay import strategies
>>> from hypothesis import find
>>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
>>> narrow = u.with_(F=20)
>>> smallest = find(strategies.operands(u), lambda o: u.dot(**o) != narrow.dot(**o))
>>> int(np.count_nonzero(smallest["a"]))  # c alone tells them apart
0
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ._formats import Format
from ._unit import Unit


def codes(of: Format, *, nan: bool = True, infinity: bool = True) -> st.SearchStrategy[int]:
    """Codes of one format. They shrink towards 0, and small ones are as likely as large ones."""
    top = (1 << of.bits) - 1
    sizes = st.integers(0, of.bits).flatmap(lambda bits: st.integers(0, (1 << bits) - 1))
    any_code = sizes | st.integers(0, top)
    if nan and infinity:
        return any_code

    def is_wanted(code: int) -> bool:
        value = float(of.decode(np.array(code, of.codes_dtype)))
        return (nan or not np.isnan(value)) and (infinity or not np.isinf(value))

    return any_code.filter(is_wanted)


def operands(unit: Unit, *, nan: bool = True, infinity: bool = True) -> st.SearchStrategy[dict[str, NDArray[Any]]]:
    """Operands of one dot product, as `unit.dot(**operands)` takes them."""

    def array(name: str, length: int | None) -> st.SearchStrategy[NDArray[Any]]:
        of = unit._format_of(name)
        element = codes(of, nan=nan, infinity=infinity)
        if length is None:
            return element.map(lambda code: np.array(code, of.codes_dtype))
        if name == "mask":  # not every one has as many on as the unit wants: those of generated cases have
            return st.integers(0, 9999).map(lambda number: unit.generate(1, first=number)[name][0])
        zero = of.facts.get("zero_code", 0)
        # Most terms are zero in a case that a person can read; every number of them comes.
        terms = st.lists(element, max_size=length).map(lambda some: some + [zero] * (length - len(some)))
        return terms.map(lambda all_: np.array(all_, of.codes_dtype))

    return st.fixed_dictionaries({name: array(name, length or None) for name, length in unit._lengths.items()})
