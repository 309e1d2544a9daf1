#!/usr/bin/env python3
"""flags_test.py SOURCE DATABASE: what the compiler was told of every translation unit, by the compilation database of the build:
nothing that changes what floating point computes."""

import json
import re
import shlex
import sys
import unittest
from pathlib import Path

SOURCE, DATABASE = (Path(sys.argv.pop(1)).resolve() for _ in range(2)) if len(sys.argv) > 2 else (None, None)

# Each changes rounding, or leaves the sign of zero, a NaN, an infinity or a subnormal to the compiler.
LOOSE = re.compile(r"-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only"
                   r"|fno-signed-zeros|fexcess-precision=fast|mfpmath=.*|mdaz-ftz|ffp-model=.*"
                   r"|fsingle-precision-constant|fdenormal-fp-math=.*)")

# Built by somebody else, or only sometimes; who it is.
ELSEWHERE = [
    (r"docs/examples/", "the reader's own project, and Install.tree"),
    (r"tb/browser/wasm/unzstd", "Emscripten, for the explorer page"),
    (r"(model/(systemc|tlm)|sim/platform|tb/tests/systemc)/", "this build, unless without SystemC"),
]


def told(entry):
    return entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])


class Flags(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        entries = json.loads(DATABASE.read_text(encoding="utf-8"))
        cls.units = [(Path(entry["directory"], entry["file"]).resolve(), told(entry)) for entry in entries]

    def test_nothing_is_contracted(self):
        self.assertGreater(len(self.units), 200)
        wrong = [file for file, words in self.units
                 if [word for word in words if word.startswith("-ffp-contract")][-1:] != ["-ffp-contract=off"]]
        self.assertEqual(wrong, [])

    def test_nothing_loosens_floating_point(self):
        wrong = [(file, word) for file, words in self.units for word in words if LOOSE.fullmatch(word)]
        self.assertEqual(wrong, [])

    def test_every_file_of_ours_is_among_them(self):
        there = {file for file, _ in self.units}
        ours = {file for folder in ["model", "sim", "tb", "scripts", "docs"] for suffix in ["cpp", "cc", "c", "cxx"]
                for file in (SOURCE / folder).rglob(f"*.{suffix}")}
        self.assertGreater(len(ours & there), 200)
        elsewhere = re.compile("|".join(name for name, _ in ELSEWHERE))
        self.assertEqual([file for file in sorted(ours - there) if not elsewhere.match(str(file.relative_to(SOURCE)))], [])


if __name__ == "__main__":
    if DATABASE is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
