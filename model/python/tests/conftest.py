"""What several tests share."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

import assay
from assay import _bench

ROOT = Path(__file__).resolve().parents[3]
WGMMA = "hopper:wgmma.m64nNk16.f32.f16.f16"
SCALED = "rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0"
BYTES = "cdna1:v_mfma_i32_16x16x16i8"

# A shell's job in the background is born deaf to Ctrl-C, which is what some tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def wgmma():
    return assay.instruction(WGMMA)


@pytest.fixture(scope="session")
def scaled():
    return assay.instruction(SCALED)


@pytest.fixture(scope="session")
def integers():
    return assay.instruction(BYTES)


def command(*words):
    """What the command writes, as JSON."""
    ran = subprocess.run([_bench._command(), *map(str, words)], capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1, 3), ran.stderr
    return json.loads(ran.stdout)
