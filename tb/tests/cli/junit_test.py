"""junit_test.py ASSAY: holds what `assay check --junit` and `assay compare --junit` write to the shape that readers of
JUnit XML expect."""

import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ASSAY = sys.argv.pop()
INSTRUCTION = "hopper:wgmma.m64nNk16.f32.f16.f16"

# Element -> its attributes, and the elements it may hold.
SCHEMA = {
    "testsuites": (set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testcase"}),
    "testcase": ({"name", "classname", "time"}, {"failure", "error", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


def breaches(element):
    attributes, children = SCHEMA[element.tag]
    found = []
    if set(element.attrib) != attributes:
        found.append(f"<{element.tag}> has {sorted(element.attrib)}, not {sorted(attributes)}")
    for child in element:
        if child.tag not in children:
            found.append(f"<{child.tag}> stands in <{element.tag}>")
        else:
            found += breaches(child)
    return found


class Junit(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def assay(self, *arguments):
        return subprocess.run([ASSAY, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode

    def report(self, status, *arguments):
        path = self.folder / "report.xml"
        self.assertEqual(self.assay(*arguments, "--junit", path), status)
        root = ElementTree.parse(path).getroot()
        self.assertEqual(breaches(root), [])
        (suite,) = root
        cases = list(suite)
        self.assertEqual(int(suite.get("tests")), len(cases))
        self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
        self.assertEqual(int(suite.get("errors")), len(suite.findall("testcase/error")))
        self.assertGreaterEqual(float(suite.get("time")), 0)
        return suite, cases

    def test_check_of_every_outcome(self):
        good, bad, empty = self.folder / "good", self.folder / "<b&d>\"\n\x01", self.folder / "empty"
        self.assay("generate", "--instruction", INSTRUCTION, "--cases", 50, "--with-results", "-o", good)
        self.assay("generate", "--instruction", INSTRUCTION, "--cases", 0, "-o", empty)
        lines = good.read_text().splitlines()
        lines[-1] = lines[-1][:-3] + ("0" if lines[-1][-3] != "0" else "1") + '"}'
        bad.write_text("\n".join(lines) + "\n")
        none = self.folder / "no\udcff"
        suite, cases = self.report(2, "check", good, bad, empty, none)
        self.assertEqual(suite.get("name"), "assay check")
        self.assertEqual([case[0].tag for case in cases], ["system-out", "failure", "error", "error"])
        self.assertEqual(cases[0].get("classname"), INSTRUCTION)
        self.assertIn("compared 50 cases", cases[0][0].text)
        self.assertIn('<b&d>"\n\\x01', cases[1].get("name"))
        self.assertIn("case 49: d differs", cases[1][0].text)
        self.assertEqual(cases[1][0].get("message"), "1 fault in 50 compared cases.")
        self.assertEqual(cases[2][0].get("message"), f"Nothing was compared: {empty} holds no case.")
        self.assertIn("no\\xff cannot be opened", cases[3][0].get("message"))

    def test_compare(self):
        suite, cases = self.report(0, "compare", "--device", "model", "--instruction", INSTRUCTION, "--cases", 20)
        self.assertEqual(suite.get("name"), "assay compare")
        self.assertEqual([case.get("name") for case in cases], ["model held to model"])


if __name__ == "__main__":
    unittest.main()
