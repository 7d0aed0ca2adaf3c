#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane bench control`: the layout of its figures, and figures that can be; no claim about speed."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest

from sealane_cli import sealane

BRIEF = ("--rounds", "1", "--seconds", "0.05")
DESIGNS = ["waiting", "mutex", "spin_yield", "spin"]
FIGURES = ["ops_per_s", "cpu_us_per_op", "p50_us", "p99_us", "p999_us", "max_us", "fairness"]
RATIOS = ["rate_vs_mutex", "cpu_vs_mutex", "rate_vs_spin_yield", "cpu_vs_spin_yield"]


def bench(*arguments):
    process = sealane("bench", "control", *BRIEF, *arguments)
    assert (process.returncode, process.stderr) == (0, ""), process
    return process.stdout


class Json(unittest.TestCase):
    def assert_can_be(self, design):
        self.assertEqual(list(design), FIGURES)
        # In so short a turn a spinlock may let nobody finish.
        self.assertGreaterEqual(design["ops_per_s"], 0)
        self.assertGreaterEqual(design["cpu_us_per_op"], 0)
        self.assertLessEqual(0, design["fairness"])
        self.assertLessEqual(design["fairness"], 1)
        self.assertLessEqual(design["p50_us"], design["p99_us"])
        self.assertLessEqual(design["p99_us"], design["p999_us"])
        self.assertLessEqual(design["p999_us"], design["max_us"])

    def test_every_design_for_every_number_of_workers(self):
        result = json.loads(bench("--json", "--workers", "1,3"))
        self.assertEqual([row["n"] for row in result["workers"]], [1, 3])
        for row in result["workers"]:
            self.assertEqual(list(row["designs"]), DESIGNS)
            for design in row["designs"].values():
                self.assert_can_be(design)
            self.assertGreater(row["designs"]["waiting"]["ops_per_s"], 0)
            self.assertEqual(list(row["ratio"]), RATIOS)
            # Of one round, so the ratio is that of the figures.
            rates = {name: design["ops_per_s"] for name, design in row["designs"].items()}
            if rates["mutex"] > 0:
                self.assertAlmostEqual(row["ratio"]["rate_vs_mutex"], rates["waiting"] / rates["mutex"])
        self.assertGreater(result["batched_pairs_per_s"], 0)
        self.assertEqual(list(result["data_queue"]),
                         ["alone_ops_per_s", "churned_ops_per_s", "busy_ops_per_s", "sessions_per_s"])
        for rate in result["data_queue"].values():
            self.assertGreater(rate, 0)

    def test_the_serial_engine_makes_sessions_too(self):
        result = json.loads(bench("--json", "--workers", "2", "--engine", "serial"))
        self.assert_can_be(result["workers"][0]["designs"]["waiting"])


class BehindASocket(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.socket = os.path.join(self.folder.name, "socket")
        self.daemon = subprocess.Popen([os.environ["SEALANED"], "--socket-path", self.socket],
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.daemon.wait)
        self.addCleanup(self.daemon.terminate)
        end = time.monotonic() + 20
        while not os.path.exists(self.socket) and time.monotonic() < end:
            time.sleep(0.01)

    def test_by_control_queue_every_design(self):
        result = json.loads(bench("--json", "--workers", "2", "--device", "vhost-user:" + self.socket))
        self.assertNotIn(None, result["workers"][0]["designs"].values())

    def test_by_message_there_is_no_queue_to_hold_a_lock_over(self):
        result = json.loads(bench("--json", "--workers", "2", "--device", "vhost-user:" + self.socket,
                                  "--mode", "cryptodev"))
        (row,) = result["workers"]
        self.assertEqual([name for name, design in row["designs"].items() if design], ["waiting"])
        self.assertEqual(set(row["ratio"].values()), {None})
        self.assertGreater(result["socket_round_trip_us"], 0)


class Text(unittest.TestCase):
    def test_a_table_and_a_histogram_for_each_design(self):
        text = bench("--workers", "2")
        for design in DESIGNS:
            self.assertRegex(text, rf"(?m)^{design} +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$")
            self.assertIn(f"\n{design}, 2 workers\n     usecs               : count     distribution\n"
                          "         0 -> 1          : ", text)
        self.assertEqual(len(re.findall(r"(?m)^avg = \d+ usecs, total: \d+ usecs, count: \d+$", text)), 4)
        self.assertRegex(text, r"(?m)^waiting to mutex: rate [\d.]+, CPU per operation [\d.]+$")


class Usage(unittest.TestCase):
    def test_bad_options_are_named(self):
        for arguments in (["--workers", "0"], ["--workers", "1,"], ["--workers", "999"], ["--rounds", "0"],
                          ["--seconds", "0"], ["--seconds", "nan"], ["--poll-us", "-1"]):
            with self.subTest(arguments):
                process = sealane("bench", "control", *arguments)
                self.assertEqual((process.returncode, process.stdout), (2, ""))
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                self.assertIn(arguments[0], process.stderr)

    def test_an_experiment_must_be_named(self):
        self.assertEqual(sealane("bench").returncode, 2)


if __name__ == "__main__":
    unittest.main()
