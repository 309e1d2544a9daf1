"""Assay in Python: bit-accurate units, dot products and matrix products on whole arrays, and the bench around them."""

from typing import Any

from ._bench import (
    Cases,
    Comparison,
    Explanation,
    Identified,
    Report,
    Study,
    check,
    check_dots,
    compare,
    coverage,
    explain,
    explore,
    generate,
    guarantee,
    identify,
    identify_file,
    prove,
    score,
)
from ._catalogue import instructions
from ._checker import Checker, Mismatch, pack, unpack
from ._formats import Encoding, Format, FormatInfo, format, formats
from ._library import Error, fact
from ._quantise import Quantised, quantise
from ._unit import OverflowWarning, Tally, Unit, datapath, instruction

__version__: str = fact("version")


def __getattr__(name: str) -> Any:
    if name != "strategies":
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from importlib import import_module

    return import_module("assay.strategies")  # Hypothesis is loaded where it is used


__all__ = [
    "Cases",
    "Checker",
    "Comparison",
    "Encoding",
    "Error",
    "Explanation",
    "Format",
    "FormatInfo",
    "Identified",
    "Mismatch",
    "OverflowWarning",
    "Quantised",
    "Report",
    "Study",
    "Tally",
    "Unit",
    "check",
    "check_dots",
    "compare",
    "coverage",
    "datapath",
    "explain",
    "explore",
    "format",
    "formats",
    "generate",
    "guarantee",
    "identify",
    "identify_file",
    "instruction",
    "instructions",
    "pack",
    "prove",
    "quantise",
    "score",
    "unpack",
]
