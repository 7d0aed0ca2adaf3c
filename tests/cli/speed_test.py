#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane speed`: both layouts, every cipher, and options that it refuses. No figure is judged."""

import json
import os
import pty
import re
import subprocess
import unittest

from sealane_cli import ALL_CIPHERS, PATIENCE_SECONDS, SEALANE, sealane

LINE = re.compile(r"^\tEncrypting in chunks of (\d+) bytes: done\. "
                  r"(\d+\.\d\d) (B|KiB|MiB|GiB) in (\d+\.\d\d) secs: (\d+\.\d\d) (B|KiB|MiB|GiB)/sec \((\d+) packets\)$")
EVP_LINE = re.compile(r"^\t  EVP in this process: \d+\.\d\d (?:B|KiB|MiB|GiB)/sec, device to EVP: \d+\.\d{3}$")
FIELDS = ["size", "seconds", "ops", "ops_per_s", "mib_per_s", "evp_ops_per_s", "ratio_evp"]
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def speed(*arguments):
    return sealane("speed", "--seconds", "0.02", *arguments)


class Text(unittest.TestCase):
    def test_the_layout_is_that_of_the_report(self):
        process = speed("--sizes", "16,256,4096")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        header, *lines = process.stdout.splitlines()
        self.assertEqual(header, "Testing AES-128-CBC cipher:")
        matches = [LINE.match(line) for line in lines]
        self.assertTrue(all(matches), process.stdout)
        self.assertEqual([match[1] for match in matches], ["16", "256", "4096"])
        for match in matches:
            total = int(match[1]) * int(match[7])
            self.assertLessEqual(abs(total / UNITS[match[3]] - float(match[2])), 0.0051, match[0])

    def test_evp_stands_on_a_second_line(self):
        process = speed("--sizes", "64,1024", "--compare", "evp")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        _, *lines = process.stdout.splitlines()
        self.assertEqual(len(lines), 4, process.stdout)
        for line, evp in zip(lines[::2], lines[1::2]):
            self.assertRegex(line, LINE)
            self.assertRegex(evp, EVP_LINE)

    def test_a_terminal_sees_the_line_begin(self):
        main, other = pty.openpty()
        with subprocess.Popen([SEALANE, "speed", "--seconds", "1", "--sizes", "64"], stdout=other) as process:
            os.close(other)
            seen = b""
            while not seen.endswith(b"bytes: "):
                seen += os.read(main, 1)
            self.assertIsNone(process.poll())
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
        self.assertTrue(os.read(main, 1000).startswith(b"done. "))
        os.close(main)

    def test_every_cipher_runs_and_is_checked(self):
        for algo in ALL_CIPHERS:
            with self.subTest(algo):
                process = speed("--algo", algo, "--sizes", "48,4096", "--depth", "7")
                self.assertEqual((process.returncode, process.stderr), (0, ""))
                self.assertTrue(process.stdout.startswith(f"Testing {algo.upper()} cipher:\n"))


class Json(unittest.TestCase):
    def check(self, *arguments):
        process = speed("--json", "--sizes", "16,1024", "--depth", "4", *arguments)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        report = json.loads(process.stdout)
        self.assertEqual(list(report), ["device", "algo", "depth", "results"])
        self.assertEqual((report["device"], report["algo"], report["depth"]), ("loopback", "aes-128-cbc", 4))
        self.assertEqual([result["size"] for result in report["results"]], [16, 1024])
        for result in report["results"]:
            self.assertEqual(list(result), FIELDS)
            self.assertGreaterEqual(result["ops"], 4)
            self.assertGreaterEqual(result["seconds"], 0.02)
            self.assertAlmostEqual(result["ops_per_s"] * result["seconds"] / result["ops"], 1, places=6)
            self.assertAlmostEqual(result["mib_per_s"] * 2**20 / result["size"] / result["ops_per_s"], 1, places=6)
        return report["results"]

    def test_without_comparison_the_last_two_are_null(self):
        for result in self.check():
            self.assertIsNone(result["evp_ops_per_s"])
            self.assertIsNone(result["ratio_evp"])

    def test_with_comparison_they_are_figures(self):
        for result in self.check("--compare", "evp"):
            self.assertGreater(result["evp_ops_per_s"], 0)
            self.assertGreater(result["ratio_evp"], 0)


class Usage(unittest.TestCase):
    def test_a_wrong_option_is_refused_and_named(self):
        cases = [
            (["--algo", "rot13"], "--algo"),
            (["--sizes", "100"], "multiple of"),
            (["--sizes", "16,"], "--sizes"),
            (["--sizes", "0"], "--sizes"),
            (["--sizes", "-16"], "--sizes"),
            (["--sizes", "16,x"], "--sizes"),
            (["--sizes", "99999999999999999999"], "--sizes"),
            (["--algo", "aes-128-xts", "--sizes", "15"], "too few"),
            (["--algo", "3des-cbc", "--sizes", "12"], "8 bytes"),
            (["--seconds", "0"], "--seconds"),
            (["--seconds", "nan"], "--seconds"),
            (["--seconds", "x"], "--seconds"),
            (["--depth", "0"], "--depth"),
            (["--depth", "1025"], "--depth"),
            (["--compare", "gnutls"], "--compare"),
            (["--device", "vfio-pci:0000:01:00.0"], "vfio-pci"),
            (["--device", "vhost-user:"], "vhost-user"),
            (["--device", "teapot"], "teapot"),
            (["--mode", "auto"], "--mode"),
            (["--mode", "cryptodev"], "--mode"),
            (["--engine", "abacus"], "--engine"),
            (["--device", "vhost-user:nowhere", "--engine", "serial"], "--engine"),
            (["--frobnicate"], "--frobnicate"),
        ]
        for arguments, word in cases:
            with self.subTest(arguments):
                process = sealane("speed", *arguments)
                self.assertEqual(process.returncode, 2, process)
                self.assertEqual(process.stdout, "")
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                self.assertIn(word, process.stderr)

    def test_odd_sizes_are_good_for_stream_modes(self):
        self.assertEqual(speed("--algo", "aes-256-ctr", "--sizes", "1,100").returncode, 0)
        self.assertEqual(speed("--algo", "aes-128-xts", "--sizes", "17").returncode, 0)

    def test_a_socket_that_is_not_there_is_a_failure(self):
        process = sealane("speed", "--device", "vhost-user:no-such-socket")
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        self.assertIn("no-such-socket", process.stderr)


if __name__ == "__main__":
    unittest.main()
