#!/usr/bin/env python3
"""agreement_test.py DRAW_CASES ARGUMENT...: holds the model to the chapter Semantics of docs/datapath.md.

DRAW_CASES with its arguments draws datapaths and cases, with what the model makes of them; the interpreter of the chapter
has to find the same d and the same flags, on every bit. Exit status: 0 all the same, 1 not.
"""

import subprocess
import sys

import interpreter

MOST_SHOWN = 5
FLAGS = ("invalid", "overflow", "underflow", "inexact")


def drawn(lines):
    """(number, YAML, cases) of each datapath that draw_cases writes."""
    number, text, cases = None, "", []
    for line in lines:
        if not line.endswith("\n"):
            return  # it ended in the midst of a line, and its status says why
        if line.startswith("case "):
            cases.append(line[5:].rstrip("\n"))
            continue
        if cases:
            yield number, text, cases
            number, text, cases = None, "", []
        if number is None:
            number = int(line.split()[1])
        else:
            text += line
    if cases:
        yield number, text, cases


def codes(text):
    return [int(code, 16) for code in text.split(",") if code]


def parsed(case):
    """The operands of d_of, then d and the flags, None where there are none."""
    *operands, named, d = case.split(";")
    d, _, raised = d.partition("/")
    flags = {name for bit, name in enumerate(FLAGS) if int(raised, 16) >> bit & 1} if raised else None
    a, b, c, scale_a, scale_b = map(codes, operands)
    more = {name: codes(list) for name, _, list in (one.partition("=") for one in named.split("&") if one)}
    return a, b, c[0], scale_a, scale_b, more, int(d, 16), flags


def differences(module, text, cases):
    """Cases in which the interpreter in `module` finds another d than the model: (case, what it finds)."""
    run = module.Interpreter(text)
    for case in cases:
        *operands, d, flags = parsed(case)
        found = run.d_of(*operands)
        if found != d:
            yield case, f"d {found:x}"
        elif run.flags_raised != flags:
            yield case, f"flags {', '.join(sorted(run.flags_raised)) or 'none'}"


def main(command):
    datapaths = compared = failed = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as source:
        for number, text, cases in drawn(source.stdout):
            datapaths, compared = datapaths + 1, compared + len(cases)
            different = list(differences(interpreter, text, cases))
            failed += bool(different)
            if different and failed <= MOST_SHOWN:
                case, found = different[0]
                print(f"Datapath {number}: {len(different)} of {len(cases)} cases differ. The chapter says {found} of "
                      f"{case}, which ends with the model's.\n{text}")
    if source.returncode != 0 or compared == 0:
        sys.exit(f"{command[0]} ended with status {source.returncode} after {compared} cases.")
    print(f"{datapaths} datapaths, {compared} cases, {failed} datapaths differ.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
