// SPDX-License-Identifier: Apache-2.0
//
// Reads Crypto++'s test files as the package libcrypto++-utils has them. Pure functions apart from
// reading the file. Two formats:
//
//  * TestVectors/*.txt (described by Readme.txt there): sections of `Name: value` fields, each
//    begun by AlgorithmType. A backslash at the end of a line continues the field, `#` starts a
//    comment, and each `Test` field is one test that uses the last value of every field before it.
//    Byte values are "text", hexadecimal, or either repeated (`r8 00ff`). A section of another
//    algorithm is counted as skipped, one `Test` at a time.
//  * TestData/{descert,3desval,rijndael}.dat: lines of key, plaintext and ciphertext of one block.
//    A DES key is a DES-EDE3 key with three equal parts, so descert.dat is about Triple DES too.
#pragma once

#include <string>
#include <string_view>

#include "sealane/testing/cipher_vector.h"

namespace sealane::testing {

// `path` names the file in messages; it is not opened.
VectorResult ParseCryptopp(std::string_view text, const std::string& path);
VectorResult ReadCryptopp(const std::string& path);

// `family` is "aes" or "3des".
VectorResult ParseCryptoppBlocks(std::string_view text, const std::string& path,
                                 std::string_view family);
VectorResult ReadCryptoppBlocks(const std::string& path, std::string_view family);

}  // namespace sealane::testing
