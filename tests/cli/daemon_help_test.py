#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sealaned's manual page and --help name the same options with the same defaults."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from manual import OPTION, Manual, offered, offered_defaults

MANUAL = Manual(os.environ["SEALANED_MAN"])


def sealaned(*arguments):
    return subprocess.run([os.environ["SEALANED"], *arguments], capture_output=True, encoding="utf-8", timeout=60,
                          check=False)


class Offers(unittest.TestCase):
    def services(self, *arguments):
        """What `sealane info` sees of a daemon with these options."""
        with tempfile.TemporaryDirectory() as folder:
            socket = pathlib.Path(folder) / "socket"
            with subprocess.Popen([os.environ["SEALANED"], f"--socket-path={socket}", *arguments],
                                  stderr=subprocess.DEVNULL) as daemon:
                try:
                    for _ in range(2000):
                        if socket.exists():
                            break
                        time.sleep(0.01)
                    info = subprocess.run([os.environ["SEALANE"], "info", "--json", "--device", f"vhost-user:{socket}"],
                                          capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
                finally:
                    daemon.terminate()
                    daemon.wait(60)
        return json.loads(info)["algorithms"]

    def test_weak_ciphers_only_where_asked_for(self):
        self.assertFalse({"des-ecb", "des-cbc", "arc4"} & set(self.services()["cipher"]))
        self.assertLessEqual({"des-ecb", "des-cbc", "arc4"}, set(self.services("--enable-legacy")["cipher"]))

    def test_linux_number_of_ecdsa(self):
        self.assertEqual(self.services()["akcipher"], ["rsa", "ecdsa"])
        self.assertEqual(self.services("--linux-ecdsa")["akcipher"], ["rsa", "ecdsa", "bit-3"])


class ManualPage(unittest.TestCase):
    def setUp(self):
        process = sealaned("--help")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.help = process.stdout

    def test_it_describes_what_is_offered(self):
        described = MANUAL.described("OPTIONS")
        self.assertEqual(offered(self.help), described)
        self.assertEqual(set(OPTION.findall(MANUAL.section("SYNOPSIS"))), described)

    def test_the_defaults_are_the_same(self):
        defaults = MANUAL.defaults("OPTIONS")
        self.assertEqual(set(defaults),
                         {"--mode", "--queues", "--engine", "--max-sessions", "--poll-us", "--log-level"})
        self.assertEqual(offered_defaults(self.help), defaults)


class Version(unittest.TestCase):
    def test_is_one_line(self):
        process = sealaned("--version")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertRegex(process.stdout, r"^sealaned \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
