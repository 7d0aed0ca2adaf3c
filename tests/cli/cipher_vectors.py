# SPDX-License-Identifier: Apache-2.0
"""Published answers, at least one for every cipher: (algorithm, key, iv, plaintext, ciphertext)."""

# The plaintext and keys of NIST SP 800-38A, appendix F.
SP800_38A_TEXT = ("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                  "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
KEY_128 = "2b7e151628aed2a6abf7158809cf4f3c"
KEY_192 = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"
KEY_256 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
CBC_IV = "000102030405060708090a0b0c0d0e0f"
CTR_IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

SP800_38A = [
    ("aes-128-ecb", KEY_128, "", SP800_38A_TEXT,
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"),
    ("aes-192-ecb", KEY_192, "", SP800_38A_TEXT,
     "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e"),
    ("aes-256-ecb", KEY_256, "", SP800_38A_TEXT,
     "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"),
    ("aes-128-cbc", KEY_128, CBC_IV, SP800_38A_TEXT,
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"),
    ("aes-192-cbc", KEY_192, CBC_IV, SP800_38A_TEXT,
     "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
     "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"),
    ("aes-256-cbc", KEY_256, CBC_IV, SP800_38A_TEXT,
     "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
     "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"),
    ("aes-128-ctr", KEY_128, CTR_IV, SP800_38A_TEXT,
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"),
    ("aes-192-ctr", KEY_192, CTR_IV, SP800_38A_TEXT,
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"),
    ("aes-256-ctr", KEY_256, CTR_IV, SP800_38A_TEXT,
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"),
]

# NIST CAVP: XTSGenAES128 and XTSGenAES256 (tweak as 128 bits), COUNT 1; TECBMMT3 and TCBCMMT3, COUNT 1.
CAVP = [
    ("aes-128-xts", "a1b90cba3f06ac353b2c343876081762090923026e91771815f29dab01932f2f",
     "4faef7117cda59c66e4b92013e768ad5", "ebabce95b14d3c8d6fb350390790311c",
     "778ae8b43cb98d5a825081d5be471c63"),
    ("aes-256-xts", "1ea661c58d943a0e4801e42f4b0947149e7f9f8e3e68d0c7505210bd311a0e7c"
     "d6e13ffdf2418d8d1911c004cda58da3d619b7e2b9141e58318eea392cf41b08",
     "adf8d92627464ad2f0428e84a9f87564",
     "2eedea52cd8215e1acc647e810bbc3642e87287f8d2e57e36c0a24fbc12a202e",
     "cbaad0e2f6cea3f50b37f934d46a9b130b9d54f07e34f36af793e86f73c6d7db"),
    ("3des-ecb", "49e692290d2a5e46bace79b9648a4c5d491004c262dc9d49", "",
     "6b1540781b01ce1997adae102dbf3c5b", "4d0dc182d6e481ac4a3dc6ab6976ccae"),
    ("3des-cbc", "a49d7564199e97cb529d2c9d97bf2f98d35edf57ba1f7358", "c2e999cb6249023c",
     "c689aee38a301bb316da75db36f110b5", "e9afaba5ec75ea1bbe65506655bb4ecb"),
]

# NIST has no Triple DES in CTR mode, but the first block of OFB is that of CTR (TOFBMMT3, COUNT 1, cut to one
# block). The other one's key stream is E(ff…ff), E(0), E(1), E(2) under the weak key 01…01: OpenSSL's
# test/destest.c, records 31 and 1, and CAVP's TECBvartext, COUNT 63 and 62.
TRIPLE_DES_CTR = [
    ("3des-ctr", "3ea7f4a819d56797e683687a32b6d6610b4307238079c7e9", "e9a012252338c1ff",
     "5c632f97a983f12a", "deb1bbf11eebce85"),
    ("3des-ctr", "010101010101010101010101010101010101010101010101", "ffffffffffffffff", "00" * 20,
     "355550b2150e24518ca64de9c1b123a7166b40b4"),
]

ALL = SP800_38A + CAVP + TRIPLE_DES_CTR
