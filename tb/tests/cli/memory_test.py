"""memory_test.py ASSAY: a stream a hundred times as long takes no more memory, plain or compressed, read or written."""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ASSAY = sys.argv.pop()
INSTRUCTION = "hopper:wgmma.m64nNk16.f32.f16.f16"
FEW, MANY = 2000, 200_000  # of 268 bytes each
ALLOWED_KB = 8 * 1024  # what the allocator may keep more, against the 50 MiB of the longer file


def peak_kb(*arguments):
    """The most memory that the command held, once it has passed."""
    with subprocess.Popen([ASSAY, *map(str, arguments)], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{arguments} ended with exit status {process.returncode}"
    return usage.ru_maxrss


class Memory(unittest.TestCase):
    def test_does_not_grow_with_the_stream(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending in ["jsonl", "jsonl.gz", "jsonl.zst"]:
                peaks = {"generate": [], "run": [], "check": []}
                for cases in [FEW, MANY]:
                    file, out = Path(folder) / f"in.{ending}", Path(folder) / f"out.{ending}"
                    peaks["generate"].append(peak_kb("generate", "--instruction", INSTRUCTION, "--family", "gaussian",
                                                     "--cases", cases, "-o", file))
                    peaks["run"].append(peak_kb("run", file, "-o", out))
                    peaks["check"].append(peak_kb("check", out))
                for command, (few, many) in peaks.items():
                    with self.subTest(command=command, ending=ending):
                        self.assertLess(many - few, ALLOWED_KB, f"{few} KiB became {many} KiB")

    def test_does_not_grow_with_an_export(self):
        with tempfile.TemporaryDirectory() as folder:
            for to in ["jsonl", "readmemh", "c", "npz", "safetensors"]:
                peaks = {"generate": [], "import": []}
                for cases in [FEW, MANY]:
                    out = Path(folder) / f"{to}{cases}"
                    peaks["generate"].append(peak_kb("generate", "--instruction", INSTRUCTION, "--family", "gaussian",
                                                     "--with-results", "--cases", cases, "--to", to, "-o", out))
                    peaks["import"].append(peak_kb("import", out, "-o", Path(folder) / "back.jsonl"))
                for command, (few, many) in peaks.items():
                    with self.subTest(command=command, to=to):
                        self.assertLess(many - few, ALLOWED_KB, f"{few} KiB became {many} KiB")

    def test_a_hostile_line_is_not_read_whole(self):
        header = '{"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16"}\n'
        script = f"(printf '%s' '{header}'; head -c 1000000000 /dev/zero | tr '\\0' ' ') | exec \"$0\" check -"
        with subprocess.Popen(["bash", "-c", script, ASSAY], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            _, error = process.communicate()
        self.assertEqual(process.returncode, 2)
        self.assertEqual(error, "assay: standard input, line 2: the line is longer than 16777216 bytes, the most that "
                                "is read of one line here.\n")

    def test_is_not_taken_for_what_an_archive_only_claims(self):
        with tempfile.TemporaryDirectory() as folder:
            shape = 16384, 16384  # 2 GiB
            array = b"\x93NUMPY\x01\x00" + struct.pack("<H", 80)
            array += f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(80)
            promised = len(array) + 8 * shape[0] * shape[1]
            archive = Path(folder) / "bomb.npz"
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("a.npy", array)
            entry = archive.read_bytes().index(b"PK\x01\x02")
            with archive.open("r+b") as file:
                file.seek(entry + 24)
                file.write(struct.pack("<I", promised))
            study = Path(folder) / "bomb.yaml"
            study.write_text(f"study: bomb\ntitle: A bomb\ninstruction: {INSTRUCTION}\n"
                             "axes: [{name: F, set: [adders.sum.add.product.keep], values: [25]}]\n"
                             "inputs: [{tensor: {file: bomb.npz, a: a, b: a}}]\nshapes: {m: 1, n: 1, k: 16}\n",
                             encoding="ascii")
            with subprocess.Popen([ASSAY, "explore", study, "--out", Path(folder) / "out"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True) as process:
                error = process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 2, error)
            self.assertEqual(error, f"assay: {archive}: The array 'a.npy' of this archive is damaged: it is not as "
                                    "long as the directory says.\n")
            self.assertLess(usage.ru_maxrss, 200 * 1024)


if __name__ == "__main__":
    unittest.main()
