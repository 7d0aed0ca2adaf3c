#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The USDT probes of the engine queue are in both programs, under the names that tracers use."""

import os
import re
import subprocess
import unittest

PROBES = {"queue_enqueue", "queue_start", "queue_done"}


class Probes(unittest.TestCase):
    def test_both_programs_have_them(self):
        for program in ("SEALANE", "SEALANED"):
            with self.subTest(program):
                notes = subprocess.run(["readelf", "-n", os.environ[program]], capture_output=True, encoding="utf-8",
                                       timeout=60, check=True).stdout
                found = re.findall(r"Provider: sealane\s+Name: (\w+)", notes)
                self.assertLessEqual(PROBES, set(found))


if __name__ == "__main__":
    unittest.main()
