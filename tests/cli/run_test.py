#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sealane run`: published answers, and every way in which a line can be wrong."""

import hashlib
import json
import pathlib
import subprocess
import tempfile
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

    def test_multi_buffer_gives_the_same_answers(self):
        lines, expected = [], []
        for algo, key, iv, plain, cipher in cipher_vectors.ALL:
            offered = algo.startswith("aes-") and algo.endswith(("-cbc", "-ctr"))
            for op, source, result in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
                lines.append({"id": algo, "op": op, "algo": algo, "key": key, "iv": iv, "in": source})
                answer = {"status": "ok", "out": result} if offered else {"status": "notsupp"}
                expected.append({"id": algo, **answer})
        self.assertEqual(run_lines(lines, "--engine", "ipsec-mb"), expected)

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

    def test_hashes_give_the_published_answers(self):
        # "abc": RFC 1321 and FIPS 180-4; FIPS 202 for SHAKE128 (its first 32 bytes)
        expected = {
            "md5": "900150983cd24fb0d6963f7d28e17f72",
            "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "shake128": "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8",
        }
        lines = [{"op": "digest", "algo": algo, "in": "616263", **({"out_len": 32} if algo == "shake128" else {})}
                 for algo in expected]
        self.assertEqual([answer["out"] for answer in run_lines(lines)], list(expected.values()))
        for algo in ("sha224", "sha384", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512"):
            with self.subTest(algo):
                (answer,) = run_lines([{"op": "digest", "algo": algo, "in": "616263"}])
                self.assertEqual(answer["out"], hashlib.new(algo.replace("sha3-", "sha3_"), b"abc").hexdigest())

    def test_macs_give_the_published_answers(self):
        aes = "2b7e151628aed2a6abf7158809cf4f3c"
        lines = [  # RFC 4231 case 1, the same cut to 96 bits, SP 800-38B D.1, RFC 3566 case 1, GCM's test case 1
            {"op": "mac", "algo": "hmac-sha256", "key": "0b" * 20, "in": b"Hi There".hex()},
            {"op": "mac", "algo": "hmac-sha256", "key": "0b" * 20, "in": b"Hi There".hex(), "out_len": 12},
            {"op": "mac", "algo": "cmac-aes", "key": aes, "in": ""},
            {"op": "mac", "algo": "xcbc-aes", "key": "000102030405060708090a0b0c0d0e0f", "in": ""},
            {"op": "mac", "algo": "gmac-aes", "key": "00" * 16, "in": "00" * 12},
        ]
        self.assertEqual([answer.get("out") for answer in run_lines(lines)], [
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            "b0344c61d8db38535ca8afce",
            "bb1d6929e95937287fa37d129b756746",
            "75f0251d528ac01c4573dfd584d79f29",
            "58e2fccefa7e3061367f1d57a4e7455a",
        ])

    def test_aead_seals_and_opens(self):
        # SP 800-38C, C.1
        ccm = {"algo": "aes-128-ccm", "key": "404142434445464748494a4b4c4d4e4f", "iv": "10111213141516",
               "aad": "0001020304050607"}
        sealed, opened, refused = run_lines([
            {"op": "encrypt", "in": "20212223", "tag_len": 4, **ccm},
            {"op": "decrypt", "in": "7162015b", "tag": "4dac255d", **ccm},
            {"op": "decrypt", "in": "7162015b", "tag": "4dac255e", **ccm},
        ])
        self.assertEqual(sealed, {"id": None, "status": "ok", "out": "7162015b", "tag": "4dac255d"})
        self.assertEqual(opened, {"id": None, "status": "ok", "out": "20212223"})
        self.assertEqual(refused, {"id": None, "status": "badmsg"})
        for algo, key_len in (("aes-256-gcm", 32), ("chacha20-poly1305", 32)):
            with self.subTest(algo):
                common = {"algo": algo, "key": "11" * key_len, "iv": "22" * 12, "aad": "33"}
                (first,) = run_lines([{"op": "encrypt", "in": "4455", **common}])
                (second,) = run_lines([{"op": "decrypt", "in": first["out"], "tag": first["tag"], **common}])
                self.assertEqual((second["status"], second["out"]), ("ok", "4455"))

    def test_rsa_and_ecdsa_agree_with_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            def openssl(*words):
                return subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=True,
                                      timeout=PATIENCE_SECONDS).stdout

            digest = hashlib.sha256(b"abc").digest()
            (pathlib.Path(folder) / "digest").write_bytes(digest)
            openssl("genrsa", "-traditional", "-out", "rsa.pem", "2048")
            openssl("ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", "ec.pem")
            for algo, name, more in (("rsa", "rsa", {"padding": "pkcs1", "hash": "sha256"}), ("ecdsa-p256", "ec", {})):
                with self.subTest(algo):
                    traditional = ["-traditional"] if name == "rsa" else []
                    private = openssl(name, *traditional, "-in", f"{name}.pem", "-outform", "DER").hex()
                    public = openssl(name, "-in", f"{name}.pem", "-pubout", "-outform", "DER").hex()
                    options = ["-pkeyopt", "digest:sha256"] if name == "rsa" else []
                    theirs = openssl("pkeyutl", "-sign", "-inkey", f"{name}.pem", "-in", "digest", *options).hex()
                    common = {"algo": algo, "in": digest.hex(), **more}
                    signed, right, wrong = run_lines([
                        {"op": "sign", "key": private, **common},
                        {"op": "verify", "key": public, "sig": theirs, **common},
                        {"op": "verify", "key": public, "sig": theirs, **common, "in": "00" * 32},
                    ])
                    self.assertEqual(right, {"id": None, "status": "ok", "out": ""})
                    self.assertEqual(wrong, {"id": None, "status": "key_rejected"})
                    (pathlib.Path(folder) / "sig").write_bytes(bytes.fromhex(signed["out"]))
                    openssl("pkeyutl", "-verify", "-inkey", f"{name}.pem", "-in", "digest", "-sigfile", "sig", *options)
            private = openssl("rsa", "-traditional", "-in", "rsa.pem", "-outform", "DER").hex()
            public = openssl("rsa", "-in", "rsa.pem", "-pubout", "-outform", "DER").hex()
            for padding, plain in (("pkcs1", "c0ffee"), ("raw", "00" * 255 + "07")):
                (sealed,) = run_lines([{"op": "encrypt", "algo": "rsa", "padding": padding, "key": public, "in": plain}])
                opened, refused = run_lines([
                    {"op": "decrypt", "algo": "rsa", "padding": padding, "key": private, "in": sealed["out"]},
                    {"op": "decrypt", "algo": "rsa", "padding": padding, "key": private, "in": "00" * 300},
                ])
                self.assertEqual((opened["status"], opened["out"]), ("ok", plain))
                self.assertEqual(refused["status"], "err")

    def test_the_device_judges_lengths(self):
        lines = [
            {"op": "digest", "algo": "sha1", "in": "", "out_len": 21},
            {"op": "mac", "algo": "cmac-aes", "key": "00" * 15, "in": ""},
            {"op": "mac", "algo": "cbcmac-aes", "key": "00" * 16, "in": "00"},
            {"op": "encrypt", "algo": "aes-128-gcm", "key": "00" * 16, "iv": "00" * 11, "in": ""},
            {"op": "encrypt", "algo": "aes-128-gcm", "key": "00" * 16, "iv": "00" * 12, "in": "", "tag_len": 5},
        ]
        answers = run_lines([*lines, GOOD])
        self.assertEqual([answer["status"] for answer in answers[:-1]], ["err"] * len(lines))
        self.assertEqual(answers[-1], GOOD_ANSWER)

    def test_what_is_not_offered_yet_is_notsupp(self):
        lines = [
            {"id": 1, "op": "digest", "algo": "aes-128-cbc", "in": "00"},
            {"id": 2, "op": "encrypt", "algo": "kasumi-f8", "key": "00" * 16, "iv": "00" * 8, "in": "00"},
            {"id": 3, "op": "mac", "algo": "zuc-eia3", "key": "00" * 16, "in": "00" * 16},
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

    def test_the_keys_of_each_operation(self):
        digest = {"id": 7, "op": "digest", "algo": "sha256", "in": ""}
        mac = {"id": 7, "op": "mac", "algo": "hmac-sha1", "key": "00", "in": ""}
        seal = {"id": 7, "op": "encrypt", "algo": "aes-128-gcm", "key": "00" * 16, "iv": "00" * 12, "in": ""}
        sign = {"id": 7, "op": "sign", "algo": "rsa", "key": "00", "in": "00", "padding": "pkcs1"}
        for line, field in (({**digest, "key": "00"}, "key"), ({**digest, "iv": ""}, "iv"),
                            ({**digest, "out_len": 0}, "out_len"), ({**digest, "algo": "shake128"}, "out_len"),
                            ({**mac, "aad": "00"}, "aad"), ({**seal, "tag": "00"}, "tag"),
                            ({**seal, "op": "decrypt"}, "tag"), ({**seal, "key": "00"}, "key"),
                            ({**seal, "op": "decrypt", "tag": "00" * 4, "tag_len": 8}, "tag_len"),
                            ({**seal, "aad": "zz"}, "aad"), ({**seal, "out_len": 1}, "out_len"),
                            ({**sign, "sig": "00"}, "sig"), ({**sign, "op": "verify"}, "sig"),
                            ({**sign, "padding": "oaep"}, "padding"), ({**sign, "hash": "sha3-256"}, "hash"),
                            ({**sign, "algo": "ecdsa-p256"}, "padding"), ({**sign, "iv": "00"}, "iv")):
            with self.subTest(line):
                self.assert_fault(line, field)
        for line, names in ((digest, ["in"]), (mac, ["key", "in"]), (seal, ["key", "iv", "in"])):
            for name in names:
                with self.subTest(line["op"], name=name):
                    self.assert_fault({key: value for key, value in line.items() if key != name}, name)

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
