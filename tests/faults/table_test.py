#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md's tables of faults name tests that exist, and every numbered test has its row."""

import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parents[1]
TEST = re.compile(r"^TEST(?:_F|_P)?\(\w+,\s*(\w+)\)", re.MULTILINE)
NUMBERED = re.compile(r"Fault\d+(?:To\d+)?")


def tests_below(*folders):
    return {name for folder in folders for path in (SOURCES / folder).rglob("*_test.cc")
            for name in TEST.findall(path.read_text(encoding="utf-8"))}


def named_in_table():
    rows = [line.split("|") for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("|")]
    return {name.strip() for row in rows for name in row[4].split(",")} - {"tests", "---"}


class Table(unittest.TestCase):
    def test_what_it_names_is_there(self):
        whole = tests_below("tests", "src")
        known = whole | {NUMBERED.match(name)[0] for name in whole if NUMBERED.match(name)}
        self.assertGreater(len(named_in_table()), 30)
        self.assertEqual(named_in_table() - known, set())

    def test_every_numbered_test_has_its_row(self):
        numbered = {match[0] for name in tests_below("tests/faults") if (match := NUMBERED.match(name))}
        self.assertGreater(len(numbered), 20)
        self.assertEqual(numbered - named_in_table(), set())


if __name__ == "__main__":
    unittest.main()
