# SPDX-License-Identifier: Apache-2.0
"""The project's files for the check scripts: what git tracks or would track, as paths below ROOT."""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CXX_SUFFIXES = (".h", ".cc")


def list_files(root, suffixes=None):
    """Sorted paths relative to root, deleted and ignored files left out."""
    command = ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    paths = sorted({pathlib.PurePosixPath(name) for name in names if name})
    return [path for path in paths
            if (root / path).is_file() and (suffixes is None or path.suffix in suffixes)]


def report(problems):
    """Prints the problems, one a line; the exit code of a check."""
    problems = list(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def parse_root(description):
    """The --root option that lets a self-test point a check at a tree of its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    return parser.parse_args().root


if __name__ == "__main__":
    sys.stdout.writelines(f"{path}\0" for path in list_files(ROOT, tuple(sys.argv[1:]) or None))
