#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page and --help name the same options, and usage errors are told apart from failures."""

import os
import pathlib
import re
import unittest

from sealane_cli import sealane

COMMANDS = ("speed", "run", "info")
OPTION = re.compile(r"--[a-z][a-z-]*")


def manual():
    return pathlib.Path(os.environ["SEALANE_MAN"]).read_text(encoding="utf-8")


def section(title):
    """The text of one section of the manual page."""
    match = re.search(rf"^# {re.escape(title)}\n(.*?)(?=^# |\Z)", manual(), re.DOTALL | re.MULTILINE)
    assert match, title
    return match[1]


def described(title):
    """The options that a section describes, each at the start of a line."""
    return {name for line in section(title).splitlines() if line.startswith("*--") for name in OPTION.findall(line)}


def synopsis(command):
    (line,) = [line for line in section("SYNOPSIS").splitlines() if line.startswith(f"*sealane {command}*")]
    return set(OPTION.findall(line))


def offered(*arguments):
    """The options that --help lists, each at the start of a line."""
    process = sealane(*arguments, "--help")
    assert (process.returncode, process.stderr) == (0, ""), process
    return {name for line in process.stdout.splitlines() if re.match(r"\s+-", line)
            for name in OPTION.findall(line[:30])}


class Manual(unittest.TestCase):
    def test_every_command_offers_what_the_manual_describes(self):
        common = described("COMMON OPTIONS") - {"--version"}
        for command in COMMANDS:
            with self.subTest(command):
                own = described(f"SEALANE {command.upper()}")
                self.assertEqual(offered(command), common | own)
                self.assertEqual(synopsis(command), (common | own) - {"--help"})

    def test_the_program_itself(self):
        self.assertEqual(offered(), {"--help", "--version"})
        text = sealane("--help").stdout
        for command in COMMANDS:
            self.assertIn(command, text)

    def test_the_defaults_are_the_same(self):
        text = sealane("speed", "--help").stdout
        manual_defaults = {}
        for entry in re.split(r"^(?=\*--)", section("SEALANE SPEED"), flags=re.MULTILINE):
            default = re.search(r"The default is (\S+)\.(?:\s|$)", entry)
            if default:
                manual_defaults[OPTION.match(entry[1:])[0]] = default[1]
        self.assertEqual(set(manual_defaults), {"--algo", "--sizes", "--seconds", "--depth"})
        self.assertEqual(dict(re.findall(r"(--[a-z]+) [A-Z]+=(\S+)", text)),
                         {"--device": "loopback", "--mode": "device", **manual_defaults})


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
