"""shipped.py ASSAY MEASURE FOLDER systemc|rtl [FIRST EVERY]: puts each shipped datapath (or every EVERYth, from FIRST on), by the first
instruction that has it, to identify_measure as a box: as the SystemC module, or as the RTL that export-sv writes into FOLDER. A
row each, of the table of docs/identify.md, and a last one that counts. SystemC is elaborated once a process, so each box
has its own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

NO_ANSWER = "no answer: "


def output_of(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def beside_systemc(assay, measure, folder):
    """The device systemc starts the program that stands beside the one that opens it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(assay).with_name("assay-systemc"), folder)
    return shutil.copy(measure, folder)


def instructions(assay):
    """The first instruction of each datapath."""
    first = {}
    for i in json.loads(output_of(assay, "list", "--json")):
        first.setdefault(i["datapath"], f"{i['architecture']}:{i['instruction']}")
    return first


def exported(assay, folder, instruction):
    folder.mkdir(parents=True, exist_ok=True)
    dut = folder / "dut.yaml"
    command = [assay, "export-sv", "--instruction", instruction, "--module", "unit"]
    (folder / "unit.sv").write_text(output_of(*command))
    dut.write_text(output_of(*command, "--dut", "unit.sv"))
    return dut


def row(assay, measure, folder, kind, instruction):
    device = "systemc" if kind == "systemc" else f"rtl:{exported(assay, folder, instruction)}"
    printed = output_of(measure, "box", device, instruction)
    return next(line for line in printed.splitlines() if line.startswith(f"| {device} |"))


def main():
    assay, measure, folder, kind, *numbers = sys.argv[1:]
    first, every = [int(n) for n in numbers] or (0, 1)
    if kind == "systemc":
        measure = beside_systemc(assay, measure, Path(folder))
    counts = {}
    for datapath, instruction in list(instructions(assay).items())[first::every]:
        try:
            cells = row(assay, measure, Path(folder) / datapath, kind, instruction).strip("| ").split(" | ")
            found = cells[4].split(";")[0] if len(cells) > 4 else NO_ANSWER + cells[-1].removeprefix(NO_ANSWER)
            print(f"| {datapath} ({instruction}) | {' | '.join(cells[1:])} |", flush=True)
        except RuntimeError as error:
            found = NO_ANSWER + str(error)
            print(f"| {datapath} ({instruction}) | | | | {found} |", flush=True)
        word = NO_ANSWER.rstrip(": ") if found.startswith(NO_ANSWER) else found
        counts[word] = counts.get(word, 0) + 1
    print(f"{sum(counts.values())} units: " + ", ".join(f"{n} {word}" for word, n in counts.items()))


if __name__ == "__main__":
    main()
