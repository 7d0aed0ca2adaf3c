#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane info`: what the loopback device offers, as text and as JSON."""

import json
import unittest

from sealane_cli import sealane

CIPHERS = {"aes-ecb", "aes-cbc", "aes-ctr", "aes-xts", "3des-ecb", "3des-cbc", "3des-ctr"}


class Info(unittest.TestCase):
    def test_json_has_every_field(self):
        process = sealane("info", "--json")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        info = json.loads(process.stdout)
        self.assertEqual(list(info), ["device", "transport", "data_queues", "max_queue_size", "services",
                                      "algorithms", "max_cipher_key_len", "max_auth_key_len", "max_size",
                                      "features"])
        self.assertEqual((info["device"], info["transport"]), ("loopback", "loopback"))
        self.assertEqual(info["data_queues"], 1)
        self.assertIn("cipher", info["services"])
        self.assertEqual(list(info["algorithms"]), ["cipher", "hash", "mac", "aead", "akcipher"])
        self.assertLessEqual(CIPHERS, set(info["algorithms"]["cipher"]))
        self.assertEqual(info["services"], ["cipher", "hash", "mac", "aead", "akcipher"])
        self.assertEqual(info["algorithms"]["akcipher"], ["rsa", "ecdsa"])
        self.assertEqual(len(info["algorithms"]["hash"]), 12)
        self.assertLessEqual({"hmac-sha256", "cmac-aes", "gmac-aes", "xcbc-aes"}, set(info["algorithms"]["mac"]))
        self.assertEqual(info["algorithms"]["aead"], ["aes-gcm", "aes-ccm", "chacha20-poly1305"])
        self.assertIn("REVISION_1", info["features"])
        self.assertGreaterEqual(info["max_cipher_key_len"], 64)
        self.assertGreaterEqual(info["max_size"], 65536)
        self.assertIn("VERSION_1", info["features"])

    def test_text_says_the_same(self):
        process = sealane("info")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        rows = dict(line.split("  ", 1) for line in process.stdout.splitlines())
        info = json.loads(sealane("info", "--json").stdout)
        self.assertEqual(rows["device"].strip(), "loopback")
        self.assertEqual(rows["cipher algorithms"].split(), info["algorithms"]["cipher"])
        self.assertEqual(rows["features"].split(), info["features"])
        self.assertEqual(rows["longest request"].strip(), f"{info['max_size']} bytes")


if __name__ == "__main__":
    unittest.main()
