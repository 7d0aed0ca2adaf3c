#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sealane's manual page and --help name the same options, and usage errors are told apart from failures."""

import os
import unittest

from manual import OPTION, Manual, offered, offered_defaults
from sealane_cli import sealane

WITH_DEVICE = ("speed", "run", "info", "bench control")
COMMANDS = (*WITH_DEVICE, "bench engine")
COMMON_DEFAULTS = {"--device": "loopback", "--mode": "device", "--engine": "auto"}
MANUAL = Manual(os.environ["SEALANE_MAN"])


def synopsis(command):
    (line,) = [line for line in MANUAL.section("SYNOPSIS").splitlines() if line.startswith(f"*sealane {command}*")]
    return set(OPTION.findall(line))


def help_of(*arguments):
    process = sealane(*arguments, "--help")
    assert (process.returncode, process.stderr) == (0, ""), process
    return process.stdout


class ManualPage(unittest.TestCase):
    def test_every_command_offers_what_the_manual_describes(self):
        of_devices = MANUAL.described("COMMON OPTIONS") - {"--version"}
        for command in COMMANDS:
            with self.subTest(command):
                common = of_devices if command in WITH_DEVICE else {"--help"}
                own = MANUAL.described(f"SEALANE {command.upper()}")
                self.assertEqual(offered(help_of(*command.split())), common | own)
                self.assertEqual(synopsis(command), (common | own) - {"--help"})

    def test_the_program_itself(self):
        text = help_of()
        self.assertEqual(offered(text), {"--help", "--version"})
        for command in COMMANDS:
            self.assertIn(command.split()[0], text)

    def test_the_defaults_are_the_same(self):
        defaults = MANUAL.defaults("SEALANE SPEED")
        self.assertEqual(set(defaults), {"--algo", "--sizes", "--seconds", "--depth"})
        self.assertEqual(offered_defaults(help_of("speed")), {**COMMON_DEFAULTS, **defaults})
        defaults = MANUAL.defaults("SEALANE BENCH CONTROL")
        self.assertEqual(set(defaults), {"--workers", "--rounds", "--seconds", "--poll-us"})
        self.assertEqual(offered_defaults(help_of("bench", "control")), {**COMMON_DEFAULTS, **defaults})
        defaults = MANUAL.defaults("SEALANE BENCH ENGINE")
        self.assertEqual(set(defaults), {"--chunks", "--submitters", "--in-flight", "--rounds", "--seconds"})
        self.assertEqual(offered_defaults(help_of("bench", "engine")), defaults)


class ExitStatus(unittest.TestCase):
    def test_version(self):
        process = sealane("--version")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertRegex(process.stdout, r"^sealane \d+\.\d+\.\d+\n$")

    def test_no_command_or_a_wrong_one_is_usage(self):
        for arguments in ([], ["frobnicate"], ["run", "extra"], ["info", "--depth", "1"]):
            with self.subTest(arguments):
                process = sealane(*arguments)
                self.assertEqual((process.returncode, process.stdout), (2, ""))
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)


if __name__ == "__main__":
    unittest.main()
