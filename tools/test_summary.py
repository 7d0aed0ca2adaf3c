#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up the JUnit files that ctest wrote and prints "N passed, N failed, N skipped".

A GoogleTest program is one test to ctest. Its cases are counted from the end of its output, so that a skipped
case is never hidden inside a passing program.
"""

import argparse
import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

# GoogleTest's closing lines: "[  PASSED  ] 12 tests." and so on.
GTEST_COUNT = re.compile(r"^\[  (PASSED|FAILED|SKIPPED) +\] (\d+) tests?[.,]", re.MULTILINE)
GTEST_NAME = re.compile(r"^\[  (FAILED|SKIPPED) +\] ([\w/]+\.[\w/]+)(?:,.*)?$", re.MULTILINE)
CTEST_OUTCOME = {"run": "passed", "fail": "failed", "notrun": "skipped", "disabled": "skipped"}


def count_case(case):
    """The counts of one ctest test and the names of its cases that failed or were skipped."""
    name, outcome = case.get("name"), CTEST_OUTCOME.get(case.get("status"), "failed")
    # A test whose program is missing did not run either, but nobody decided to skip it.
    skipped = case.find("skipped")
    if outcome == "skipped" and skipped is not None and "SKIP" not in skipped.get("message", ""):
        outcome = "failed"
    output = case.findtext("system-out") or ""
    counts = collections.Counter({kind.lower(): int(number) for kind, number in GTEST_COUNT.findall(output)})
    if outcome == "failed" and not counts["failed"]:
        counts["failed"] = 1  # a crash or a timeout: its cases never reported
    if not counts or outcome == "skipped":
        return collections.Counter({outcome: 1}), [(outcome, name)] if outcome != "passed" else []
    names = dict.fromkeys((kind.lower(), f"{name}: {test}") for kind, test in GTEST_NAME.findall(output))
    return counts, list(names) or ([("failed", name)] if counts["failed"] else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the failed and skipped cases first")
    parser.add_argument("--failed-stages", type=int, default=0, help="failures that no test reported")
    parser.add_argument("reports", nargs="*")
    options = parser.parse_args()
    total = collections.Counter()
    for report in options.reports:
        for case in ElementTree.parse(report).iter("testcase"):
            counts, names = count_case(case)
            total += counts
            if options.list:
                for outcome, name in names:
                    print(f"{outcome}: {name}")
    if options.failed_stages and not total["failed"]:
        total["failed"] = options.failed_stages
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")


if __name__ == "__main__":
    sys.exit(main())
