# SPDX-License-Identifier: Apache-2.0
"""Runs the program that the environment names, for the tests in this folder."""

import json
import os
import subprocess

SEALANE = os.environ["SEALANE"]

# Long enough for a loaded machine under a sanitizer; a run that takes it hangs.
PATIENCE_SECONDS = 120

ALL_CIPHERS = [
    *(f"aes-{bits}-{mode}" for mode in ("ecb", "cbc", "ctr") for bits in (128, 192, 256)),
    "aes-128-xts",
    "aes-256-xts",
    "3des-ecb",
    "3des-cbc",
    "3des-ctr",
]


def sealane(*arguments, text=""):
    """The finished process; standard input and output are text."""
    return subprocess.run([SEALANE, *arguments], input=text, capture_output=True, encoding="utf-8",
                          timeout=PATIENCE_SECONDS, check=False)


def run_lines(lines, *options):
    """What `sealane run` answers to these lines (text, or objects to be written as JSON)."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    process = sealane("run", *options, text=text)
    assert process.returncode == 0, process.stderr
    assert process.stderr == "", process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]
