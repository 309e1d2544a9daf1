#!/usr/bin/env python3
"""merge_test.py ASSAY: 10^4 results of a campaign, each with as many failures as a result keeps, are merged in less than 200 MB,
and every one of them is counted. Prints what it took.
"""

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHARDS = 10_000
MOST = 200  # MB
WRONG = "name: wrong\nlike: fused_f25\nnan: 7fc00000\noperands: {a: f16, b: f16, c: f32, d: f32}\nk: 16\n"


def ran(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != status:
        sys.exit(f"merge_test: {command} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def sealed(head):
    """The first line of a result, with the hash of what it says."""
    said = json.dumps(head, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps({**head, "head": hashlib.sha256(said.encode()).hexdigest()})


def main():
    assay = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "wrong.yaml").write_text(WRONG)
        (folder / "c.yaml").write_text(f"campaign: wide\nkind: compare\ndevice: model:wrong.yaml\nshards: {SHARDS}\nblock: 1000\n"
                                       f"instruction: hopper:wgmma.m64nNk16.f32.f16.f16\ncases: {1000 * SHARDS}\n")
        campaign = folder / "campaign"
        ran(assay, "campaign", "plan", folder / "c.yaml", "-o", campaign)
        ran(assay, "campaign", "run", campaign, "--shard", 1)
        first = (campaign / "results/0000/000001.json").read_text()
        head, record = first.split("\n")[:2]
        told = {**json.loads(head), "seconds": 1.0}
        del told["head"]
        # Results of the other shards: the same record under their numbers.
        for shard in range(2, SHARDS + 1):
            path = campaign / f"results/{(shard - 1) // 1000:04}/{shard:06}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(sealed({**told, "shard": shard}) + "\n" + record + "\n")
        began = time.monotonic()
        ran(assay, "campaign", "merge", campaign, status=1)
        seconds = time.monotonic() - began
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        report = json.loads((campaign / "merged/report.json").read_text())
        summary = report["comparisons"][0]["summary"]
        one = json.loads(record)
        if summary["compared"] != 1000 * SHARDS or summary["differs"] != SHARDS * one["counts"][1] or not summary["differs"]:
            sys.exit(f"merge_test: not every result is counted: {summary['compared']} cases, {summary['differs']} differ")
        began = time.monotonic()
        ran(assay, "campaign", "status", campaign, status=1)
        print(f"{SHARDS} results of {len(first)} bytes merged in {seconds:.1f} s and {most:.0f} MB; status in {time.monotonic() - began:.1f} s")
        if most > MOST:
            sys.exit(f"merge_test: {most:.0f} MB are more than {MOST}")


if __name__ == "__main__":
    main()
