// SPDX-License-Identifier: Apache-2.0
//
// Reads NIST CAVP response files (.rsp) of block-cipher modes, in the tree layout of the package
// python3-cryptography-vectors: …/AES/{ECB,CBC,CTR,OFB,XTS}/… and …/3DES/{ECB,CBC,OFB}/…
// The last two folders above the file say what it is about. Pure functions apart from reading the
// file.
//
//  * AES: KEY, IV, PLAINTEXT, CIPHERTEXT (NIST AESAVS; the CTR files carry RFC 3686 in the same
//  form).
//  * XTS: DataUnitLen counts bits, so only data units of whole bytes become vectors, the others are
//  counted as
//    skipped. The tweak is `i`, or DataUnitSeqNumber as a little-endian number (NIST XTSVS).
//  * 3DES: KEYs (K1 = K2 = K3) or KEY1..KEY3. CBC-I, "interleaved" (NIST SP 800-20), is three plain
//  CBC
//    streams, so each of its records gives three vectors.
//  * OFB: the first block of OFB is the first block of CTR, P xor E(IV) (SP 800-38A, 6.4 and 6.5).
//  NIST
//    publishes no known answers for CTR, so the OFB records cut to one block are read as one-block
//    CTR vectors.
#pragma once

#include <string>
#include <string_view>

#include "sealane/testing/cipher_vector.h"

namespace sealane::testing {

// `path` names the file in messages and says the algorithm; it is not opened.
VectorResult ParseCavp(std::string_view text, const std::string& path);

VectorResult ReadCavp(const std::string& path);

}  // namespace sealane::testing
