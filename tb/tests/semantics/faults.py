#!/usr/bin/env python3
"""faults.py DRAW_CASES FIRST COUNT CASES: by which case each fault of faults.txt is noticed.

DRAW_CASES with its arguments draws the cases, as for agreement_test.py. A rule whose fault nothing notices is not held by
anything. Exit status: 0 each is noticed, 1 not.
"""

import re
import subprocess
import sys
import types
from pathlib import Path

import agreement_test

SOURCE = Path(__file__).with_name("interpreter.py")
FAULTS = {}  # name: (text of interpreter.py, what stands there instead), ..
LEFT_OUT = {}  # name: (key, word)


def read_faults():
    text = Path(__file__).with_name("faults.txt").read_text()
    for key, word in re.findall(r"^left out: (.+) is (.+)$", text, re.MULTILINE):
        LEFT_OUT[f"{key} left out is {word}"] = key, word
    for name, body in re.findall(r"^fault: (.+)\n((?:[-+ @].*\n|\n(?=[-+ @]))+)", text, re.MULTILINE):
        FAULTS[name] = [lines_of(hunk) for hunk in body.split("@@\n")]


def lines_of(hunk):
    """What stands there, and what is to stand there."""
    lines = hunk.splitlines(keepends=True)
    old = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
    return old, "".join(line[1:] or "\n" for line in lines if line[0] != "-")


def names():
    return [*FAULTS, *LEFT_OUT]


def faulty_source(name):
    """interpreter.py with one fault."""
    source = SOURCE.read_text()
    for old, new in FAULTS.get(name, []):
        if source.count(old) != 1:
            raise ValueError(f"The fault '{name}' changes what stands {source.count(old)} times in {SOURCE.name}.")
        source = source.replace(old, new)
    return source + "\nDEFAULTS[{!r}] = {!r}\n".format(*LEFT_OUT[name]) if name in LEFT_OUT else source


def with_fault(name):
    """The interpreter with one fault, as a module."""
    module = types.ModuleType("faulty")
    module.__file__ = str(SOURCE)
    exec(compile(faulty_source(name), str(SOURCE), "exec"), module.__dict__)  # noqa: S102
    return module


def first_noticed(module, datapaths):
    """(number of the datapath, cases before) of the first case that notices the fault."""
    before = 0
    for number, text, cases in datapaths:
        try:
            different = next(iter(agreement_test.differences(module, text, cases)), None)
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            different = True  # it cannot even be run
        if different:
            return number, before
        before += len(cases)
    return None


def main(arguments):
    output = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True).stdout
    datapaths = list(agreement_test.drawn(output.splitlines(keepends=True)))
    unnoticed = 0
    for name in names():
        noticed = first_noticed(with_fault(name), datapaths)
        unnoticed += noticed is None
        print(f"{name}: " + ("not noticed" if noticed is None else f"datapath {noticed[0]}, after {noticed[1]} cases"), flush=True)
    print(f"{len(names())} faults, {unnoticed} not noticed.")
    return 1 if unnoticed else 0


read_faults()

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
