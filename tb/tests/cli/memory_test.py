"""memory_test.py ASSAY: a stream a hundred times as long takes no more memory, plain or compressed, read or written."""

import os
import subprocess
import sys
import tempfile
import unittest
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


if __name__ == "__main__":
    unittest.main()
