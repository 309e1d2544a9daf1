"""libassay, found and declared: every call of assay.h that the package makes goes through `call`."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import warnings
from collections.abc import Callable
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_size_t, c_ssize_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

HERE = Path(__file__).resolve().parent

OK, MISMATCH, NOTHING_COMPARED = 0, 5, 6  # of assay_status
OPERANDS = ("a", "b", "c", "scale_a", "scale_b")


class Error(Exception):
    """What every function of this package raises: a sentence on what is wrong, where, and what would be right."""


class Message(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class Buffer(ctypes.Structure):  # assay_in, assay_out
    _fields_ = [("data", c_void_p), ("bytes", c_size_t)]


class Operands(ctypes.Structure):  # assay_operands, assay_arrays
    _fields_ = [*((name, Buffer) for name in OPERANDS), ("more", POINTER(Buffer))]


class Matrix(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("row", c_ssize_t), ("column", c_ssize_t)]


class Product(ctypes.Structure):
    _fields_ = (
        [(name, c_size_t) for name in "mnk"]
        + [(name, Matrix) for name in ("a", "b", "c", "d", "scale_a", "scale_b")]
        + [("more", POINTER(Matrix))]
    )


class Encoded(ctypes.Structure):
    _fields_ = [("rounded", c_uint64), ("overflowed", c_uint64)]


RUN = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, POINTER(Operands), Buffer, POINTER(Message))
RESTART = ctypes.CFUNCTYPE(None, c_void_p)
TICK = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)


class Device(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("run", RUN), ("restart", RESTART), ("user", c_void_p)]


class Watch(ctypes.Structure):
    _fields_ = [("tick", TICK), ("user", c_void_p)]


_UNIT, _TEXT, _OUT = c_void_p, POINTER(c_void_p), POINTER(c_void_p)
# Arguments of each call that returns an assay_status, without the message that comes last.
_CALLS: dict[str, list[Any]] = {
    "catalogue_open": [c_char_p, _OUT],
    "catalogue_formats": [c_void_p, _TEXT],
    "unit_open": [c_void_p, c_char_p, _OUT],
    "unit_open_file": [c_void_p, c_char_p, _OUT],
    "unit_open_text": [c_void_p, c_char_p, _OUT],
    "unit_text": [_UNIT, _TEXT],
    "unit_families": [_UNIT, _TEXT],
    "unit_with": [_UNIT, c_char_p, _OUT],
    "dot": [_UNIT, c_size_t, POINTER(Operands), Buffer],
    "gemm": [_UNIT, POINTER(Product), c_int],
    "format_open": [c_void_p, c_char_p, _OUT],
    "format_of": [_UNIT, c_int, _OUT],
    "format_of_more": [_UNIT, c_size_t, _OUT],
    "format_facts": [c_void_p, _TEXT],
    "format_decode": [c_void_p, c_size_t, Buffer, c_void_p],
    "format_encode": [c_void_p, c_size_t, c_void_p, Buffer, POINTER(Encoded)],
    "explain": [_UNIT, POINTER(Operands), POINTER(Device), POINTER(Device), c_char_p, _TEXT],
    "generate": [_UNIT, c_char_p, _TEXT],
    "generate_into": [_UNIT, c_uint64, c_size_t, c_char_p, POINTER(Operands)],
    "compare_watched": [_UNIT, POINTER(Device), POINTER(Device), c_char_p, POINTER(Watch), _TEXT],
    "check_watched": [c_void_p, c_char_p, POINTER(Device), c_char_p, POINTER(Watch), _TEXT],
    "check_dots": [_UNIT, c_size_t, POINTER(Operands), Buffer, c_char_p, _TEXT],
    "score": [_UNIT, c_size_t, POINTER(Operands), c_char_p, POINTER(Watch), _TEXT],
    "coverage": [_UNIT, c_size_t, POINTER(Operands), c_char_p, POINTER(Watch), _TEXT],
    "guarantee": [_UNIT, c_char_p, _TEXT],
    "unit_unknown": [c_void_p, c_char_p, c_char_p, c_int, POINTER(c_void_p)],
    "identify": [_UNIT, POINTER(Device), c_char_p, POINTER(Watch), _TEXT],
    "identify_file": [c_void_p, c_char_p, c_char_p, _TEXT],
}
_FACTS: dict[str, tuple[list[Any], Any]] = {
    "version": ([], c_char_p),
    "catalogue_size": ([c_void_p], c_size_t),
    "catalogue_name": ([c_void_p, c_size_t], c_char_p),
    "unit_k": ([_UNIT], c_int),
    "unit_scales": ([_UNIT], c_int),
    "unit_more": ([_UNIT], c_size_t),
    "unit_more_name": ([_UNIT, c_size_t], c_char_p),
    "unit_more_codes": ([_UNIT, c_size_t], c_size_t),
    "unit_more_owner": ([_UNIT, c_size_t], c_char),
    "unit_sha256": ([_UNIT], c_char_p),
    "unit_path": ([_UNIT], c_char_p),
    "text_data": ([c_void_p], c_void_p),
    "text_size": ([c_void_p], c_size_t),
    "text_free": ([c_void_p], None),
    "catalogue_close": ([c_void_p], None),
    "unit_close": ([c_void_p], None),
    "format_close": ([c_void_p], None),
}


def _places() -> list[Path]:
    """Where the library may lie: named, inside a wheel, in the tree that this package was installed into, in a build tree."""
    if named := os.environ.get("ASSAY_LIBRARY"):
        return [Path(named)]
    above = [prefix / lib for prefix in HERE.parents[:5] for lib in ("lib", f"lib/{sys.implementation._multiarch}")]
    built = [HERE.parents[2] / "build" / preset / "tb/capi" for preset in ("release", "debug", "asan")]
    return [folder / "libassay.so" for folder in [HERE / "_bundle/lib", *above, *built]]


def _load() -> tuple[ctypes.CDLL, Path]:
    places = _places()
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise Error(
            f"There is no libassay.so at {', '.join(map(str, places))}; build it with scripts/build release, or say "
            "where it is with ASSAY_LIBRARY."
        )
    try:
        library = ctypes.CDLL(str(found))
        for name, arguments in _CALLS.items():
            function = getattr(library, "assay_" + name)
            function.argtypes, function.restype = [*arguments, POINTER(Message)], c_int
        for name, (arguments, result) in _FACTS.items():
            function = getattr(library, "assay_" + name)
            function.argtypes, function.restype = arguments, result
    except (OSError, AttributeError) as error:
        raise Error(f"{found} cannot be used: {error}. It has to be the library that came with this package.") from None
    return library, found


library, file = _load()


def _message(message: Message) -> str:
    return bytes(message.text).decode(errors="replace")


def call(name: str, *arguments: Any, also: tuple[int, ...] = ()) -> tuple[int, str]:
    """Status and sentence of a call that did its work: OK, or one of `also`."""
    message = Message()
    status = getattr(library, "assay_" + name)(*arguments, byref(message))
    if status != OK and status not in also:
        raise Error(_message(message))
    return status, _message(message)


def fact(name: str, *arguments: Any) -> Any:
    value = getattr(library, "assay_" + name)(*arguments)
    return value.decode() if isinstance(value, bytes) else value


def text_of(name: str, *arguments: Any, also: tuple[int, ...] = ()) -> tuple[str, int, str]:
    """The text that a call leaves in its last argument, its status and its sentence."""
    text = c_void_p()
    status, message = call(name, *arguments, byref(text), also=also)
    try:
        return ctypes.string_at(fact("text_data", text), fact("text_size", text)).decode(), status, message
    finally:
        fact("text_free", text)


def opened(name: str, *arguments: Any) -> c_void_p:
    handle = c_void_p()
    call(name, *arguments, byref(handle))
    return handle


def c_text(given: object, encode: Callable[[str], bytes] = str.encode) -> bytes:
    """A text as C takes it, which would end at a NUL."""
    text = str(given)
    shown = repr(text) if len(text) <= 80 else repr(text[:80]) + ".."
    if "\0" in text:
        raise Error(f"{shown} has a NUL in it, which no name, file or datapath has.")
    try:
        return encode(text)
    except UnicodeEncodeError:
        raise Error(f"{shown} is no text in UTF-8.") from None


def c_path(file: str | os.PathLike[str]) -> bytes:
    return c_text(os.fspath(file), os.fsencode)


def plain_number(value: Any) -> Any:
    """NumPy's scalars as JSON has them."""
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        return value.item()
    raise TypeError(f"{value!r} is a {type(value).__name__}, and no number, text, list or mapping")


def options(**given: Any) -> bytes:
    """The JSON text of the options that were given."""
    said = {name: value for name, value in given.items() if value is not None}
    try:
        return json.dumps(said, default=plain_number).encode()
    except (TypeError, ValueError) as error:
        raise Error(f"The options cannot be passed on: {error}.") from None


class _Progress:
    """What a long call tells of how far it is, and whether it has to end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None
        self._stopped = False
        self._tick = TICK(self._on_tick)
        self.watch = Watch(self._tick)

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _on_tick(self, _user: object, done: int, total: int) -> int:
        if self._bar is None:
            self._bar = progress_bar(self._what, total, "cases")
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
        return int(self._stopped)


_PATIENCE = 0.5  # seconds that an interrupted call has to end before its thread is left to itself


def watched(what: str, name: str, *arguments: Any) -> tuple[str, int, str]:
    """`text_of` for a call that may take long and takes a watch: it shows progress, and Ctrl-C ends it.

    Python handles signals between instructions of the main thread. So a thread of its own makes the call: what a handler
    raises is raised here at once, and the call is told to end.
    """
    progress = _Progress(what)

    def work() -> tuple[str, int, str]:
        try:
            return text_of(name, *arguments, byref(progress.watch), also=(MISMATCH, NOTHING_COMPARED))
        finally:
            progress.close()

    if threading.current_thread() is not threading.main_thread():
        return work()
    return _elsewhere(work, progress.stop)


T = TypeVar("T")


def _elsewhere(work: Callable[[], T], stop: Callable[[], None]) -> T:
    results: list[T] = []
    raised: list[BaseException] = []
    # Not the thread's own end: a `join` that Ctrl-C interrupts takes a thread for ended that is at work (CPython 3.11),
    # and the interpreter would go down below it.
    done = threading.Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it belongs
            raised.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="assay").start()
    try:
        while not done.wait(0.1):
            pass
    except BaseException:
        stop()
        done.wait(_PATIENCE)
        raise
    if raised:
        raise raised[0]
    return results[0]


def progress_bar(what: str, total: float, unit: str) -> Any:
    """A bar of tqdm that shows itself after two seconds; None where tqdm is not installed or nobody looks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a notebook without widgets, which has a bar of text then
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(desc=what, total=total or None, unit=f" {unit}", delay=2, leave=False, disable=None)


def closer(name: str, handle: c_void_p) -> Callable[[], None]:
    return lambda: fact(name, handle)
