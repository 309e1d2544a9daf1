#!/usr/bin/env python3
"""install_test.py BUILD CMAKE: installs a build, moves the result elsewhere, and uses it as somebody would who has
nothing but that: no ASSAY_HOME, no PATH to the build, another working folder."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, CMAKE = (Path(sys.argv.pop(1)).resolve(), sys.argv.pop(1)) if len(sys.argv) > 2 else (None, None)
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"

OVER_SYSTEMC = """
import ctypes, sys

class Device(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("run", ctypes.c_void_p), ("restart", ctypes.c_void_p), ("user", ctypes.c_void_p)]

assay = ctypes.CDLL(sys.argv[1])
message = ctypes.create_string_buffer(1024)
catalogue, unit, report = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assay.assay_catalogue_open(None, ctypes.byref(catalogue), message)
assay.assay_unit_open(catalogue, b"hopper:wgmma.m64nNk16.f32.f16.f16", ctypes.byref(unit), message)
device = Device(b"systemc")
print(assay.assay_compare(unit, None, ctypes.byref(device), b'{"cases": 50}', ctypes.byref(report), message), message.value.decode())
"""

IN_PYTHON = """
import assay, numpy as np
from assay import _bench, _library
u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
print(f"{u.dot(np.uint16([0x3c00]), np.uint16([0x3c00]), np.uint32(0xbf7fffff)):08x}", _library.file.parents[1])
print(_bench._command() == str(_library.file.resolve().parents[1] / "bin/assay"), u.dot([1.0], [1.0]).astype(int))
"""


def ccache_folder():
    return subprocess.run(["ccache", "-k", "cache_dir"], check=True, capture_output=True, text=True).stdout.strip()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="assay_install_"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        first = cls.root / "first"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        cls.prefix = cls.root / "moved" / "assay tree"
        cls.prefix.parent.mkdir()
        first.rename(cls.prefix)
        # The catalogue that is read must be this one: it says so in the sentence about one architecture.
        arch = cls.prefix / "share/assay/configs/arch/ada.yaml"
        lines = arch.read_text().splitlines()
        marked = ["about: The installed one" if line.startswith("about:") else line for line in lines]
        arch.write_text("\n".join(marked) + "\n")

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY")}
        # What is compiled stays in the user's ccache, wherever this tree stands this time.
        compiled = {"CCACHE_DIR": ccache_folder(), "CCACHE_BASEDIR": str(self.root), "CCACHE_NOHASHDIR": "1"}
        return {**kept, **(compiled if shutil.which("ccache") else {}), "XDG_CACHE_HOME": str(self.root / "cache")}

    def run_here(self, *command, status=0):
        ran = subprocess.run(command, cwd=self.root, env=self.environment(), capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, status, f"{command}\n{ran.stdout}{ran.stderr}")
        return ran.stdout + ran.stderr

    def assay(self, *arguments, status=0):
        return self.run_here(self.prefix / "bin/assay", *arguments, status=status)

    def library(self, name):
        found = list(self.prefix.glob(f"lib*/**/{name}"))
        self.assertTrue(found, f"no {name} under {self.prefix}")
        return found[0]

    def test_reads_its_own_catalogue(self):
        self.assertIn("The installed one", self.assay("list", "ada"))

    def test_explains(self):
        text = self.assay("explain", "--instruction", WGMMA, "--a", "3c00", "--b", "3c00", "--c", "bf7fffff")
        self.assertIn("33800000", text)

    def test_compares_with_the_oracle(self):
        self.assay("compare", "--device", "oracle", "--instruction", WGMMA, "--cases", "200")

    def test_probes_with_what_was_printed(self):
        text = self.assay("probe", "--device", "model", "--instruction", "ada:mma.m16n8k16.f32.f16.f16.f32")
        self.assertIn("as printed", text)

    def test_compares_with_systemc(self):
        if (BUILD / "bin/assay-systemc").exists():
            self.assay("compare", "--device", "systemc", "--instruction", WGMMA, "--cases", "200")

    def test_builds_and_compares_rtl(self):
        dut = self.prefix / "share/assay/configs/dut/fused_f25_f16.yaml"
        arguments = ["compare", "--device", f"rtl:{dut}", "--instruction", WGMMA, "--cases", "200"]
        harness = self.prefix / "share/assay/tb/devices/rtl/harness.hpp"
        kept = harness.read_text()
        harness.write_text("#error the installed harness is the one that is read\n")
        self.assertIn("the installed harness is the one that is read", self.assay(*arguments, status=2))
        harness.write_text(kept)
        self.assertIn("200", self.assay(*arguments))

    def test_says_where_it_looked_for_a_catalogue(self):
        alone = self.root / "alone"
        alone.mkdir()
        shutil.copy(self.prefix / "bin/assay", alone)
        text = self.run_here(alone / "assay", "list", status=2)
        self.assertIn(f"No folder share/assay with Assay's configs was found above {alone}/assay", text)
        self.assertIn("set ASSAY_HOME", text)

    def build_example(self, name):
        build = self.root / f"build_{name}"
        source = self.prefix / "share/doc/assay/docs/examples" / name
        self.run_here(CMAKE, "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                      *self.flags())
        self.run_here(CMAKE, "--build", build)
        return build

    # Libraries built under sanitizers need programs built so.
    @staticmethod
    def flags():
        cache = (BUILD / "CMakeCache.txt").read_text().splitlines()
        kept = ["-D" + line for line in cache if line.startswith(("CMAKE_CXX_FLAGS:", "CMAKE_C_FLAGS:"))]
        launchers = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        return kept + (launchers if shutil.which("ccache") else [])

    def test_a_program_links_the_model(self):
        self.assertEqual(self.run_here(self.build_example("model") / "first_dot"),
                         "16 terms of f16 onto f32: d = 33800000\n")

    def test_a_platform_takes_the_unit(self):
        if not (BUILD / "bin/assay-systemc").exists():
            return
        self.assertIn("14 ns  step[0].sum.align[0] = 2000000\n42000000 42040000 42080000 00000000 after 20 ns\n",
                      self.run_here(self.build_example("systemc") / "first_platform"))

    def test_a_platform_does_a_convolution(self):
        if not (BUILD / "bin/assay-systemc").exists():
            return
        self.assertIn("2016 of 2016 outputs are those of plain loops; 63 products, 8064 Dwords of weights, 21504 copied, ",
                      self.run_here(self.build_example("convolution") / "convolution"))

    def test_a_c_program_links_either_library(self):
        build = self.build_example("c")
        for library in ["c", "c_static"]:
            self.assertEqual(self.run_here(build / f"first_dot_{library}"), "16 terms of f16 onto f32: d = 33800000\n")
            said = self.run_here(build / f"scoreboard_{library}", status=1)
            self.assertIn("1125 faults in 20000 compared cases.\n", said)
            self.assertIn("300 failures agree if adders.sum.result[0].overflow were largest (it is wrap)", said)
            home = f"ASSAY_HOME='{self.prefix}/share/assay'"
            self.assertIn(f"smallest failing case: {home} assay explain --instruction cdna1:v_mfma_i32_16x16x16i8", said)

    def test_a_project_of_c_alone_links_either_library(self):
        if any("-fsanitize" in flag for flag in self.flags()):
            self.skipTest("The sanitizers' libraries of C++ are linked by its compiler.")
        source = self.root / "of_c_alone"
        shutil.copytree(self.prefix / "share/doc/assay/docs/examples/c", source)
        lists = source / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("LANGUAGES C CXX", "LANGUAGES C"))
        self.run_here(CMAKE, "-G", "Ninja", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_here(CMAKE, "--build", source / "build")
        for library in ["c", "c_static"]:
            self.assertEqual(self.run_here(source / f"build/first_dot_{library}"), "16 terms of f16 onto f32: d = 33800000\n")

    def test_a_python_program_loads_the_shared_library(self):
        if any("-fsanitize" in flag for flag in self.flags()):
            self.skipTest("Python is not built under sanitizers.")
        scripts, library = self.prefix / "share/doc/assay/docs/examples/python", self.library("libassay.so")
        self.assertEqual(self.run_here(sys.executable, scripts / "first_dot.py", library), "16 terms: d = 33800000\n")
        said = self.run_here(sys.executable, scripts / "scoreboard.py", library, status=1)
        self.assertIn("my unit held to model: failed\n", said)
        self.assertIn("smallest failing case: assay explain --instruction cdna1:v_mfma_i32_16x16x16i8", said)

    def test_the_python_package_finds_the_rest(self):
        if any("-fsanitize" in flag for flag in self.flags()):
            self.skipTest("Python is not built under sanitizers.")
        if subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True, check=False).returncode != 0:
            self.skipTest(f"{sys.executable} has no NumPy.")
        folder = next(self.prefix.glob("lib/python3*/dist-packages"))
        said = self.run_here(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{IN_PYTHON}")
        self.assertEqual(said, f"33800000 {self.prefix}\nTrue 1\n")

    # A program of its own elsewhere, which has the library and nothing beside it.
    def test_the_library_finds_the_programs_that_run_devices(self):
        if not (BUILD / "bin/assay-systemc").exists() or any("-fsanitize" in flag for flag in self.flags()):
            return
        script = self.root / "systemc.py"
        script.write_text(OVER_SYSTEMC)
        self.assertEqual(self.run_here(sys.executable, script, self.library("libassay.so")), "0 \n")

    def test_the_shared_library_shows_its_c_interface_only(self):
        header = (self.prefix / "include/assay.h").read_text()
        declared = set(re.findall(r"^[a-z][\w ]*[ *]+(assay_\w+)\(", header, re.MULTILINE))
        self.assertIn("assay_dot", declared)
        self.assertIn("assay_compare", declared)
        listed = self.run_here("nm", "--dynamic", "--defined-only", self.library("libassay.so")).splitlines()
        shown = [line.split()[-1] for line in listed if " A " not in line]
        self.assertEqual({name.split("@")[0] for name in shown}, declared)
        for name in shown:
            self.assertRegex(name, "@@ASSAY_0[.][12]$")

    def test_simulators_find_the_package_and_its_library(self):
        self.assertTrue((self.prefix / "share/assay/dpi/assay_dpi_pkg.sv").is_file())
        listed = self.run_here("nm", "--dynamic", "--defined-only", self.library("libassay_dpi.so")).splitlines()
        names = [line.split()[-1] for line in listed]
        self.assertIn("assay_dpi_open", names)
        self.assertEqual([name for name in names if not name.startswith("assay_dpi_")], [])

    def test_headers_include_no_more_than_is_installed(self):
        headers = sorted((self.prefix / "include/assay/model").rglob("*.hpp"))
        self.assertGreater(len(headers), 10)
        text = "".join(f'#include "{header.relative_to(self.prefix / "include/assay")}"\n' for header in headers)
        text += '#include "tb/devices/serve.hpp"\n'
        source = self.root / "all.cpp"
        source.write_text(text)
        self.run_here("g++", "-std=c++17", "-fsyntax-only", "-I", self.prefix / "include/assay", source)

    def test_brings_the_papers(self):
        for file in ["LICENSE", "README.md", "docs/datapath.md"]:
            self.assertTrue((self.prefix / "share/doc/assay" / file).is_file(), file)

    def test_brings_the_manual_page_and_completion(self):
        for file, words in {"man/man1/assay.1": ".SS assay compare", "zsh/site-functions/_assay": "#compdef assay",
                            "bash-completion/completions/assay": "complete -o default -F _assay assay",
                            "fish/vendor_completions.d/assay.fish": "complete -c assay"}.items():
            self.assertIn(words, (self.prefix / "share" / file).read_text(), file)


if __name__ == "__main__":
    if BUILD is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
