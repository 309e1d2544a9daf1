#!/usr/bin/env python3
"""surroundings_test.py PREFIX: the command of a tree where a farm may put it: no home, nothing that can be written, no room in /tmp or
no programs there, a processor without AVX2, another copy or an older catalogue beside it.

As root, in mounts of the test's own; what else it needs and does not find is skipped with a sentence. With ASSAY_FULL=1 RTL is
built there as well, which is slow.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PREFIX = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"
ONE = ["explain", "--instruction", WGMMA, "--a", "3c00", "--b", "3c00", "--c", "bf7fffff"]
ORACLE = ["compare", "--device", "oracle", "--instruction", WGMMA, "--cases", "50"]
RTL = ["compare", "--device", "rtl:" + "SHARE/configs/dut/fused_f25_f16.yaml", "--instruction", WGMMA, "--cases", "20"]
D = "d           33800000"
FULL = os.environ.get("ASSAY_FULL") == "1"


def can_mount():
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"], check=False, capture_output=True).returncode == 0


CAN_MOUNT = can_mount()


class Surroundings(unittest.TestCase):
    prefix = PREFIX

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="assay_surroundings_", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)

    def ran(self, *words, status=0, mounts="", program=(), **variables):
        """What the command says, in a shell that mounted something first, and that has no variable but those named."""
        share = str(self.prefix / "share/assay")
        command = [*program, str(self.prefix / "bin/assay"), *(word.replace("SHARE", share) for word in words)]
        if mounts:
            command = ["unshare", "--mount", "bash", "-euc", mounts + '\nexec "$@"', "bash", *command]
        run = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", env={"PATH": "/usr/bin:/bin", **variables})
        self.assertEqual(run.returncode, status, run.stdout[-2000:] + run.stderr[-2000:])
        said = (run.stdout + run.stderr).splitlines(keepends=True)
        return "".join(line for line in said if not line.startswith("qemu-x86_64: warning: "))

    def works(self, **surroundings):
        self.assertIn(D, self.ran(*ONE, **surroundings))
        self.assertIn("passed", self.ran(*ORACLE, **surroundings))

    def test_without_a_home(self):
        self.works()
        self.assertIn("There is no place for what is built: set ASSAY_CACHE, HOME or XDG_CACHE_HOME", self.ran("cache", status=2))
        self.ran("cache", ASSAY_CACHE=str(self.folder / "cache"))

    @unittest.skipUnless(CAN_MOUNT, "Only root can mount.")
    def test_where_nothing_can_be_written(self):
        nothing = "mount -o remount,ro,bind /; ! touch /tmp/here 2>/dev/null"
        self.works(mounts=nothing)
        advice = "(Read-only file system); set ASSAY_CACHE to the absolute path of a folder"
        self.assertIn("cannot be made " + advice, self.ran(*RTL, mounts=nothing, status=2, HOME=str(self.folder)))
        (self.folder / ".cache/assay/rtl").mkdir(parents=True)
        self.assertIn("cannot be written " + advice, self.ran(*RTL, mounts=nothing, status=2, HOME=str(self.folder)))

    @unittest.skipUnless(CAN_MOUNT, "Only root can mount.")
    def test_without_room_in_tmp(self):
        full = "mount -t tmpfs -o size=4k none /tmp; head -c 4096 /dev/zero >/tmp/full; ! echo more >/tmp/more 2>/dev/null"
        self.works(mounts=full)
        if FULL and shutil.which("verilator"):
            self.assertIn("No space left on device", self.ran(*RTL, mounts=full, status=2, ASSAY_CACHE=str(self.folder)))

    @unittest.skipUnless(CAN_MOUNT, "Only root can mount.")
    def test_where_tmp_runs_no_program(self):
        noexec = "mount -t tmpfs -o noexec none /tmp; cp /bin/true /tmp/; ! /tmp/true 2>/dev/null"
        self.works(mounts=noexec)
        if FULL and shutil.which("verilator"):
            self.assertIn("passed", self.ran(*RTL, mounts=noexec, ASSAY_CACHE=str(self.folder)))

    @unittest.skipUnless(platform.machine() == "x86_64" and shutil.which("qemu-x86_64"), "Processors of x86 are QEMU's to play.")
    def test_on_a_processor_without_avx2(self):
        gemm = ["compare", "--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper,ampere"]
        here = self.ran(*gemm, status=1)
        for model, path in {"Nehalem": "baseline", "Haswell": "AVX2"}.items():
            with self.subTest(processor=model):
                emulated = {"program": ["qemu-x86_64", "-cpu", model]}
                self.assertRegex(self.ran("doctor", **emulated), rf"(?m)^vector path +{path}$")
                self.assertEqual(self.ran(*gemm, status=1, **emulated), here)

    def copy(self, name):
        """The command and what it reads, in another place."""
        to = self.folder / name
        (to / "bin").mkdir(parents=True)
        (to / "share/assay").mkdir(parents=True)
        shutil.copy(self.prefix / "bin/assay", to / "bin")
        shutil.copytree(self.prefix / "share/assay/configs", to / "share/assay/configs")
        (to / "share/assay/tb").symlink_to(self.prefix / "share/assay/tb")
        return to

    def test_two_of_them_side_by_side(self):
        first, second = self.copy("first"), self.copy("second")
        ada = second / "share/assay/configs/arch/ada.yaml"
        ada.write_text(ada.read_text(encoding="utf-8").replace("about: ", "about: The second. ", 1), encoding="utf-8")
        (second / "share/assay/configs/arch/hopper.yaml").unlink()
        cache = {"ASSAY_CACHE": str(self.folder / "cache")}
        self.prefix = first
        said = self.ran("--version", **cache)
        self.assertIn(D, self.ran(*ONE, **cache))
        self.prefix = second
        self.assertIn("The second.", self.ran("list", "ada", **cache))
        self.assertNotEqual(self.ran("--version", **cache), said)
        self.assertIn("hopper", self.ran(*ONE, status=2, **cache))

    def test_doctor_starts_the_programs_beside_it(self):
        to = self.copy("doctor")
        self.prefix, program = to, to / "bin/assay-systemc"

        def systemc():
            return next(line for line in self.ran("doctor").splitlines() if line.startswith("SystemC "))

        if (PREFIX / "bin/assay-systemc").exists():
            shutil.copy(PREFIX / "bin/assay-systemc", program)
            self.assertRegex(systemc(), f"^SystemC +{program}$")
        for text, says in {
            "no program": "cannot be started",
            "#!/bin/sh\necho no libsystemc.so >&2; exit 127\n": "ended with status 127: no libsystemc.so",
            "#!/bin/sh\necho busybox\n": "is another program, which says: busybox",
        }.items():
            program.write_text(text, encoding="utf-8")
            program.chmod(0o755)
            self.assertRegex(systemc(), f"^SystemC +missing {program} {says}$")
        program.chmod(0o644)
        self.assertRegex(systemc(), f"^SystemC +missing {program} cannot be started$")
        self.assertNotIn("Everything that the commands can use", self.ran("doctor"))

    def test_a_catalogue_of_another_version(self):
        """ASSAY_HOME leads to it: what it has that this program does not know is named with file and line."""
        other = self.copy("other") / "share/assay"
        before = self.ran("--version")
        path = other / "configs/datapath/fused_f25.yaml"
        path.write_text(path.read_text(encoding="utf-8") + "word_of_tomorrow: 1\n", encoding="utf-8")
        said = self.ran(*ONE, status=2, ASSAY_HOME=str(other))
        self.assertIn("fused_f25.yaml", said)
        self.assertIn("word_of_tomorrow", said)
        self.assertEqual(self.ran("--version"), before)


if __name__ == "__main__":
    if PREFIX is None:
        sys.exit(__doc__)
    unittest.main()
