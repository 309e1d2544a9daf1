"""planted.py ASSAY MEASURE FOLDER [NAME...]: plants units of rtl_ref/faults, right ones and faults (all where none is named), in
FOLDER and puts each to identify_measure as a box of RTL: the table of docs/identify.md."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def main():
    assay, measure, folder, *names = sys.argv[1:]
    plant = [ROOT / "scripts/plant", "--assay", assay]
    names = names or subprocess.run([*plant, "--list"], check=True, capture_output=True, text=True).stdout.split()
    boxes = []
    for name in names:
        unit = Path(folder) / name
        subprocess.run([*plant, name, unit], check=True, stdout=subprocess.DEVNULL)
        boxes += [f"rtl:{unit}/dut.yaml", unit / "datapath.yaml"]
    return subprocess.run([measure, "box", *boxes], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
