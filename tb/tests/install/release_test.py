#!/usr/bin/env python3
"""release_test.py SOURCE BUILD: what scripts/release makes, unpacked where nothing can be written, and used.

With ASSAY_FULL=1 the archive is made for this machine; ASSAY_RELEASE names one that is made already. Without either, the libraries
of the ordinary build are looked at, and loaded into a program that brings a C++ library of its own.
"""

import base64
import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime
from pathlib import Path

SOURCE, BUILD = (Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 2 else (None, None)
GIVEN, FULL = os.environ.get("ASSAY_RELEASE"), os.environ.get("ASSAY_FULL") == "1"
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"
ONE = ["explain", "--instruction", WGMMA, "--a", "3c00", "--b", "3c00", "--c", "bf7fffff"]
NEWEST_GLIBC = (2, 28)
OF_GLIBC = r"(lib(c|m|pthread|dl|rt)|ld-linux[\w-]*)\.so\.\d+"

HOST = r"""
// A program with a C++ library of its own, all of which it shows to what it loads, as simulators do.
#include <dlfcn.h>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

using Open = int (*)(const char*, void**, char*);
using UnitOpen = int (*)(void*, const char*, void**, char*);
using Unit = void* (*)(const char*, int, int, int, int, int);
using Text = const char* (*)(void*);

template <typename Function>
Function symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function>(found);
}

int main(int, char** argv) try {
  void* c = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  void* dpi = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
  if (c == nullptr || dpi == nullptr) throw std::runtime_error(dlerror());
  char message[1024] = "";
  void *catalogue = nullptr, *unit = nullptr;
  std::cout << symbol<Open>(c, "assay_catalogue_open")(nullptr, &catalogue, message);
  std::cout << symbol<UnitOpen>(c, "assay_unit_open")(catalogue, "hopper:wgmma.m64nNk16.f32.f16.f16", &unit, message);
  std::cout << (symbol<UnitOpen>(c, "assay_unit_open")(catalogue, "no such unit", &unit, message) != 0) << message << "\n";
  void* wrong = symbol<Unit>(dpi, "assay_dpi_open")("hopper:wgmma.m64nNk16.f32.f16.f16", 15, 16, 16, 32, 32);
  std::cout << symbol<Text>(dpi, "assay_dpi_error_text")(wrong) << "\n";
  std::map<std::string, int> ours{{"one", 1}};
  std::ostringstream text;
  text << ours.at("one");
  ours.at("two");
} catch (const std::out_of_range&) {
  std::cout << "ours is caught\n";
}
"""


def said(*words, status=0, **options):
    run = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, **options)
    assert run.returncode == status, f"{words}\n{run.stdout[-3000:]}{run.stderr[-3000:]}"
    return run.stdout + run.stderr


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needs(path):
    """(names of libraries, the newest glibc asked for, whether it looks in folders of its own)."""
    dynamic, versions = said("readelf", "--dynamic", path), said("readelf", "--version-info", path)
    libraries = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)
    of_glibc = [tuple(int(part) for part in version.split(".")) for version in re.findall(r"Name: GLIBC_([\d.]+)", versions)]
    return libraries, max(of_glibc, default=(0,)), bool(re.search(r"\((RPATH|RUNPATH)\)", dynamic))


def shown(library):
    return {line.split()[-1].split("@")[0] for line in said("nm", "--dynamic", "--defined-only", library).splitlines() if " A " not in line}


class Libraries(unittest.TestCase):
    """Of the ordinary build, every day."""

    c, dpi = BUILD and BUILD / "tb/capi/libassay.so", BUILD and BUILD / "tb/dpi/libassay_dpi.so"
    compilers, emulated = "", []

    def test_show_only_what_is_theirs(self):
        declared = set(re.findall(r"^[a-z][\w ]*[ *]+(assay_\w+)\(", (SOURCE / "tb/capi/assay.h").read_text(encoding="utf-8"), re.MULTILINE))
        imported = set(re.findall(r'import "DPI-C"[^;]*?\b(assay_dpi_\w+)\s*\(', (SOURCE / "tb/dpi/assay_dpi_pkg.sv").read_text(encoding="utf-8")))
        self.assertGreater(len(declared), 30)
        self.assertGreater(len(imported), 5)
        self.assertEqual(shown(self.c), declared)
        self.assertEqual(shown(self.dpi), imported)

    def test_live_in_a_program_with_a_library_of_its_own(self):
        if not shutil.which(self.compilers + "g++"):
            self.skipTest(f"There is no {self.compilers}g++ here, which brings another C++ library.")
        with tempfile.TemporaryDirectory() as scratch:
            source, program = Path(scratch) / "host.cpp", Path(scratch) / "host"
            source.write_text(HOST, encoding="utf-8")
            said(self.compilers + "g++", "-std=c++17", source, "-o", program, "-static-libstdc++", "-static-libgcc", "-rdynamic", "-ldl")
            self.assertNotIn("libstdc++.so.6", needs(program)[0])
            lines = said(*self.emulated, program, self.c, self.dpi).splitlines()
        self.assertTrue(lines[0].startswith("001"), lines)
        self.assertIn("no such unit", lines[0])
        self.assertIn("15", lines[1])
        self.assertEqual(lines[2], "ours is caught")

    def test_what_is_newer_would_be_seen(self):
        """The ordinary command, built here, is what a release must not be."""
        libraries, newest, _ = needs(BUILD / "bin/assay")
        self.assertIn("libstdc++.so.6", libraries)
        self.assertNotRegex("libstdc++.so.6", OF_GLIBC + "$")
        self.assertGreater(newest, NEWEST_GLIBC)


@unittest.skipUnless(shutil.which("cmake"), "There is no CMake here.")
class PackageOfSources(unittest.TestCase):
    """find_package(assay) of a release, configured and not built."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="assay_package_"))
        self.addCleanup(shutil.rmtree, self.folder)
        said("cmake", "--install", BUILD, "--component", "sources", "--prefix", self.folder / "assay")

    def configured(self, text, status=0, languages="C CXX"):
        project = self.folder / "project"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.21)\nproject(asks LANGUAGES {languages})\n{text}\n"
            "foreach(name c model systemc)\n  if(TARGET assay::${name})\n    message(\"there is ${name}.\")\n  endif()\nendforeach()\n",
            encoding="utf-8")
        found = said("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.folder}/assay", status=status)
        return " ".join(found.split())  # CMake breaks lines

    def test_has_no_other_component(self):
        for name in ("nope", "machine"):
            text = self.configured(f"find_package(assay REQUIRED COMPONENTS {name})", status=1)
            self.assertIn(f"the component systemc alone, and no {name}.", text)
        text = self.configured("find_package(assay REQUIRED OPTIONAL_COMPONENTS nope)\nmessage(\"nope: ${assay_nope_FOUND}\")")
        self.assertIn("nope: FALSE", text)
        self.assertIn("there is model.", text)

    def test_needs_no_cxx_for_c(self):
        self.assertIn("there is c.", self.configured("find_package(assay REQUIRED)", languages="C"))
        text = self.configured("find_package(assay REQUIRED COMPONENTS systemc)", languages="C", status=1)
        self.assertIn("has to enable CXX", text)

    def test_may_be_asked_several_times(self):
        if subprocess.run(["pkg-config", "--exists", "systemc"], check=False).returncode != 0:
            self.skipTest("There is no SystemC here.")
        text = self.configured("find_package(assay REQUIRED)\nfind_package(assay REQUIRED COMPONENTS systemc)\n"
                               "find_package(assay REQUIRED)\nfind_package(assay REQUIRED COMPONENTS systemc)")
        for name in ("c", "model", "systemc"):
            self.assertIn(f"there is {name}.", text)


@unittest.skipUnless(FULL or GIVEN, "The archive takes a quarter of an hour: with ASSAY_FULL=1, or ASSAY_RELEASE=ARCHIVE.")
class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="assay_release_", dir="/var/tmp"))
        cls.addClassCleanup(cls.remove)
        cls.archive = Path(GIVEN or said(SOURCE / "scripts/release", "--out", cls.folder / "out").splitlines()[-1]).resolve()
        said("tar", "--zstd", "-xf", cls.archive, "-C", cls.folder)
        cls.prefix = cls.folder / cls.archive.name.removesuffix(".tar.zst")
        cls.machine = cls.prefix.name.rsplit("-", 1)[1]
        other = cls.machine != platform.machine()
        cls.emulated = [f"qemu-{cls.machine}", "-L", str(SOURCE / f"build/{cls.machine}-root")] if other else []
        cls.compilers = f"{cls.machine}-linux-gnu-" if other else ""
        said("chmod", "-R", "a-w,a+rX", cls.prefix)
        cls.folder.chmod(0o755)

    @classmethod
    def remove(cls):
        said("chmod", "-R", "u+w", cls.folder)
        shutil.rmtree(cls.folder)

    def assay(self, *words, status=0, **variables):
        """As nobody, who owns nothing here and has no home."""
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        return said(*nobody, *self.emulated, self.prefix / "bin/assay", *words, status=status, cwd="/",
                    env={"PATH": "/usr/bin:/bin", **variables})

    def programs(self):
        found = [path for path in self.prefix.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path)]
        names = {path.name for path in found}
        self.assertLessEqual({"assay", "assay-host", "assay-systemc", "libassay_dpi.so"}, names)
        return found

    def test_needs_glibc_alone_and_an_old_one(self):
        for path in self.programs():
            with self.subTest(file=path.name):
                libraries, newest, looks = needs(path)
                self.assertEqual([name for name in libraries if not re.fullmatch(OF_GLIBC, name)], [])
                self.assertLessEqual(newest, NEWEST_GLIBC)
                self.assertGreater(newest, (2, 0))
                self.assertFalse(looks)

    def test_says_nothing_of_where_and_when_it_was_made(self):
        """Which a second archive of the same commit would not have."""
        day = datetime.fromtimestamp(self.archive.stat().st_mtime).strftime("%b %e %Y").encode()
        held = {path.name: path.read_bytes() for path in self.programs()}
        page = self.prefix / "share/assay-pages/explorer.html"
        if page.exists():
            self.assertTrue(b"==================== assay\n" in page.read_bytes(), "the page's own licence is not under its own name")
            held[page.name] = gzip.decompress(base64.b64decode(re.search(rb"H4sI[\w+/=]{1000,}", page.read_bytes())[0]))
        for name, text in held.items():
            with self.subTest(file=name):
                self.assertFalse(day in text, f"{name} says {day.decode()}")
                self.assertFalse(f"{SOURCE}/".encode() in text, f"{name} has paths of {SOURCE}")
                self.assertFalse(b"../model/core/" in text, f"{name} has paths from the folder where it was compiled")

    def test_its_libraries_show_only_what_is_theirs(self):
        self.of_libraries().test_show_only_what_is_theirs()

    def test_its_libraries_live_in_a_program_with_a_library_of_its_own(self):
        self.of_libraries().test_live_in_a_program_with_a_library_of_its_own()

    def of_libraries(self):
        libraries = Libraries()
        libraries.compilers, libraries.emulated = self.compilers, self.emulated
        libraries.c, libraries.dpi = self.prefix / "lib/libassay.so", self.prefix / "lib/libassay_dpi.so"
        return libraries

    def test_runs(self):
        self.assertIn("d           33800000", self.assay(*ONE))
        # A system starts no program of another processor by itself.
        systemc = " ".join(["exec:" + " ".join(self.emulated), str(self.prefix / "bin/assay-systemc")]) if self.emulated else "systemc"
        for device in ("oracle", systemc):
            self.assertIn("passed", self.assay("compare", "--device", device, "--instruction", WGMMA, "--cases", "200"))
        self.assertEqual(self.assay("--version").splitlines()[-1], said(BUILD / "bin/assay", "--version").splitlines()[-1])
        evidence = self.assay("evidence")
        self.assertIn("captured", evidence)
        self.assertEqual(evidence, said(BUILD / "bin/assay", "evidence"))
        self.assertNotIn("assay-systemc beside", self.assay("doctor"))
        wave = ["wave", "--instruction", "cdna2:v_mfma_f32_16x16x4f32", "--seed", "7"]
        self.assertEqual(self.assay(*wave), said(BUILD / "bin/assay", *wave))

    def test_generates_what_the_build_generates(self):
        """Another compiler takes arguments in another order, and another library answers what has no answer."""
        unlike = {}
        for one in json.loads(said(BUILD / "bin/assay", "list", "--json")):
            unlike.setdefault(tuple(one[key] for key in ("datapath", "k", "a", "b", "c", "d")),
                              f"{one['architecture']}:{one['instruction']}")
        self.assertGreater(len(unlike), 500)
        for instruction in unlike.values():
            words = ["generate", "--instruction", instruction, "--cases", "300"]
            with self.subTest(instruction=instruction):
                self.assertTrue(self.assay(*words) == said(BUILD / "bin/assay", *words), f"assay {' '.join(words)} differs")

    def test_sums_are_right_and_of_all_files(self):
        lines = (self.prefix / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
        there = {str(path.relative_to(self.prefix)): path for path in self.prefix.rglob("*") if path.is_file() and not path.is_symlink()}
        self.assertEqual(set(sums), set(there) - {"SHA256SUMS"})
        for name, digest in sums.items():
            self.assertEqual(hashlib.sha256(there[name].read_bytes()).hexdigest(), digest, name)

    @unittest.skipIf(GIVEN, "An archive that is given was made already.")
    def test_is_the_same_bytes_when_made_again(self):
        again = Path(said(SOURCE / "scripts/release", "--out", self.folder / "again").splitlines()[-1])
        self.assertEqual(again.read_bytes(), self.archive.read_bytes())

    def test_says_what_is_linked_in(self):
        document = json.loads((self.prefix / "assay.spdx.json").read_text(encoding="utf-8"))
        listed = {package["name"] for package in document["packages"]}
        texts = {path.stem for path in (self.prefix / "licences").iterdir()}
        self.assertEqual(listed - {"assay"}, texts)
        self.assertLessEqual({"gmp", "yaml-cpp", "systemc", "libcxx", "librandom123-dev"}, texts)
        self.assertTrue(list((self.prefix / "sources").glob("gmp_*.orig.tar.*")))
        for path in (self.prefix / "licences").iterdir():
            self.assertGreater(path.stat().st_size, 200, path)

    def test_brings_nothing_of_the_machine_it_was_made_on(self):
        for path in self.programs():
            self.assertNotIn(str(SOURCE).encode(), path.read_bytes(), path)

    def test_brings_the_rest(self):
        for name in ("share/man/man1/assay.1", "share/bash-completion/completions/assay", "share/assay/rtl_ref/assay_pkg.sv",
                     "share/assay/dpi/assay_dpi_pkg.sv", "share/assay/configs/arch/hopper.yaml", "include/assay.h", "LICENSE",
                     "share/doc/assay/docs/installing.md"):
            self.assertTrue((self.prefix / name).is_file(), name)

    @unittest.skipUnless(shutil.which("tclsh"), "There is no tclsh here, which reads what environment-modules reads.")
    def test_a_module_leads_to_it(self):
        file, = (self.prefix / "share/modulefiles/assay").iterdir()
        commands = "proc setenv {n v} {puts \"$n=$v\"}; proc prepend-path {n v} {puts \"$n=$v\"}; proc conflict {n} {}; " \
                   f"proc module-whatis {{t}} {{puts $t}}; set ModulesCurrentModulefile {{{file}}}; source {{{file}}}"
        lines = said("tclsh", input=commands).splitlines()
        self.assertIn(f"PATH={self.prefix}/bin", lines)
        self.assertIn(f"MANPATH={self.prefix}/share/man", lines)

    def builds(self, name, *words):
        build = self.folder / f"build_{name}"
        source = self.prefix / "share/doc/assay/docs/examples" / name
        said("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", *words)
        said("cmake", "--build", build, "--parallel", "2")
        return build

    def test_its_sources_build_against_the_systemc_that_is_here(self):
        if self.emulated or subprocess.run(["pkg-config", "--exists", "systemc"], check=False).returncode != 0:
            self.skipTest("There is no SystemC here for this processor.")
        build = self.builds("systemc", *(["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []))
        self.assertIn("42000000 42040000 42080000 00000000 after 20 ns", said(build / "first_platform"))

    def test_a_c_program_links_it(self):
        flags = said("pkg-config", "--cflags", "--libs", "assay", env={**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")})
        program = self.folder / "first_dot"
        said(self.compilers + "gcc", self.prefix / "share/doc/assay/docs/examples/c/main.c", f'-DCATALOGUE="{self.prefix}/share/assay"', "-o", program,
             *flags.split(), f"-Wl,-rpath,{self.prefix}/lib")
        self.assertIn("d = 33800000", said(*self.emulated, program))

    @unittest.skipUnless(shutil.which("verilator"), "There is no Verilator here.")
    def test_rtl_is_built_from_it(self):
        if self.emulated:
            self.skipTest("It is of another processor.")
        cache = self.folder / "cache"
        cache.mkdir(mode=0o777)
        cache.chmod(0o777)
        dut = self.prefix / "share/assay/configs/dut/fused_f25_f16.yaml"
        self.assertIn("passed", self.assay("compare", "--device", f"rtl:{dut}", "--instruction", WGMMA, "--cases", "50", ASSAY_CACHE=str(cache)))

    def test_surroundings(self):
        if self.emulated:
            self.skipTest("It is of another processor.")
        said(sys.executable, Path(__file__).with_name("surroundings_test.py"), self.prefix)


if __name__ == "__main__":
    if SOURCE is None:
        sys.exit(__doc__)
    unittest.main()
