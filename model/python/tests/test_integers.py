"""The C++ form of a model over the integers of high-level synthesis: ac_int and ap_uint, whose headers hls4ml brings along."""

import importlib.util
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import WGMMA

import assay
from assay import _bench

TEMPLATES = Path(importlib.util.find_spec("hls4ml").origin).parent / "templates"
INTEGERS = {
    "ac_int": (TEMPLATES / "catapult/ac_types/include", "ac_int.h", "ac_int<N, false>"),
    "ap_uint": (TEMPLATES / "vivado/ap_types", "ap_int.h", "ap_uint<N>"),
}
EXACT = "power10:xvf64gerpp"  # sums of 64-bit numbers are wider than a word

PROGRAM = """#include <{header}>
#define ASSAY_BITS(N) {integer}
#include "unit.hpp"

#include <cstdio>

int main() {{
  uint{a}_t a[{k}];
  uint{b}_t b[{k}];
  uint{c}_t c;
  while (std::fread(a, sizeof a, 1, stdin) == 1 && std::fread(b, sizeof b, 1, stdin) == 1 && std::fread(&c, sizeof c, 1, stdin) == 1) {{
    const uint{d}_t d = unit::dot(a, b, c, nullptr);
    std::fwrite(&d, sizeof d, 1, stdout);
  }}
}}
"""


def results(folder, name, integer, operands):
    """d of each case, by the C++ form over such integers."""
    headers, header, typed = INTEGERS[integer]
    unit = assay.instruction(name)
    export = [
        _bench._command(),
        "export",
        "--instruction",
        name,
        "--to",
        "cpp",
        "--name",
        "unit",
        "-o",
        folder / "unit.hpp",
    ]
    subprocess.run(list(map(str, export)), check=True)
    bits = {side: 8 * getattr(unit, side).codes_dtype.itemsize for side in "abcd"}
    (folder / "main.cpp").write_text(PROGRAM.format(header=header, integer=typed, k=unit.k, **bits))
    # Theirs are headers of the system; what gcc sees in them after inlining it says all the same.
    compiler = [
        "g++",
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-uninitialized",
        "-Wno-maybe-uninitialized",
        "-isystem",
        headers,
        "-I",
        folder,
    ]
    built = subprocess.run(
        list(map(str, [*compiler, "-o", folder / "unit", folder / "main.cpp"])),
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr[:3000]
    cases = b"".join(a.tobytes() + b.tobytes() + c.tobytes() for a, b, c in zip(*operands, strict=True))
    ran = subprocess.run([str(folder / "unit")], input=cases, capture_output=True, check=True)
    return np.frombuffer(ran.stdout, unit.d.codes_dtype)


@pytest.mark.parametrize("integer", INTEGERS)
@pytest.mark.parametrize("name", [WGMMA, EXACT])
def test_the_integers_give_the_models_bits(tmp_path, name, integer):
    unit = assay.instruction(name)
    random = np.random.default_rng(35)

    def codes(form, shape):
        return random.integers(0, 2**form.bits, shape, dtype=np.uint64).astype(form.codes_dtype)

    count = 2000
    a, b, c = codes(unit.a, (count, unit.k)), codes(unit.b, (count, unit.k)), codes(unit.c, count)
    expected = unit.dot(a, b, c)
    assert np.array_equal(results(tmp_path, name, integer, (a, b, c)), expected)
    assert len(np.unique(expected)) > count // 4
