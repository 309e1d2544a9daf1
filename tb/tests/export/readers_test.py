#!/usr/bin/env python3
"""readers_test.py ASSAY CC CXX: exports read by what is not ours: the zip of Python's library and the .npy format's own
words, JSON, a compiler of C and of C++."""

import ast
import json
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ASSAY, CC, CXX = sys.argv[1:4] if len(sys.argv) > 3 else (None, None, None)
UNITS = {
    "hopper:wgmma.m64nNk16.f32.f16.f16": {"a": (2, "F16"), "b": (2, "F16"), "c": (4, "F32"), "d": (4, "F32")},
    "hopper:wgmma.m64nNk32.f16.e4m3.e5m2": {"a": (1, "F8_E4M3"), "b": (1, "F8_E5M2"), "c": (2, "F16"), "d": (2, "F16")},
    "hopper:mma.m16n8k4.f32.tf32.tf32.f32": {"a": (4, "U32"), "b": (4, "U32"), "c": (4, "F32"), "d": (4, "F32")},
    "hopper:mma.m16n8k16.f32.bf16.bf16.f32": {"a": (2, "BF16"), "b": (2, "BF16"), "c": (4, "F32"), "d": (4, "F32")},
    "ampere:mma.m8n8k4.f64.f64.f64.f64": {"a": (8, "F64"), "b": (8, "F64"), "c": (8, "F64"), "d": (8, "F64")},
    "x86:tdpbssd": {"a": (1, "I8"), "b": (1, "I8"), "c": (4, "I32"), "d": (4, "I32")},
    "cdna3:v_mfma_f32_16x16x32_fp8_fp8": {"a": (1, "U8"), "b": (1, "U8"), "c": (4, "F32"), "d": (4, "F32")},
    "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e3m2.f32.ue8m0": {
        "a": (1, "F8_E4M3"), "b": (1, "U8"), "c": (4, "F32"), "scale_a": (1, "U8"), "scale_b": (1, "U8"), "d": (4, "F32")},
}
CASES = 40


def assay(*arguments):
    done = subprocess.run([ASSAY, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"assay {arguments}: {done.stderr}")


def codes(case, name):
    value = case[name]
    return [int(code, 16) for code in value] if isinstance(value, list) else int(value, 16)


def rows(numbers, shape):
    """Flat numbers as a list of rows, or as they are where there is one a case."""
    if len(shape) == 1:
        return list(numbers)
    return [list(numbers[i:i + shape[1]]) for i in range(0, len(numbers), shape[1])]


def unpacked(data, size, shape):
    return rows(struct.unpack("<%d%s" % (len(data) // size, {1: "B", 2: "H", 4: "I", 8: "Q"}[size]), data), shape)


def read_npy(data):
    """As NumPy's own description of the format has it."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    size = struct.unpack("<H", data[8:10])[0]
    assert (10 + size) % 64 == 0 and data[9 + size:10 + size] == b"\n"
    words = ast.literal_eval(data[10:10 + size].decode())
    assert set(words) == {"descr", "fortran_order", "shape"} and words["fortran_order"] is False
    kind = words["descr"]
    assert kind in {"|u1", "<u2", "<u4", "<u8"}, kind
    numbers = unpacked(data[10 + size:], int(kind[2]), words["shape"])
    return kind, words["shape"], numbers


def read_safetensors(data):
    size = struct.unpack("<Q", data[:8])[0]
    assert size % 8 == 0
    header = json.loads(data[8:8 + size])
    metadata = header.pop("__metadata__")
    assert all(isinstance(value, str) for value in metadata.values())
    end = 0
    for tensor in header.values():  # no holes, in the order of the header
        assert tensor["data_offsets"][0] == end, header
        end = tensor["data_offsets"][1]
    assert 8 + size + end == len(data)
    return json.loads(metadata["header"]), header, data[8 + size:]


class Readers(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)

    def exported(self, unit, to):
        """The folder of an export, and its cases as JSON."""
        name = f"{to}{len(list(self.folder.iterdir()))}"
        vectors, out = self.folder / f"{name}.jsonl", self.folder / name
        assay("generate", "--instruction", unit, "--cases", CASES, "--with-results", "-o", vectors)
        assay("export", vectors, "--to", to, "-o", out)
        lines = vectors.read_text(encoding="utf-8").splitlines()
        return out, [json.loads(line) for line in lines[1:]]

    def test_npz(self):
        for unit, arrays in UNITS.items():
            with self.subTest(unit=unit):
                out, cases = self.exported(unit, "npz")
                with zipfile.ZipFile(out / "vectors.npz") as archive:
                    self.assertIsNone(archive.testzip())
                    self.assertEqual(archive.namelist(), [f"{name}.npy" for name in cases[0]])
                    for name, (size, _) in arrays.items():
                        kind, shape, numbers = read_npy(archive.read(f"{name}.npy"))
                        self.assertEqual(int(kind[2]), size)
                        self.assertEqual(shape[0], CASES)
                        self.assertEqual(numbers, [codes(case, name) for case in cases])

    def test_safetensors(self):
        for unit, arrays in UNITS.items():
            with self.subTest(unit=unit):
                out, cases = self.exported(unit, "safetensors")
                header, tensors, data = read_safetensors((out / "vectors.safetensors").read_bytes())
                self.assertEqual(header["cases"], CASES)
                self.assertEqual({name: t["dtype"] for name, t in tensors.items()},
                                 {name: kind for name, (_, kind) in arrays.items()})
                for name, (size, _) in arrays.items():
                    begin, end = tensors[name]["data_offsets"]
                    self.assertEqual(begin % size, 0)
                    self.assertEqual(unpacked(data[begin:end], size, tensors[name]["shape"]),
                                     [codes(case, name) for case in cases])

    def test_manifest(self):
        for to in ["readmemh", "c", "npz", "safetensors", "jsonl"]:
            with self.subTest(to=to):
                out, cases = self.exported("hopper:wgmma.m64nNk16.f32.f16.f16", to)
                manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
                self.assertEqual((manifest["cases"], manifest["cases_with_d"]), (len(cases), len(cases)))
                self.assertEqual(manifest["header"]["provenance"]["seed"], 1)
                self.assertEqual(manifest["header"]["datapath_sha256"], manifest["datapath_sha256"])
                self.assertEqual({file["name"] for file in manifest["files"]} | {"manifest.json"},
                                 {file.name for file in out.iterdir()})
                for file in manifest["files"]:
                    summed = subprocess.run(["sha256sum", out / file["name"]], capture_output=True, text=True, check=True)
                    self.assertEqual(file["sha256"], summed.stdout.split()[0])
                    self.assertEqual(file["bytes"], (out / file["name"]).stat().st_size)
        self.assertEqual(manifest["operands"], {"a": "f16", "b": "f16", "c": "f32", "d": "f32"})

    def test_c(self):
        for unit, arrays in UNITS.items():
            out, cases = self.exported(unit, "c")
            prints = "".join(
                f'for (int i = 0; i < {len(cases[7][name]) if isinstance(cases[7][name], list) else 1}; ++i) '
                f'printf("%llx ", (unsigned long long)assay_{name}[7]{"[i]" if isinstance(cases[7][name], list) else ""});\n'
                for name in arrays)
            (out / "main.c").write_text('#include "vectors.h"\n#include <stdio.h>\nint main(void) {\n' + prints +
                                        'printf("%d %d %s", ASSAY_CASES, ASSAY_K, ASSAY_DATAPATH_SHA256);\nreturn 0;\n}\n',
                                        encoding="utf-8")
            expected = []
            for name in arrays:
                value = codes(cases[7], name)
                expected += [f"{code:x}" for code in (value if isinstance(value, list) else [value])]
            manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
            expected += [str(CASES), str(manifest["k"]), manifest["datapath_sha256"]]
            for compiler in [[CC, "-std=c11", "-x", "c"], [CXX, "-std=c++17", "-x", "c++"]]:
                with self.subTest(unit=unit, compiler=compiler[0]):
                    program = out / "program"
                    built = subprocess.run([*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-O0",
                                            str(out / "main.c"), "-o", str(program)], capture_output=True, text=True,
                                           check=False)
                    self.assertEqual(built.stderr, "")
                    ran = subprocess.run([program], capture_output=True, text=True, check=True)
                    self.assertEqual(ran.stdout.split(), expected)


if __name__ == "__main__":
    if ASSAY is None:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=1)
