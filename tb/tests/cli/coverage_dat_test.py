#!/usr/bin/env python3
"""coverage_dat_test.py ASSAY: verilator_coverage reads what assay writes, adds the counts of two shards, and annotates."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

INSTRUCTION = "hopper:wgmma.m64nNk16.f32.f16.f16"
LINE = re.compile(r"^C '(.*)' (\d+)$")


def done(folder, *command):
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}: exit status {ran.returncode}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


def counts(path):
    """Bin -> count of a .dat, whatever the order of its lines."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        name, count = LINE.match(line).groups()
        assert name not in found, f"{path}: {name!r} stands twice"
        found[name] = int(count)
    return found


def covered(assay, folder, shard):
    done(folder, assay, "coverage", "--instruction", INSTRUCTION, "--cases", "600", "--shard", shard, "--dat",
         shard[0] + ".dat")
    return counts(folder / (shard[0] + ".dat"))


def main():
    assay = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = covered(assay, folder, "1/2"), covered(assay, folder, "2/2")
        assert len(first) > 600 and first.keys() == second.keys() and sum(first.values()) > 600

        done(folder, "verilator_coverage", "--write", "both.dat", "1.dat", "2.dat")
        both = counts(folder / "both.dat")
        assert both == {bin: first[bin] + second[bin] for bin in first}, "verilator_coverage adds up something else"

        hit = sum(count > 0 for count in both.values())
        said = done(folder, "verilator_coverage", "--annotate", "annotated", "--annotate-all", "--annotate-min", "1",
                    "both.dat")
        assert f"({hit}/{len(both)})" in said, said
        (bins,) = folder.glob("coverage-*.bins")
        annotated = (folder / "annotated" / bins.name).read_text(encoding="utf-8")
        (line,) = [line for line in annotated.splitlines() if line.endswith("\tsum.owner: acc")]
        (owner,) = [count for bin, count in both.items() if bin.endswith("\1o\2acc\1h\2sum.owner")]
        assert owner > 0 and re.fullmatch(r".0*%d\t.*" % owner, line), (owner, line)


if __name__ == "__main__":
    main()
