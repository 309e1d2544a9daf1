#!/usr/bin/env python3
"""attack_test.py ASSAY: scripts/attack is given a command with a fault planted in it, and must find it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else None
ATTACK = Path(__file__).resolve().parents[3] / "scripts/attack"


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.root.chmod(0o755)

    def attack(self, only, fault):
        """What scripts/attack says of assay with some lines of bash before it, in which $words is its command line."""
        fake = self.root / "assay"
        fake.write_text(f'#!/bin/bash\nwords="$*"\n{fault}\nexec {ASSAY} "$@"\n')
        fake.chmod(0o755)
        ran = subprocess.run(
            [ATTACK, "--assay", fake, "--only", only, "--keep", self.root / "kept"],
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout + ran.stderr

    def finds(self, only, fault, *words):
        status, said = self.attack(only, fault)
        self.assertEqual(status, 1, said)
        for word in [*words, "cd ", str(self.root / "kept/try-")]:
            self.assertIn(word, said)

    def test_finds_nothing_in_a_healthy_command(self):
        status, said = self.attack("escapes", "")
        self.assertEqual(status, 0, said)
        self.assertIn("attack: nothing found.", said)

    def test_sees_a_crash(self):
        self.finds("escapes", "[[ $1 == list ]] && kill -ABRT $$", "status -6, where [2] are expected")

    def test_sees_what_steers_a_terminal(self):
        self.finds("escapes", r"[[ $1 == list ]] && { printf '\x1b[2J'; exit 2; }", "prints what steers a terminal")

    def test_sees_a_process_left_behind(self):
        left = "if [[ $1 == list ]]; then setsid sleep 1000 >/dev/null 2>&1 & fi"
        self.finds("escapes", left, "leaves 1 process(es) behind")

    def test_sees_a_half_written_file(self):
        self.finds("escapes", "[[ $1 == list ]] && touch out.part-1", "leaves out.part-1 behind")

    def test_sees_a_refusal_without_a_sentence(self):
        self.finds("escapes", "[[ $1 == list ]] && { echo bad >&2; exit 2; }", "what is no sentence: 'bad'")

    def test_sees_a_full_disk_unsaid(self):
        self.finds("full_disk", "[[ $words == list ]] && exit 0", "status 0, where [2]")

    def test_sees_a_link_that_was_replaced(self):
        replaced = '[[ $words == *"--dot old" && -L old ]] && { rm old; echo new >old; exit 0; }'
        self.finds("permissions", replaced, "a symbolic link was replaced")

    def test_knows_its_classes(self):
        status, said = self.attack("cats", "")
        self.assertEqual(status, 2)
        self.assertIn("cats is no class; there are files, numbers, ", said)


if __name__ == "__main__":
    if ASSAY is None:
        sys.exit(__doc__)
    unittest.main(verbosity=1)
