#!/usr/bin/env python3
"""recorded_test.py FOLDER: the interpreter of the chapter on recorded sets, with no word from the model.

FOLDER counts from ASSAY_SHARED. Of each of its vector files whose header names an instruction of configs/arch the
interpreter has to find each recorded d. Exit status: 0 all found, 1 not, 77 the folder is not here.
"""

import json
import os
import sys
from pathlib import Path

import interpreter
import yaml

SKIPPED = 77
ARCHITECTURES = interpreter.ROOT / "configs" / "arch"


def families():
    """The YAML of each instruction's datapath, by architecture and instruction."""
    found = {}
    for path in ARCHITECTURES.glob("*.yaml"):
        architecture = yaml.load(path.read_text(), Loader=yaml.CBaseLoader)
        for family in architecture["families"]:
            words = {"name": "recorded", "like": family["datapath"], "k": family["shape"]["k"], "operands": family["operands"]}
            found[architecture["architecture"], family["name"]] = yaml.safe_dump(words)
    return found


def codes(case, name):
    return [int(code, 16) for code in case.get(name, [])]


def differences(text, cases):
    run = interpreter.Interpreter(text)
    for number, case in enumerate(cases):
        found = run.d_of(codes(case, "a"), codes(case, "b"), int(case["c"], 16))
        if found != int(case["d"], 16):
            yield number, case["d"], found


def main(name):
    folder = Path(os.environ.get("ASSAY_SHARED", "/no/shared/folder")) / name
    if not folder.is_dir():
        print(f"There are no recorded sets here: {folder} is no folder. ASSAY_SHARED says where the shared folder is.")
        return SKIPPED
    known, sets, compared, failed, others = families(), 0, 0, 0, 0
    for path in sorted(folder.glob("*.jsonl")):
        header, *cases = map(json.loads, path.read_text().splitlines())
        text = known.get((header.get("architecture"), header.get("instruction")))
        if text is None:
            others += 1
            continue
        different = list(differences(text, cases))
        sets, compared, failed = sets + 1, compared + len(cases), failed + bool(different)
        for number, d, found in different[:1]:
            print(f"{path.name}: {len(different)} of {len(cases)} cases differ. The chapter says {found:x} of case {number}, "
                  f"and {d} was recorded.")
    print(f"{sets} sets, {compared} cases, {failed} sets differ; {others} files are of no instruction of configs/arch.")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
