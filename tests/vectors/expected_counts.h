// SPDX-License-Identifier: Apache-2.0
//
// How many vectors each source holds, so that a reader that loses some fails. The figures are those
// of Debian 12 (python3-cryptography-vectors 38.0.4, libcrypto++-utils 8.7.0); they were counted in
// the files with other tools. A package of another version may need other figures.
#pragma once

#include <array>
#include <cstddef>

namespace sealane::vectors {

struct ExpectedFiles {
  const char* source;
  size_t count;
};

struct ExpectedCount {
  const char* source;
  const char* what;  // the algorithm, or why something was not run
  size_t count;
};

inline constexpr std::array<ExpectedFiles, 13> kExpectedFiles = {{
    {"cavp/ciphers/AES/ECB", 15},
    {"cavp/ciphers/AES/CBC", 15},
    {"cavp/ciphers/AES/CTR", 3},
    {"cavp/ciphers/AES/OFB", 15},
    {"cavp/ciphers/AES/XTS", 4},
    {"cavp/ciphers/3DES/ECB", 8},
    {"cavp/ciphers/3DES/CBC", 16},
    {"cavp/ciphers/3DES/OFB", 16},
    {"cryptopp/TestVectors", 80},
    {"cryptopp/TestData/rijndael.dat", 1},
    {"cryptopp/TestData/3desval.dat", 1},
    {"cryptopp/TestData/descert.dat", 1},
    {"table", 1},
}};

// CBC-I and OFB-I records count three times, once for each stream (see cavp_reader.h).
inline constexpr std::array<ExpectedCount, 34> kExpectedVectors = {{
    {"cavp/ciphers/AES/ECB", "aes-128-ecb", 588},
    {"cavp/ciphers/AES/ECB", "aes-192-ecb", 720},
    {"cavp/ciphers/AES/ECB", "aes-256-ecb", 830},
    {"cavp/ciphers/AES/CBC", "aes-128-cbc", 588},
    {"cavp/ciphers/AES/CBC", "aes-192-cbc", 720},
    {"cavp/ciphers/AES/CBC", "aes-256-cbc", 830},
    {"cavp/ciphers/AES/CTR", "aes-128-ctr", 3},
    {"cavp/ciphers/AES/CTR", "aes-192-ctr", 3},
    {"cavp/ciphers/AES/CTR", "aes-256-ctr", 3},
    {"cavp/ciphers/AES/OFB", "aes-128-ctr", 588},
    {"cavp/ciphers/AES/OFB", "aes-192-ctr", 720},
    {"cavp/ciphers/AES/OFB", "aes-256-ctr", 830},
    {"cavp/ciphers/AES/XTS", "aes-128-xts", 1600},
    {"cavp/ciphers/AES/XTS", "aes-256-xts", 1200},
    {"cavp/ciphers/3DES/ECB", "3des-ecb", 530},
    {"cavp/ciphers/3DES/CBC", "3des-cbc", 2120},
    {"cavp/ciphers/3DES/OFB", "3des-ctr", 2120},
    {"cryptopp/TestVectors", "aes-128-ecb", 2},
    {"cryptopp/TestVectors", "aes-192-ecb", 1},
    {"cryptopp/TestVectors", "aes-256-ecb", 1},
    {"cryptopp/TestVectors", "aes-128-cbc", 6},
    {"cryptopp/TestVectors", "aes-192-cbc", 1},
    {"cryptopp/TestVectors", "aes-256-cbc", 1},
    {"cryptopp/TestVectors", "aes-128-ctr", 5},
    {"cryptopp/TestVectors", "aes-192-ctr", 4},
    {"cryptopp/TestVectors", "aes-256-ctr", 4},
    {"cryptopp/TestVectors", "aes-128-xts", 262},
    {"cryptopp/TestVectors", "aes-256-xts", 246},
    {"cryptopp/TestData/rijndael.dat", "aes-128-ecb", 4},
    {"cryptopp/TestData/rijndael.dat", "aes-192-ecb", 3},
    {"cryptopp/TestData/rijndael.dat", "aes-256-ecb", 2},
    {"cryptopp/TestData/3desval.dat", "3des-ecb", 2},
    {"cryptopp/TestData/descert.dat", "3des-ecb", 171},
    {"table", "3des-ctr", 6},
}};

inline constexpr std::array<ExpectedCount, 6> kExpectedSkipped = {{
    {"cavp/ciphers/AES/XTS", "data unit of 130 bits", 400},
    {"cavp/ciphers/AES/XTS", "data unit of 140 bits", 400},
    {"cavp/ciphers/AES/XTS", "data unit of 250 bits", 400},
    {"cryptopp/TestVectors", "SymmetricCipher AES/CFB", 7},
    {"cryptopp/TestVectors", "SymmetricCipher AES/OFB", 4},
    {"cryptopp/TestData/3desval.dat", "DES-XEX3", 1},
}};

// IEEE 1619's vector 1 has a key of zeros; Crypto++ lists it in aes.txt and in xts.txt.
inline constexpr size_t kExpectedEqualXtsHalves = 2;

}  // namespace sealane::vectors
