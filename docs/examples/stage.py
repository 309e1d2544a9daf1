#!/usr/bin/env python3
"""A stage that no word describes: an adder whose carries do not cross bit 8 (docs/devices.md).

assay asks for the bits of each place named in the first line, and tells the bits of those that it reads.
"""

import json
import sys

CUT = 8


def say(line):
    print(json.dumps(line), flush=True)


def signed(digits, width):
    value = int(digits, 16)
    return value - (1 << width) if value >> (width - 1) else value


def added(addends):
    low = sum(x % (1 << CUT) for x in addends) % (1 << CUT)
    high = sum(x >> CUT for x in addends)
    return (high << CUT) + low


say({"places": ["step[*].sum.reduce"], "reads": ["step[*].sum.align[*]"]})
header = json.loads(sys.stdin.readline())
for line in sys.stdin:
    asked = json.loads(line)
    if "end" in asked:
        break
    step = asked["place"].rsplit(".", 1)[0]
    addends = [signed(bits, header["reads"][name]) for name, bits in asked["trace"].items() if name.startswith(step)]
    width = header["places"][asked["place"]]
    value = added(addends) % (1 << width)
    say({"id": asked["id"], "bits": f"{value:0{(width + 3) // 4}x}"})
