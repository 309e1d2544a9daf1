#!/usr/bin/env python3
"""A device in 40 lines: d = c + a . b of signed bytes, summed in 32 bits that wrap.

assay starts it (--device "exec:python3 device.py") and speaks JSON lines with it: docs/devices.md has the table.
"""

import json
import sys

INSTRUCTIONS = ["cdna1:v_mfma_i32_16x16x16i8", "cdna1:v_mfma_i32_32x32x8i8", "cdna3:v_mfma_i32_16x16x32_i8"]


def signed(code, bits):
    """The number that hexadecimal two's complement of so many bits stands for."""
    value = int(code, 16)
    return value - (1 << bits) if value >> (bits - 1) else value


def dot(case):
    products = (signed(a, 8) * signed(b, 8) for a, b in zip(case["a"], case["b"]))
    total = signed(case["c"], 32) + sum(products)
    return f"{total & 0xffffffff:08x}"


def say(line):
    print(json.dumps(line), flush=True)


say({"device": "bytes in Python", "instructions": INSTRUCTIONS, "trace": False, "window": 64})
sys.stdin.readline()  # the header: which of the instructions is meant, which does not matter here
for line in sys.stdin:
    case = json.loads(line)
    if "end" in case:
        say(case)
        break
    try:
        say({"id": case["id"], "d": dot(case)})
    except (KeyError, ValueError) as error:
        say({"id": case["id"], "error": f"This case cannot be computed: {error!r}."})
