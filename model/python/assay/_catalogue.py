"""The catalogue that the library finds, opened once."""

from __future__ import annotations

import functools
from ctypes import c_void_p

from . import _library as lib


@functools.cache
def catalogue() -> c_void_p:
    return lib.opened("catalogue_open", None)


@functools.cache
def instructions() -> tuple[str, ...]:
    """Every instruction of the catalogue, as "ARCHITECTURE:INSTRUCTION".

    >>> import assay
    >>> "hopper:wgmma.m64nNk16.f32.f16.f16" in assay.instructions()
    True
    """
    opened = catalogue()
    return tuple(lib.fact("catalogue_name", opened, i) for i in range(lib.fact("catalogue_size", opened)))
