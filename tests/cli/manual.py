# SPDX-License-Identifier: Apache-2.0
"""Reads a manual page (scdoc source) and what --help prints, for the tests that compare them."""

import pathlib
import re

OPTION = re.compile(r"--[a-z][a-z-]*")


class Manual:
    def __init__(self, path):
        self._text = pathlib.Path(path).read_text(encoding="utf-8")

    def section(self, title):
        match = re.search(rf"^# {re.escape(title)}\n(.*?)(?=^# |\Z)", self._text, re.DOTALL | re.MULTILINE)
        assert match, title
        return match[1]

    def described(self, title):
        """The options that a section describes, each at the start of a line."""
        return {name for line in self.section(title).splitlines() if line.startswith("*--")
                for name in OPTION.findall(line)}

    def defaults(self, title):
        """The default of each option of a section that names one."""
        found = {}
        for entry in re.split(r"^(?=\*--)", self.section(title), flags=re.MULTILINE):
            default = re.search(r"The default is (\S+?)\.(?:\s|$)", entry) or re.search(r"\*(\S+)\* \(the default\)", entry)
            if default:
                found[OPTION.match(entry[1:])[0]] = default[1]
        return found


def offered(help_text):
    """The options that --help lists, each at the start of a line."""
    return {name for line in help_text.splitlines() if re.match(r"\s+-", line) for name in OPTION.findall(line[:30])}


def offered_defaults(help_text):
    return dict(re.findall(r"(--[a-z-]+) [A-Z]+(?::\{[^}]*\}|:UINT in \[[^\]]*\])?=(\S+)", help_text))
