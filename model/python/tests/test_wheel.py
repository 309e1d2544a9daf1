"""The wheel, unpacked elsewhere and used without anything of the tree it was made from."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

USE = """
import assay, numpy as np
from assay import _bench, _library
u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
print(f"{u.dot(np.uint16([0x3c00]), np.uint16([0x3c00]), np.uint32(0xbf7fffff)):08x}")
print(_library.file)
print(_bench._command())
print(u.compare("oracle", cases=50).passed)
mapped = open("/proc/self/maps").read()
print(sorted({line.split()[-1] for line in mapped.splitlines() if "yaml-cpp" in line or "libfmt" in line}))
"""


def said(words, **options):
    ran = subprocess.run(words, check=False, capture_output=True, text=True, **options)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return Path(said([sys.executable, ROOT / "scripts/wheel", tmp_path_factory.mktemp("wheel")]).splitlines()[-1])


def test_it_brings_all_that_it_needs(wheel, tmp_path):
    said([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path, wheel])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY", "PYTHONPATH"))}
    environment["PYTHONPATH"] = str(tmp_path)
    lines = said([sys.executable, "-c", USE], cwd="/", env=environment).splitlines()
    bundle = tmp_path / "assay/_bundle"
    assert lines[:4] == ["33800000", str(bundle / "lib/libassay.so"), str(bundle / "bin/assay"), "True"]
    assert "yaml-cpp" in lines[4] and "libfmt" in lines[4] and "/usr/lib" not in lines[4]
    text = said([sys.executable, "-m", "assay", "list", "hopper"], cwd="/", env=environment)
    assert "wgmma.m64nNk16.f32.f16.f16" in text


def test_its_headers_include_no_others(wheel, tmp_path):
    """What a Verilated unit is compiled with is all there."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
    share = tmp_path / "assay/_bundle/share/assay"
    headers = [*share.rglob("*.hpp")]
    assert share / "tb/devices/rtl/harness.hpp" in headers
    for header in headers:
        for name in re.findall(r'#include "([^"]+)"', header.read_text(encoding="utf-8")):
            assert (share / name).exists(), f"{header} includes {name}"


def test_its_tag_is_what_its_libraries_ask_for(wheel):
    pytest.importorskip("auditwheel")
    text = " ".join(said([sys.executable, "-m", "auditwheel", "show", wheel]).split())
    tag = wheel.stem.split("-")[-1]
    assert (
        f'This constrains the platform tag to "{tag}"' in text
        or f'consistent with the following platform tag: "{tag}"' in text
    )
