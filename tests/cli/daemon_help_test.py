#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sealaned's manual page and --help name the same options with the same defaults."""

import os
import subprocess
import unittest

from manual import OPTION, Manual, offered, offered_defaults

MANUAL = Manual(os.environ["SEALANED_MAN"])


def sealaned(*arguments):
    return subprocess.run([os.environ["SEALANED"], *arguments], capture_output=True, encoding="utf-8", timeout=60,
                          check=False)


class ManualPage(unittest.TestCase):
    def setUp(self):
        process = sealaned("--help")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.help = process.stdout

    def test_it_describes_what_is_offered(self):
        described = MANUAL.described("OPTIONS")
        self.assertEqual(offered(self.help), described)
        self.assertEqual(set(OPTION.findall(MANUAL.section("SYNOPSIS"))), described)

    def test_the_defaults_are_the_same(self):
        defaults = MANUAL.defaults("OPTIONS")
        self.assertEqual(set(defaults),
                         {"--mode", "--queues", "--engine", "--max-sessions", "--poll-us", "--log-level"})
        self.assertEqual(offered_defaults(self.help), defaults)


class Version(unittest.TestCase):
    def test_is_one_line(self):
        process = sealaned("--version")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertRegex(process.stdout, r"^sealaned \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
