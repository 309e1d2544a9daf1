"""fake_stage.py MODE: a program that computes sums, well or in a way that its mode says."""

import json
import sys
import time

MODE = sys.argv[1]
PLACES = {"no_place": ["step[*].sum.nothing"], "special": ["step[*].special"], "rounds": ["step[0].sum.round"]}


def say(line):
    print(json.dumps(line), flush=True)


def signed(digits, width):
    value = int(digits, 16)
    return value - (1 << width) if value >> (width - 1) else value


def answer(asked, header):
    addends = [signed(bits, header["reads"][name]) for name, bits in asked["trace"].items()]
    width = header["places"][asked["place"]]
    say({"id": asked["id"], "bits": f"{sum(addends) % (1 << width):0{(width + 3) // 4}x}"})


def misbehave(asked):
    """What stands in the first mode that it is asked in."""
    if MODE == "width":
        say({"id": asked["id"], "bits": "0"})
    elif MODE == "id":
        say({"id": asked["id"] + 1, "bits": "0"})
    elif MODE == "garbage":
        print("no JSON", flush=True)
    elif MODE == "error":
        say({"id": asked["id"], "error": "the adder is broken."})
    elif MODE == "neither":
        say({"id": asked["id"]})
    elif MODE == "class":
        say({"id": asked["id"], "bits": "f" * len(f"{0:0{(WIDTHS[asked['place']] + 3) // 4}x}")})
    elif MODE == "dies":
        sys.exit(3)
    elif MODE == "silent":
        time.sleep(100)
    elif MODE == "rounds":
        width = WIDTHS[asked["place"]]
        say({"id": asked["id"], "bits": f"{3 << (width - 2):0{(width + 3) // 4}x}"})


if MODE == "greeting":
    say({"device": "mine"})
else:
    say({"places": PLACES.get(MODE, ["step[*].sum.reduce"]), "reads": ["step[0].sum.align[*]"]})
header = json.loads(sys.stdin.readline())
WIDTHS = header["places"]
asked = 0
for line in sys.stdin:
    question = json.loads(line)
    if "end" in question:
        if MODE == "late":
            say({"id": 7})
        sys.exit(5 if MODE == "status" else 0)
    asked += 1
    if MODE in ("good", "late", "status") or (asked != 2 and MODE != "rounds"):
        answer(question, header)
    else:
        misbehave(question)
