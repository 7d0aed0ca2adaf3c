#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks of the text of the tree that no compiler makes: one function per rule, all of them in RULES."""

import re
import sys

import source_files

MAX_LINES = 400

# Tables and vectors may be longer. Each entry says what it holds.
LONG_FILES = {}

# What carries no licence line: data, and formats without comments.
NO_SPDX_NAMES = {"LICENSE", ".gitignore", ".clang-format", ".clang-tidy"}
NO_SPDX_SUFFIXES = {".md", ".json", ".txt", ".config", ".gz", ".bin", ".hex", ".log"}
DATA_FOLDERS = ("fuzz/corpus", "tests/data")

# Run inside a test guest, whose own folders these are.
GUEST_FILES = ("tests/guest/", "tests/uml/")

# Written so that these lines do not match themselves.
MACHINE_PATH = re.compile(r"(?<![\w.$})*/-])/(?:work|root|home|tmp)\b(?!-)")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")


def is_data(path):
    return path.is_relative_to(DATA_FOLDERS[0]) or path.is_relative_to(DATA_FOLDERS[1])


def is_cxx(path):
    return path.suffix in source_files.CXX_SUFFIXES


def check_licence_line(path, lines):
    if path.name in NO_SPDX_NAMES or NO_SPDX_SUFFIXES.intersection(path.suffixes):
        return
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
        yield 1, "no SPDX-License-Identifier in the first lines"


def check_no_unfinished_work(_path, lines):
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield number, "unfinished-work marker; file an issue instead"


def check_no_machine_paths(path, lines):
    if str(path).startswith(GUEST_FILES):
        return
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield number, "path of one machine"


def check_file_length(path, lines):
    if not is_cxx(path) or path.name.endswith("_test.cc") or str(path) in LONG_FILES:
        return
    if len(lines) > MAX_LINES:
        yield len(lines), f"{len(lines)} lines; at most {MAX_LINES}"


def check_header_opening(path, lines):
    """A header: licence line, a comment that says what it is, #pragma once."""
    if path.suffix != ".h":
        return
    if "#pragma once" not in lines:
        yield 1, "no #pragma once"
        return
    opening = lines[1:lines.index("#pragma once")]
    if not any(re.match(r"//\s*\w", line) for line in opening):
        yield 1, "no comment between the licence line and #pragma once"


def check_casts_are_explained(path, lines):
    if not is_cxx(path):
        return
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        near = lines[max(0, number - 5):number]
        if "reinterpret_cast" in code and not any("SAFETY:" in other for other in near):
            yield number, "reinterpret_cast without // SAFETY: on it or just above"


RULES = [
    check_licence_line,
    check_no_unfinished_work,
    check_no_machine_paths,
    check_file_length,
    check_header_opening,
    check_casts_are_explained,
]


def check_file(root, path):
    try:
        lines = (root / path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return [f"{path}: not UTF-8; binary data belongs in {' or '.join(DATA_FOLDERS)}"]
    return [f"{path}:{number}: {problem}" for rule in RULES for number, problem in rule(path, lines)]


def main():
    root = source_files.parse_root(__doc__)
    files = [path for path in source_files.list_files(root) if not is_data(path)]
    return source_files.report(problem for path in files for problem in check_file(root, path))


if __name__ == "__main__":
    sys.exit(main())
