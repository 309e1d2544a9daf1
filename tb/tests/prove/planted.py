"""planted.py ASSAY FOLDER [--seconds N] [NAME...]: plants units of rtl_ref/faults, right ones and faults (all faults where none is
named), in FOLDER and asks `assay prove` about each: a row each, of the table of docs/prove.md, and a last one that counts."""

import argparse
import collections
import json
import subprocess
import sys
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
FAULTS = [fault["name"] for fault in yaml.safe_load((ROOT / "rtl_ref/faults/faults.yaml").read_text())["faults"]]


def proof_of(assay, folder, seconds, name):
    subprocess.run([ROOT / "scripts/plant", "--assay", assay, name, folder / name], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([assay, "prove", folder / name / "dut.yaml", "--anew", "--json", "--seconds", str(seconds)],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        return {"answer": "no proof", "places": [], "why": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)["proofs"][0]


def told(proof):
    """Each answer with how many places have it, and the first that is refuted with what refuted it; or why there is none."""
    if "why" in proof:
        return proof["why"]
    counts = collections.Counter(place["answer"] for place in proof["places"])
    refuted = [f"{place['place']} by {place['engines']}" for place in proof["places"] if place["answer"] == "refuted"]
    return ", ".join([f"{count} {answer}" for answer, count in sorted(counts.items())] + refuted[:1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assay")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    asked = parser.parse_args()
    answers = collections.Counter()
    for name in asked.names or FAULTS:
        began = time.monotonic()
        proof = proof_of(asked.assay, asked.folder, asked.seconds, name)
        answers[proof["answer"]] += 1
        print(f"{name:<32} {proof['answer']:<8} {time.monotonic() - began:6.1f} s  {told(proof)}", flush=True)
    print(", ".join(f"{count} {answer}" for answer, count in answers.most_common()))


if __name__ == "__main__":
    sys.exit(main())
