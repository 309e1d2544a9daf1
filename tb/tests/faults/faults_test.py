"""faults_test.py ASSAY NAME: plants the fault NAME of rtl_ref/faults/faults.yaml and runs `assay compare` on it, as a user
would. The first differing place, the explanation or the error must be what the table says, and the fault's row in
docs/faults.md what was measured. NAME of a unit: the healthy unit must pass. "page": the page has a row for each fault and
no other; with ASSAY_UPDATE_GOLDEN set, all rows are measured and written."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "faults.md"
BEGIN, END = "<!-- written by tb/tests/faults -->\n", "<!-- end -->\n"
HEAD = """
| fault | what is wrong | first difference, always | cases that differ | of them with a wrong d | explained by |
|---|---|---|---|---|---|
"""
ASSAY, NAME = sys.argv[1:]
TABLE = yaml.safe_load((ROOT / "rtl_ref/faults/faults.yaml").read_text())
FAULTS = {fault["name"]: fault for fault in TABLE["faults"]}
UNITS = {unit["name"]: unit for unit in TABLE["units"]}


def compared(name):
    """What `assay compare` says with its own choice of cases, as data."""
    folder = Path("units") / name  # always the same, so that what was built for it is found again
    subprocess.run([ROOT / "scripts/plant", "--assay", ASSAY, name, folder], check=True, stdout=subprocess.DEVNULL)
    options = FAULTS.get(name, {}).get("options", [])
    done = subprocess.run([ASSAY, "compare", "--device", f"rtl:{folder}/dut.yaml", "--json", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{name}: compare ends with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def listed(patterns):
    return [patterns] if isinstance(patterns, str) else patterns


def fits(text, patterns):
    """Whether `text` is one of `patterns`, where * is any text."""
    return any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text) for pattern in listed(patterns))


def code(patterns):
    return ", ".join(f"`{pattern}`" for pattern in listed(patterns))


def row(fault, summary):
    """A line of the page. Where a pipeline stalls, and so how often it fails, hangs on how fast its requests come."""
    where = [code(fault["place"])] if "place" in fault else []
    where += [f'"{error.strip("* :")}"' for error in listed(fault.get("error", []))]
    explained = (code(fault["explained"]) if "explained" in fault else f"{fault['alone']} alone" if "alone" in fault
                 else "d is right" if "masked" in fault else "no word")
    counts = [f"{summary['differs'] + summary['masked']:,}", f"{summary['differs']:,}"]
    if UNITS[fault["unit"]]["pipelined"]:
        counts = ["by stalls"] * 2
    what = fault["what"] + (f" (`{' '.join(fault['options'])}`)" if "options" in fault else "")
    return "| " + " | ".join([f"`{fault['name']}`", what, "; ".join(where), *counts, explained]) + " |\n"


def page_text():
    """The generated part of the page, measured."""
    text = ""
    for unit in TABLE["units"]:
        rows = [row(fault, compared(fault["name"])["summary"]) for fault in TABLE["faults"]
                if fault["unit"] == unit["name"]]
        text += f"\n`{unit['name']}`: {unit['about']}.\n{HEAD}{''.join(rows)}"
    return text + "\n"


class Faults(unittest.TestCase):
    def test_it(self):
        if NAME == "page":
            self.hold_page()
        elif NAME in UNITS:
            self.hold_healthy(compared(NAME)["summary"])
        else:
            self.hold_fault(FAULTS[NAME], compared(NAME))

    def hold_page(self):
        before, rest = PAGE.read_text().split(BEGIN)
        generated, after = rest.split(END)
        if "ASSAY_UPDATE_GOLDEN" in os.environ:
            generated = page_text()
            PAGE.write_text(before + BEGIN + generated + END + after)
        self.assertGreaterEqual(len(FAULTS), 30)
        named = re.findall(r"^\| `(\w+)` \|", generated, re.MULTILINE)
        self.assertEqual(sorted(named), sorted(FAULTS))

    def hold_healthy(self, summary):
        self.assertEqual(summary["conclusion"], "passed")
        self.assertEqual((summary["compared"], summary["traced"]), (5000, 5000))

    def hold_fault(self, fault, found):
        summary = found["summary"]
        self.assertEqual(summary["conclusion"], "failed")
        errors = [failure["device_error"] for failure in found["failures"] if "device_error" in failure]
        self.assertEqual([error for error in errors if not fits(error, fault.get("error", []))], [])
        self.assertEqual(summary["device_errors"] > 0, "error" in fault)
        if "place" in fault:
            self.hold_place(fault, summary)
            self.hold_explanation(fault, summary, found.get("explanation", [""])[0])
        self.assertIn(row(fault, summary), PAGE.read_text(), "ASSAY_UPDATE_GOLDEN=1 ctest -R Faults.page writes it anew")

    def hold_place(self, fault, summary):
        places = summary["first_places"]
        self.assertNotEqual(places, [])
        self.assertEqual([entry for entry in places if not fits(entry["name"], fault["place"])], [])
        self.assertEqual(sum(entry["cases"] for entry in places), summary["differs"] + summary["masked"])

    def hold_explanation(self, fault, summary, said):
        match = re.fullmatch(r"nearest explanation: (\d+) of (?:the first )?(\d+) failures agree if (.+)", said)
        if fault.get("masked"):
            self.assertEqual((summary["differs"], said), (0, ""))
        elif "explained" in fault:
            self.assertTrue(match and match[1] == match[2] and match[3] == fault["explained"], said)
        elif "alone" in fault:
            self.assertRegex(said, rf"^nearest explanation: {fault['alone']} alone (is|are) wrong: ")
        else:
            self.assertGreater(summary["differs"], 0)
            self.assertFalse(match and match[1] == match[2], said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
