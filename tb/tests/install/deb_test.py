#!/usr/bin/env python3
"""deb_test.py SOURCE: makes the package of Debian and uses it.

Unpacked, where nothing but itself is found; and with ASSAY_FULL=1, as root and with debootstrap, installed by apt into a
Debian 12 that has nothing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
ONE = ["explain", "--instruction", "hopper:wgmma.m64nNk16.f32.f16.f16", "--a", "3c00", "--b", "3c00", "--c", "bf7fffff"]
IN_PYTHON = ("import assay, numpy as np; u = assay.instruction('hopper:wgmma.m64nNk16.f32.f16.f16');"
             "print(f\"{u.dot(np.uint16([0x3c00]), np.uint16([0x3c00]), np.uint32(0xbf7fffff)):08x}\")")


def said(*words, **options):
    ran = subprocess.run(words, check=False, capture_output=True, text=True, **options)
    assert ran.returncode == 0, f"{words}\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}"
    return ran.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="assay_deb_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.deb = Path(said(SOURCE / "scripts/deb", cls.folder / "out").splitlines()[-1])

    def test_names_what_it_needs(self):
        fields = said("dpkg-deb", "--field", self.deb)
        depends = re.search(r"^Depends: (.*)$", fields, re.MULTILINE)[1]
        for package in ("libc6", "libyaml-cpp0.7", "libfmt9", "libsystemc"):
            self.assertIn(package + " ", depends)
        self.assertNotRegex(depends, r"-dev|gtest")

    def test_brings_all(self):
        root = self.folder / "root"
        said("dpkg-deb", "--extract", self.deb, root)
        for name in ("bin/assay", "bin/assay-systemc", "include/assay.h", "share/man/man1/assay.1.gz",
                     "share/bash-completion/completions/assay", "share/zsh/vendor-completions/_assay", "share/doc/assay/LICENSE", "share/assay/configs/arch/hopper.yaml"):
            self.assertTrue((root / "usr" / name).exists() or (root / "usr" / name.removesuffix(".gz")).exists(), name)
        bare = {"PATH": "/usr/bin:/bin"}
        self.assertIn("d           33800000", said(root / "usr/bin/assay", *ONE, env=bare, cwd="/"))
        package, = root.glob("usr/lib/python3*/dist-packages")
        library, = root.glob("usr/lib/**/libassay.so")
        if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], check=False, capture_output=True).returncode == 0:
            at = {**bare, "PYTHONPATH": str(package), "ASSAY_LIBRARY": str(library)}
            self.assertEqual(said("/usr/bin/python3", "-c", IN_PYTHON, env=at, cwd="/").strip(), "33800000")

    def test_leaves_nothing_of_python_behind(self):
        root, control = self.folder / "removed", self.folder / "control"
        said("dpkg-deb", "--extract", self.deb, root)
        said("dpkg-deb", "--control", self.deb, control)
        package, = root.glob("usr/lib/python3*/dist-packages/assay")
        said("/usr/bin/python3", "-m", "compileall", "-q", package)
        self.assertGreater(len(list(package.rglob("__pycache__"))), 1)  # of the package, and of those in it
        said(control / "prerm", "remove", env={**os.environ, "DPKG_ROOT": str(root)})
        self.assertEqual({path.suffix for path in package.rglob("*") if path.is_file()}, {".py", ".typed"})
        self.assertFalse(list(package.rglob("__pycache__")))

    @unittest.skipUnless(os.environ.get("ASSAY_FULL") == "1" and os.geteuid() == 0 and shutil.which("debootstrap"),
                         "Some minutes: with ASSAY_FULL=1, as root, with debootstrap.")
    def test_is_installed_by_apt_on_a_bare_debian(self):
        root = Path(os.environ.get("ASSAY_BARE_ROOT", self.folder / "bare"))
        said(SOURCE / "scripts/bare_root", root, "true")
        shutil.copy(self.deb, root / "root" / self.deb.name)
        apt = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends ./{self.deb.name} python3-numpy man-db"

        def there(*words):
            return said(SOURCE / "scripts/bare_root", root, *words)

        there("bash", "-c", f"cd /root && ({apt}) >/dev/null 2>&1 && rm -rf /assay/configs")
        self.assertIn("d           33800000", there("assay", *ONE))
        self.assertEqual(there("python3", "-c", IN_PYTHON).strip(), "33800000")
        self.assertIn("passed", there("assay", "compare", "--device", "systemc", "--instruction", ONE[2], "--cases", "200"))
        self.assertIn("assay", there("man", "-w", "assay"))


if __name__ == "__main__":
    unittest.main()
