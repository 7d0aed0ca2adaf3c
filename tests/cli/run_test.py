#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane run`: published answers, and every way in which a line can be wrong."""

import json
import subprocess
import unittest

import cipher_vectors
from sealane_cli import ALL_CIPHERS, PATIENCE_SECONDS, SEALANE, run_lines, sealane

GOOD = {
    "id": 7,
    "op": "encrypt",
    "algo": "aes-128-cbc",
    "key": cipher_vectors.KEY_128,
    "iv": cipher_vectors.CBC_IV,
    "in": cipher_vectors.SP800_38A_TEXT[:32],
}
GOOD_ANSWER = {"id": 7, "status": "ok", "out": "7649abac8119b246cee98e9b12e9197d"}


def changed(**changes):
    return {**GOOD, **changes}


def without(name):
    return {key: value for key, value in GOOD.items() if key != name}


class Answers(unittest.TestCase):
    maxDiff = None

    def test_every_cipher_gives_the_published_answers_both_ways(self):
        self.assertEqual({vector[0] for vector in cipher_vectors.ALL}, set(ALL_CIPHERS))
        lines, expected = [], []
        for number, (algo, key, iv, plain, cipher) in enumerate(cipher_vectors.ALL):
            for op, source, result in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
                name = f"{algo} {op} {number}"
                lines.append({"id": name, "op": op, "algo": algo, "key": key, "iv": iv, "in": source})
                expected.append({"id": name, "status": "ok", "out": result})
        self.assertEqual(run_lines(lines), expected)

    def test_no_iv_for_ecb(self):
        line = {"op": "encrypt", "algo": "aes-128-ecb", "key": cipher_vectors.KEY_128, "in": GOOD["in"]}
        self.assertEqual(run_lines([line]),
                         [{"id": None, "status": "ok", "out": "3ad77bb40d7a3660a89ecaf32466ef97"}])

    def test_an_empty_payload_is_ok(self):
        self.assertEqual(run_lines([changed(**{"in": ""})]), [{"id": 7, "status": "ok", "out": ""}])

    def test_ids_come_back_as_they_are(self):
        ids = [0, -1, 2**64 - 1, 1.5, "", "é \"quoted\" \n", True, None]
        answers = run_lines([changed(id=id) for id in ids])
        self.assertEqual([answer["id"] for answer in answers], ids)

    def test_more_keys_than_sessions_are_kept(self):
        keys = [f"{number:032x}" for number in range(200)]
        lines = [changed(key=key) for key in keys + keys]
        answers = run_lines(lines)
        outs = [answer["out"] for answer in answers]
        self.assertEqual(len(set(outs)), len(keys))
        self.assertEqual(outs[:len(keys)], outs[len(keys):])

    def test_the_device_refuses_a_partial_block(self):
        self.assertEqual(run_lines([changed(**{"in": "00" * 15}), GOOD]),
                         [{"id": 7, "status": "err"}, GOOD_ANSWER])

    def test_the_device_refuses_equal_xts_halves(self):
        answer, after = run_lines([changed(algo="aes-128-xts", key="11" * 32), GOOD])
        self.assertIn(answer, [{"id": 7, "status": word} for word in ("err", "key_rejected")])
        self.assertEqual(after, GOOD_ANSWER)

    def test_what_is_not_offered_yet_is_notsupp(self):
        lines = [
            {"id": 1, "op": "digest", "algo": "sha256", "in": "00"},
            {"id": 2, "op": "digest", "algo": "shake128", "in": "00", "out_len": 16},
            {"id": 3, "op": "mac", "algo": "hmac-sha1", "key": "00", "in": "00"},
            {"id": 4, "op": "encrypt", "algo": "aes-128-gcm", "key": "00" * 16, "iv": "00" * 12, "in": "00",
             "aad": "", "tag_len": 16},
            {"id": 5, "op": "decrypt", "algo": "chacha20-poly1305", "key": "00" * 32, "iv": "00" * 12,
             "in": "00", "tag": "00" * 16},
            {"id": 6, "op": "sign", "algo": "rsa", "key": "00", "in": "00", "padding": "pkcs1",
             "hash": "sha256"},
            {"id": 7, "op": "verify", "algo": "ecdsa-p256", "key": "00", "in": "00", "sig": "00"},
        ]
        self.assertEqual(run_lines(lines), [{"id": line["id"], "status": "notsupp"} for line in lines])

    def test_a_last_line_without_line_feed_counts(self):
        process = sealane("run", text=json.dumps(GOOD))
        self.assertEqual(json.loads(process.stdout), GOOD_ANSWER)

    def test_each_answer_comes_before_the_next_line_is_sent(self):
        with subprocess.Popen([SEALANE, "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              encoding="utf-8") as process:
            for _ in range(3):
                process.stdin.write(json.dumps(GOOD) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline()), GOOD_ANSWER)
            process.stdin.close()
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)


class Faults(unittest.TestCase):
    def assert_fault(self, line, field, id=7):
        """The line is answered by an error that names the field, and the next one is answered right."""
        answer, after = run_lines([line, GOOD])
        self.assertEqual(answer["id"], id, answer)
        self.assertEqual(answer["error"]["field"], field, answer)
        self.assertTrue(answer["error"]["message"])
        self.assertEqual(set(answer), {"id", "error"})
        self.assertEqual(after, GOOD_ANSWER)

    def test_a_missing_field_is_named(self):
        for name in ("op", "algo", "key", "iv", "in"):
            with self.subTest(name):
                self.assert_fault(without(name), name)

    def test_a_field_of_another_type_is_named(self):
        for name in ("op", "algo", "key", "iv", "in"):
            for value in (1, None, True, [], ["00"], {"a": 1}):
                with self.subTest(name, value=value):
                    self.assert_fault(changed(**{name: value}), name)

    def test_what_is_not_hexadecimal_is_named(self):
        for name in ("key", "iv", "in"):
            for value in ("0", "0x00", "zz", "é0", " 00"):
                with self.subTest(name, value=value):
                    self.assert_fault(changed(**{name: value}), name)

    def test_a_wrong_length_is_named(self):
        for name in ("key", "iv"):
            for length in (0, 1, 15, 17, 24, 65):
                with self.subTest(name, length=length):
                    self.assert_fault(changed(**{name: "00" * length}), name)

    def test_an_iv_that_ecb_does_not_have_is_named(self):
        self.assert_fault(changed(algo="aes-128-ecb"), "iv")

    def test_an_unknown_word_is_named(self):
        self.assert_fault(changed(op="frobnicate"), "op")
        self.assert_fault(changed(op=""), "op")
        self.assert_fault(changed(algo="rot13"), "algo")
        self.assert_fault(changed(algo="AES-128-CBC"), "algo")

    def test_an_unknown_key_is_named(self):
        self.assert_fault(changed(IV="00"), "IV")
        self.assert_fault(changed(colour={"deep": [1, [2]]}), "colour")

    def test_a_key_of_another_operation_is_named(self):
        self.assert_fault(changed(aad="00"), "aad")
        self.assert_fault(changed(tag_len=16), "tag_len")

    def test_a_key_given_twice_is_named(self):
        self.assert_fault(json.dumps(GOOD)[:-1] + ', "iv": "00"}', "iv")

    def test_an_id_that_is_no_scalar_is_named(self):
        self.assert_fault(changed(id=[1]), "id", id=None)
        self.assert_fault(changed(id={}), "id", id=None)

    def test_the_id_is_found_behind_the_fault(self):
        self.assert_fault({"wrong": [[{}]], **GOOD}, "wrong")

    def test_no_json_object_at_all(self):
        lines = ["", " ", "x", "{", "}", "[]", "null", "1", '"a"', "{} {}", json.dumps(GOOD) + ",",
                 json.dumps(GOOD)[:-1], "{'id': 1}", "{\"id\": 1e999}", "\0", "[" * 100_000,
                 '{"in":' * 100_000]
        for line in lines:
            with self.subTest(line[:20]):
                answer, after = run_lines([line, GOOD])
                self.assertIsNone(answer["error"]["field"], answer)
                self.assertEqual(after, GOOD_ANSWER)

    def test_bytes_that_are_no_utf8(self):
        process = subprocess.run([SEALANE, "run"], input=b'{"id":"\xff\xfe"}\n{"\xff":1}\n',
                                 capture_output=True, timeout=PATIENCE_SECONDS, check=True)
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual([answer["error"]["field"] for answer in answers], [None, None])


class BigLines(unittest.TestCase):
    LIMIT = 64 << 20

    def test_a_megabyte_survives_the_round_trip(self):
        plain = (b"sealane-" * (1 << 17)).hex()
        (encrypted,) = run_lines([changed(**{"in": plain})])
        (decrypted,) = run_lines([changed(op="decrypt", **{"in": encrypted["out"]})])
        self.assertEqual(encrypted["status"], "ok")
        self.assertNotEqual(encrypted["out"], plain)
        self.assertTrue(decrypted["out"] == plain)

    def test_a_line_at_the_limit_is_read(self):
        frame = json.dumps(changed(**{"in": ""}))
        digits = (self.LIMIT - len(frame)) // 32 * 32
        line = json.dumps(changed(**{"in": "0" * digits}))
        answer, after = run_lines([line + " " * (self.LIMIT - len(line)), GOOD])
        self.assertTrue("status" in answer or answer["error"]["field"] == "in", str(answer)[:200])
        if answer.get("status") == "ok":
            self.assertEqual(len(answer["out"]), digits)
        self.assertEqual(after, GOOD_ANSWER)

    def test_a_line_beyond_the_limit_is_refused(self):
        line = json.dumps(GOOD)
        answer, after = run_lines([line + " " * (self.LIMIT - len(line) + 1), GOOD])
        self.assertEqual((answer["id"], answer["error"]["field"]), (None, None))
        self.assertIn("longer than", answer["error"]["message"])
        self.assertEqual(after, GOOD_ANSWER)


class Ends(unittest.TestCase):
    def test_no_input_is_no_output(self):
        process = sealane("run")
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, "", ""))

    def test_a_reader_that_goes_away_is_no_failure(self):
        with subprocess.Popen([SEALANE, "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.close()
            process.stdin.write((json.dumps(GOOD) + "\n").encode())
            process.stdin.close()
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
            self.assertEqual(process.stderr.read(), b"")

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([SEALANE, "run"], input=json.dumps(GOOD).encode(), stdout=full,
                                     stderr=subprocess.PIPE, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count(b"\n"), 1)
        self.assertIn(b"standard output", process.stderr)


if __name__ == "__main__":
    unittest.main()
