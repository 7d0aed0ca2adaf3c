#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The counts of test_summary.py, from reports as ctest 3.25 and GoogleTest 1.12 write them."""

import unittest
import xml.etree.ElementTree as ElementTree

import test_summary

MIXED = """[  SKIPPED ] A.S (0 ms)
[==========] 5 tests from 2 test suites ran. (0 ms total)
[  PASSED  ] 3 tests.
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] A.S
[  SKIPPED ] I/P.X/1
"""
FAILING = """[  FAILED  ] A.F (0 ms)
[  PASSED  ] 3 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] I/P.X/0, where GetParam() = 0
"""


def count(status, output="", skip_message=None):
    case = ElementTree.Element("testcase", name="t", status=status)
    ElementTree.SubElement(case, "system-out").text = output
    if skip_message is not None:
        ElementTree.SubElement(case, "skipped", message=skip_message)
    counts, names = test_summary.count_case(case)
    return (counts["passed"], counts["failed"], counts["skipped"]), names


class CountCase(unittest.TestCase):
    def test_count_plain_program_is_one_case(self):
        self.assertEqual(count("run"), ((1, 0, 0), []))
        self.assertEqual(count("fail"), ((0, 1, 0), [("failed", "t")]))

    def test_count_googletest_program_is_its_cases(self):
        self.assertEqual(count("run", MIXED), ((3, 0, 2), [("skipped", "t: A.S"), ("skipped", "t: I/P.X/1")]))
        self.assertEqual(count("fail", FAILING), ((3, 1, 0), [("failed", "t: I/P.X/0")]))

    def test_count_crash_after_passes_is_a_failure(self):
        self.assertEqual(count("fail", "[  PASSED  ] 3 tests.\n"), ((3, 1, 0), [("failed", "t")]))

    def test_count_skip_code_is_a_skip(self):
        self.assertEqual(count("notrun", skip_message="SKIP_RETURN_CODE=77"), ((0, 0, 1), [("skipped", "t")]))

    def test_count_missing_program_is_a_failure(self):
        self.assertEqual(count("notrun", skip_message="Unable to find executable"), ((0, 1, 0), [("failed", "t")]))


if __name__ == "__main__":
    unittest.main()
