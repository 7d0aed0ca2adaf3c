#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane bench engine`: both layouts, and figures that can be; no claim about speed."""

import json
import re
import unittest

from sealane_cli import sealane

ALGORITHMS = [("aes-cbc", 128), ("aes-cbc", 256), ("aes-xts", 256), ("aes-xts", 512)]
VARIANTS = [f"{lock}+{completion}" for lock in ("spinlock", "mutex") for completion in ("inline", "worker", "submitter")]
FIELDS = ["algo", "key_bits", "chunk", "submitters", "in_flight", "variant", "enc_mib_s", "dec_mib_s", "cpu_pct",
          "ratio_enc", "ratio_dec"]


def bench(*arguments, seconds="0.01"):
    process = sealane("bench", "engine", "--rounds", "1", "--seconds", seconds, *arguments)
    assert (process.returncode, process.stderr) == (0, ""), process
    return process.stdout


class Json(unittest.TestCase):
    def test_a_row_for_each_algorithm_cell_and_variant(self):
        rows = json.loads(bench("--json", "--chunks", "4096,64", "--submitters", "1,3", "--in-flight", "1,2"))["rows"]
        expected = [(algo, bits, chunk, submitters, in_flight, variant)
                    for chunk in (4096, 64) for submitters in (1, 3) for in_flight in (1, 2)
                    for algo, bits in ALGORITHMS for variant in VARIANTS]
        self.assertEqual([tuple(row.values())[:6] for row in rows], expected)
        for row in rows:
            self.assertEqual(list(row)[:len(FIELDS)], FIELDS)
            self.assertGreaterEqual(row["enc_mib_s"], 0)
            self.assertGreaterEqual(row["dec_mib_s"], 0)
            self.assertGreaterEqual(row["cpu_pct"], 0)
            self.assertEqual(row["rounds"], 1)
        self.assertGreater(max(row["enc_mib_s"] for row in rows), 0)

    def test_ratios_are_to_spinlock_and_inline(self):
        rows = json.loads(bench("--json", "--chunks", "64", "--submitters", "2", "--in-flight", "2",
                                seconds="0.1"))["rows"]
        for first in range(0, len(rows), len(VARIANTS)):
            base = rows[first]
            self.assertEqual((base["variant"], base["ratio_enc"], base["ratio_dec"]), ("spinlock+inline", 1, 1))
            for row in rows[first:first + len(VARIANTS)]:  # of one round
                self.assertAlmostEqual(row["ratio_enc"], row["enc_mib_s"] / base["enc_mib_s"])
                self.assertAlmostEqual(row["ratio_dec"], row["dec_mib_s"] / base["dec_mib_s"])


class Latency(unittest.TestCase):
    ARGUMENTS = ("--latency", "--chunks", "64", "--submitters", "2", "--in-flight", "2")

    def test_json_says_where_the_time_went(self):
        rows = json.loads(bench("--json", *self.ARGUMENTS))["latency"]
        self.assertEqual([(row["algo"], row["key_bits"]) for row in rows], ALGORITHMS)
        for row in rows:
            self.assertEqual((row["chunk"], row["submitters"], row["in_flight"], row["variant"]),
                             (64, 2, 2, "mutex+submitter"))
            for part in ("wait_us", "service_us", "total_us"):
                self.assertLessEqual(row[part]["p50"], row[part]["max"])
            self.assertGreaterEqual(row["total_us"]["max"], row["service_us"]["p50"])
            self.assertGreater(row["total_us"]["max"], 0)

    def test_text_has_three_histograms_of_each_algorithm(self):
        text = bench(*self.ARGUMENTS)
        for part in ("waiting for the engine", "in the engine", "from submit to done"):
            self.assertEqual(text.count(f"mutex+submitter, encryption: {part}\n"), len(ALGORITHMS))
        self.assertEqual(text.count("distribution\n"), 3 * len(ALGORITHMS))

    def test_without_it_there_are_none(self):
        self.assertNotIn("latency", json.loads(bench("--json", *self.ARGUMENTS[1:])))


class Text(unittest.TestCase):
    def test_the_tables_of_cryptsetup(self):
        text = bench("--chunks", "4096", "--submitters", "2", "--in-flight", "2")
        self.assertTrue(text.startswith("# Tests are approximate using memory only (no storage IO).\n"))
        self.assertIn("\n# 2 submitters, 2 in flight each, chunks of 4096 bytes\n", text)
        tables = re.findall(r"(?m)^# (\S+)\n#     Algorithm \|       Key \|      Encryption \|      Decryption\n"
                            r"((?: {8}aes-\w{3} {8}\d{3}b  [ \d]{8}\.\d MiB/s  [ \d]{8}\.\d MiB/s\n){4})", text)
        self.assertEqual([name for name, _ in tables], VARIANTS)
        for _, rows in tables:
            self.assertEqual([(row.split()[0], row.split()[1]) for row in rows.splitlines()],
                             [(algo, f"{bits}b") for algo, bits in ALGORITHMS])


class Usage(unittest.TestCase):
    def test_bad_options_are_named(self):
        for arguments in (["--chunks", "100"], ["--chunks", "0"], ["--chunks", "2097152"], ["--chunks", "16,"],
                          ["--submitters", "0"], ["--submitters", "33"], ["--in-flight", "x"], ["--in-flight", ""],
                          ["--chunks", "1048576", "--submitters", "32"], ["--rounds", "0"], ["--seconds", "0"],
                          ["--seconds", "nan"], ["--device", "loopback"]):
            with self.subTest(arguments):
                process = sealane("bench", "engine", *arguments)
                self.assertEqual((process.returncode, process.stdout), (2, ""))
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                self.assertIn(arguments[0], process.stderr)


if __name__ == "__main__":
    unittest.main()
