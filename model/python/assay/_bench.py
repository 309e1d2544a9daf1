"""The bench as functions: what the commands of the same names do, as objects with the fields of their JSON."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from ctypes import byref
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _html
from . import _library as lib
from ._catalogue import catalogue
from ._formats import buffer
from ._library import Error
from ._unit import Unit, datapath, packed, whole

# Of dot products: a, b (count x k codes each), c (count), and scales where the unit has any; gives count codes or numbers.
Function = Callable[..., ArrayLike]
Device = str | Unit | Function | None

_FOUND = (lib.MISMATCH, lib.NOTHING_COMPARED)


class Report(dict[str, Any]):
    """A report with the fields of the command's JSON, as keys and as attributes; lists hold reports.

    `passed` says whether the call ended as exit status 0 would, `message` why it did not.
    """

    passed: bool = True
    message: str = ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"This report has no field '{name}'; it has {', '.join(self)}.") from None

    def __repr__(self) -> str:
        return f"<assay.{type(self).__name__}: {', '.join(self)}>"

    def __reduce__(self) -> Any:
        return _restored, (type(self), dict(self), self.passed, self.message)


def _restored(kind: type[Report], fields: dict[str, Any], passed: bool, message: str) -> Report:
    report = kind(fields)
    report.passed, report.message = passed, message
    return report


class Explanation(Report):
    """One dot product, stage by stage; in a notebook, as a drawing of its bits."""

    def _repr_html_(self) -> str:
        return _html.explanation(self)


class Comparison(Report):
    """A device held to a reference; in a notebook, as a table."""

    def _repr_html_(self) -> str:
        return _html.comparison(self)

    def __str__(self) -> str:
        return "\n".join([f"{self.devices}: {self.summary.conclusion}. {self.message}", *self.get("explanation", [])])


class Cases(dict[str, NDArray[Any]]):
    """Generated cases: arrays of codes by operand, as `dot` takes them, and which family each is of."""

    def __init__(self, arrays: dict[str, NDArray[Any]], families: list[str], first: int) -> None:
        super().__init__(arrays)
        self.families, self.first = families, first

    def by_family(self) -> dict[str, dict[str, NDArray[Any]]]:
        """The same cases as arrays of one family each."""
        of = np.array(self.families)
        return {name: {key: array[of == name] for key, array in self.items()} for name in dict.fromkeys(self.families)}


class Study(Report):
    """A study: the fields of its result.json, its folder, and its page, which a notebook shows."""

    page: str = ""
    folder: str | None = None

    def _repr_html_(self) -> str:
        return _html.framed(self.page)


R = TypeVar("R", bound=Report)


class Identified(Report):
    """What an unknown unit computes: `outcome`, the `classes` of datapaths that agree, and the words with what settled them."""

    @property
    def unit(self) -> Unit:
        """The datapath that was found, to compute with."""
        if self.outcome != "found":
            raise Error(f"No one datapath was found: the outcome is '{self.outcome}'.")
        return datapath(self.classes[0].datapath)


def _report(kind: type[R], text: str, status: int, message: str) -> R:
    if not text:  # the work ended before there was anything to report
        raise Error(message)
    fields = json.loads(text, object_hook=Report)
    report = kind(fields)
    report.passed = status == lib.OK
    report.message = message
    return report


# --- devices ---


class _Opened:
    """A device as the library takes it, and what has to live as long."""

    def __init__(self, unit: Unit, device: Device, folder: Path) -> None:
        self.name = _name_of(device, folder)
        function = None if isinstance(device, (str, Unit)) else device
        run = lib.RUN(lambda *arguments: self._run(unit, function, *arguments)) if function is not None else lib.RUN()
        self.device = lib.Device(lib.c_text(self.name), run)

    def _run(
        self, unit: Unit, function: Any, _user: Any, count: int, operands: Any, d: lib.Buffer, message: Any
    ) -> int:
        try:
            results = function(**_arrays_at(unit, operands[0], count))
            _codes_at(d, unit.d.codes_dtype, (count,))[:] = _results_of(unit, results, count)
            return 0
        except BaseException as raised:  # noqa: BLE001 - nothing may pass through C
            message[0].text = f"{type(raised).__name__}: {raised}".encode()[:1000]
            return 1


def _name_of(device: Device, folder: Path) -> str:
    if isinstance(device, str):
        return device
    if not isinstance(device, Unit):
        if not callable(device):
            raise Error(f"A device is a name, a Unit or a function, found {type(device).__name__}.")
        return str(getattr(device, "__name__", type(device).__name__))
    if device._source[0] == "instruction":
        return "model:" + device.name
    file = folder / (_word(device.name) + ".yaml")
    file.write_text(device.yaml, encoding="utf-8")
    return f"model:{file}"


def _word(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name)[:100]


def _codes_at(of: lib.Buffer, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    size = int(np.prod(shape)) * dtype.itemsize
    if not size:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * size).from_address(of.data)
    array: NDArray[Any] = np.frombuffer(memory, dtype).reshape(shape)  # type: ignore[call-overload]
    return array


def _arrays_at(unit: Unit, operands: lib.Operands, count: int) -> dict[str, NDArray[Any]]:
    at = {name: operands.more[i] for i, name in enumerate(unit.more)}
    return {
        name: _codes_at(at.get(name) or getattr(operands, name), unit._format_of(name).codes_dtype, shape).copy()
        for name, shape in _shapes(unit, count).items()
    }


def _shapes(unit: Unit, count: int) -> dict[str, tuple[int, ...]]:
    return {name: (count, length) if length else (count,) for name, length in unit._lengths.items()}


def _results_of(unit: Unit, results: ArrayLike, count: int) -> NDArray[Any]:
    array = np.asarray(results)
    if not unit.d.takes_as_codes(array):
        raise Error(f"The device gave {array.dtype}; d is {unit.d.codes_dtype} or {unit.d.dtype}.")
    codes = unit.d.as_codes(array, "the device's d")
    if codes.shape != (count,):
        raise Error(f"The device gave d of shape {codes.shape} for {count} dot products.")
    return codes


@contextlib.contextmanager
def _devices(unit: Unit, *devices: Device) -> Iterator[tuple[list[Any], Callable[[str], str]]]:
    """Pointers to devices, NULL for None; and what takes the names of our own files out of a text."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        opened = [None if device is None else _Opened(unit, device, Path(folder)) for device in devices]
        yield (
            [None if one is None else byref(one.device) for one in opened],
            lambda text: text.replace(folder + "/", ""),
        )


# --- the calls ---


def explain(
    unit: Unit,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    *,
    scale_a: ArrayLike | None = None,
    scale_b: ArrayLike | None = None,
    device: Device = None,
    reference: Device = None,
    **more: ArrayLike,
) -> Explanation:
    """One dot product, stage by stage; with a device, the places where it and the reference part.

    >>> import assay, numpy as np
    >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
    >>> e = u.explain([1.0], [1.0], np.uint32(0xbf7fffff))
    >>> e.d, e.exact.sum.fraction
    ('33800000', '1/16777216')
    >>> u.explain([1.0], [1.0], np.uint32(0xbf7fffff), device=u.with_(F=20)).sides.first_difference
    'step[0].sum.align[16]'
    """
    operands = unit.dot_operands(a, b, c, scale_a=scale_a, scale_b=scale_b, tally=None, **more)
    if operands["c"].size != 1:
        raise Error(f"One dot product is explained at a time; these are {operands['c'].size}.")
    with _devices(unit, reference, device) as (opened, named):
        found = lib.text_of("explain", unit._handle, byref(packed(unit, operands)), *opened, None, also=_FOUND)
    return _report(Explanation, named(found[0]), *found[1:])


def compare(
    unit: Unit,
    device: Device,
    *,
    reference: Device = None,
    cases: int | None = None,
    level: int | None = None,
    seed: int | None = None,
    family: str | None = None,
    first: int | None = None,
    nan: str | None = None,
    max_failures: int | None = None,
    waivers: str | None = None,
) -> Comparison:
    """Holds a device to the model (or to `reference`) over generated cases.

    A device is a name that `--device` takes, a Unit, or a function of yours: it is called with arrays of codes `a`, `b`, `c` (and
    `scale_a`, `scale_b`, and what else the unit takes) of any number of dot products, and returns their d. It is called by a
    thread of this call's own.

    >>> import assay, numpy as np
    >>> u = assay.instruction("cdna1:v_mfma_i32_16x16x16i8")
    >>> def forgets_the_last(a, b, c):
    ...     return u.dot(a * (np.arange(16) < 15).astype(np.uint8), b, c)
    >>> found = assay.compare(u, forgets_the_last, cases=500)
    >>> found.passed, found.summary.differs > 100
    (False, True)
    """
    options = lib.options(
        cases=cases,
        level=level,
        seed=seed,
        family=family,
        first=first,
        nan=nan,
        max_failures=max_failures,
        waivers=_path(waivers),
    )
    if device is None:
        raise Error("Name the device that is held to the model.")
    with _devices(unit, reference, device) as (opened, named):
        found = lib.watched("compare", "compare_watched", unit._handle, *opened, options)
    return _report(Comparison, named(found[0]), *found[1:])


def check(
    file: str | os.PathLike[str],
    *,
    device: str | None = None,
    case: int | None = None,
    element: tuple[int, int] | None = None,
    nan: str | None = None,
    max_failures: int | None = None,
    waivers: str | None = None,
) -> Comparison:
    """Holds the recorded results of a vector file to the model, or to a device."""
    options = lib.options(case=case, element=element, nan=nan, max_failures=max_failures, waivers=_path(waivers))
    name = None if device is None else byref(lib.Device(lib.c_text(_name_of(device, Path()))))
    return _report(Comparison, *lib.watched("check", "check_watched", catalogue(), lib.c_path(file), name, options))


def check_dots(
    unit: Unit,
    d: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    *,
    scale_a: ArrayLike | None = None,
    scale_b: ArrayLike | None = None,
    name: str | None = None,
    nan: str | None = None,
    max_failures: int | None = None,
    waivers: str | None = None,
    **more: ArrayLike,
) -> Comparison:
    """Holds results that are at hand to the model: any number of dot products, and the d that a unit gave."""
    operands = unit.dot_operands(a, b, c, scale_a=scale_a, scale_b=scale_b, tally=None, **more)
    results = unit.d.as_codes(d, "d")
    count = operands["c"].size
    if results.shape != operands["c"].shape:
        raise Error(f"d has shape {results.shape}; the dot products have {operands['c'].shape}.")
    results = np.asarray(results, order="C")
    options = lib.options(name=name, nan=nan, max_failures=max_failures, waivers=_path(waivers))
    found = lib.text_of(
        "check_dots", unit._handle, count, byref(packed(unit, operands)), buffer(results), options, also=_FOUND
    )
    return _report(Comparison, *found)


def generate(
    unit: Unit,
    cases: int = 5000,
    *,
    seed: int | None = None,
    family: str | None = None,
    first: int = 0,
) -> Cases:
    """Generated cases as arrays of codes: case N is that of `assay generate`, whatever else is asked for.

    >>> import assay
    >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
    >>> cases = u.generate(100)
    >>> cases["a"].shape, cases["c"].dtype, cases.families[2]
    ((100, 16), dtype('uint32'), 'near_exponents')
    >>> u.dot(**cases).shape
    (100,)
    """
    count = whole("cases", cases, 0, 1 << 40)
    first = whole("first", first, 0, (1 << 64) - 1)
    options = lib.options(seed=seed, family=family)
    made = {name: np.empty(shape, unit._format_of(name).codes_dtype) for name, shape in _shapes(unit, count).items()}
    for at in range(0, max(count, 1), _AT_A_TIME):
        some = {name: array[at : at + _AT_A_TIME] for name, array in made.items()}
        size = len(some["c"])
        lib.call("generate_into", unit._handle, first + at, size, options, byref(packed(unit, some)))
    turns = unit.families if family is None else [family]
    return Cases(made, [turns[(first + i) % len(turns)] for i in range(count)], first)


_AT_A_TIME = 20_000  # between these Python handles signals


def score(unit: Unit, cases: int | Mapping[str, Any] | None = None, *, nan: str | None = None, **which: Any) -> Report:
    """Which mutants of the unit a set of cases kills: generated ones, or a mapping of operands such as `generate` makes.

    >>> import assay
    >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
    >>> assay.score(u, 5000).open
    0
    """
    return _measured("score", unit, cases, {"nan": nan, **which})


def coverage(unit: Unit, cases: int | Mapping[str, Any] | None = None, **which: Any) -> Report:
    """What a set of cases exercises of the unit: generated ones, or a mapping of operands such as `generate` makes.

    >>> import assay
    >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
    >>> report = assay.coverage(u, u.generate(10))
    >>> report.cases, report.points[0].point
    (10, 'operands')
    """
    return _measured("coverage", unit, cases, which)


def _measured(call: str, unit: Unit, cases: Any, which: dict[str, Any]) -> Report:
    given: tuple[int, Any] = 0, None
    if isinstance(cases, Mapping):
        operands = unit.dot_operands(**cases)
        given = operands["c"].size, byref(packed(unit, operands))
    else:
        which["cases"] = cases
    return _report(Report, *lib.watched(call, call, unit._handle, *given, lib.options(**which)))


def guarantee(
    unit: Unit,
    *,
    k: int | None = None,
    promote_every: int | None = None,
    split_k: int | None = None,
    cases: int | None = None,
    seed: int | None = None,
) -> Report:
    """What holds of the unit for all operands: bounds and properties.

    >>> import assay
    >>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
    >>> u.guarantee().exact
    False
    """
    options = lib.options(k=k, promote_every=promote_every, split_k=split_k, cases=cases, seed=seed)
    return _report(Report, *lib.text_of("guarantee", unit._handle, options))


def identify(
    device: Device,
    *,
    formats: str | None = None,
    k: int | None = None,
    scale: str | None = None,
    unit: Unit | None = None,
    questions: int | None = None,
    confirm: int | None = None,
    seed: int | None = None,
    nan: str | None = None,
    answers: str | os.PathLike[str] | None = None,
) -> Identified:
    """What a device computes, as a datapath, found by asking it.

    Its operands are `formats` (of a, b and d, or with c before d), `k` and `scale`, or those of a `unit`. A file of `answers` is gone
    on with. A function is a device as it is to `compare`.

    >>> import assay
    >>> secret = assay.instruction("volta:mma.m8n8k4.f32.f16.f16.f32").with_(F=20)
    >>> found = assay.identify(lambda a, b, c: secret.dot(a, b, c), formats="f16,f16,f32", k=4, confirm=1000)
    >>> found.outcome, found.questions < 2000
    ('found', True)
    >>> cases = secret.generate(500)
    >>> bool((found.unit.dot(**cases) == secret.dot(**cases)).all())
    True
    """
    if (unit is None) == (formats is None or k is None):
        raise Error("Say the operands of what is asked: formats and k, or a unit that has them.")
    if unit is None:
        of_scale = None if scale is None else lib.c_text(scale)
        arguments = catalogue(), lib.c_text(formats), of_scale, whole("k", k, 1, 1 << 20)
        unit = Unit(lib.opened("unit_unknown", *arguments), "unknown", ("text", ""))
    if device is None:
        raise Error("Name the device that is asked.")
    options = lib.options(questions=questions, confirm=confirm, seed=seed, nan=nan, answers=_path(answers))
    with _devices(unit, device) as (opened, named):
        found = lib.watched("identify", "identify", unit._handle, *opened, options)
    return _report(Identified, named(found[0]), *found[1:])


def identify_file(
    file: str | os.PathLike[str], *, confirm: int | None = None, seed: int | None = None, nan: str | None = None
) -> Identified:
    """The same from the recorded cases of a vector file; `next` are cases worth recording where several datapaths are left."""
    options = lib.options(confirm=confirm, seed=seed, nan=nan)
    return _report(Identified, *lib.text_of("identify_file", catalogue(), lib.c_path(file), options, also=_FOUND))


# --- the command ---


def _command() -> str:
    """The command that belongs to the library: the C interface has no studies and no proofs."""
    library = lib.file.resolve()
    if named := os.environ.get("ASSAY_COMMAND"):
        program = shutil.which(named)
        if program is None:
            raise Error(
                f"ASSAY_COMMAND is '{named}', which is no program; it names the command assay that came with {library}."
            )
        return program
    places = [*(above / "bin/assay" for above in library.parents[:4]), shutil.which("assay")]
    found = next((str(place) for place in places if place and Path(place).is_file()), None)
    if found is None:
        raise Error(
            f"The command assay, which runs studies and proofs, is not beside {library} nor on PATH; say where with ASSAY_COMMAND."
        )
    return found


def explore(
    study: str | os.PathLike[str] | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] | None = None,
    seeds: int | None = None,
    budget: int | None = None,
    threads: int | None = None,
    limit: float | None = None,
) -> Study:
    """Runs a study: the name of a shipped one, a file, or a dict. It runs the command, which writes its results to `out`."""
    with tempfile.TemporaryDirectory(prefix="assay-") as scratch:
        if isinstance(study, Mapping):
            file = Path(scratch, "study.yaml")
            file.write_text(json.dumps(study), encoding="utf-8")
            study = file
        folder = Path(out) if out is not None else Path(scratch, "results")
        numbers = {"--seeds": seeds, "--budget": budget, "--threads": threads, "--limit": limit}
        words = [word for name, value in numbers.items() if value is not None for word in (name, str(value))]
        text, status, said = _ran([_command(), "explore", os.fspath(study), "--json", "--out", str(folder), *words])
        found = _report(Study, text, status, said)
        found.page = (folder / "report.html").read_text(encoding="utf-8")
        found.folder = None if out is None else str(folder)
        return found


def prove(
    dut: str | os.PathLike[str],
    *,
    instruction: str | None = None,
    datapath: str | os.PathLike[str] | None = None,
    seconds: int | None = None,
    threads: int | None = None,
    cases: int | None = None,
) -> Report:
    """Whether RTL does what the model does for all operands, by the command `assay prove`: the report of a DUT file.

    `passed` where all is proved; the places say what is refuted, by which operands, and what is open.
    """
    given = {
        "--instruction": instruction,
        "--datapath": _path(datapath),
        "--seconds": seconds,
        "--threads": threads,
        "--cases": cases,
    }
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return _report(Report, *_ran([_command(), "prove", os.fspath(dut), "--json", *words]))


def _ran(words: list[str]) -> tuple[str, int, str]:
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            text, said = process.communicate()
        except BaseException:
            process.terminate()
            raise
    status = {0: lib.OK, 1: lib.MISMATCH, 3: lib.NOTHING_COMPARED}.get(process.returncode)
    if status is None or not text.startswith("{"):
        how = f"ended with status {process.returncode} and printed no report"
        no_report = f"{words[0]} {how}; it has to be the command assay."
        raise Error(said.strip().removeprefix("assay: ") or no_report)
    return text, status, said.strip()


def _path(path: Any) -> str | None:
    return None if path is None else os.fspath(path)
