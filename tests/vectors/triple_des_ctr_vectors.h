// SPDX-License-Identifier: Apache-2.0
//
// Known answers for Triple DES in CTR mode (SP 800-38A, 6.5, with the whole 64-bit block as the
// counter). NIST publishes none: SP 800-38A has examples for AES only, and CAVP never tested CTR by
// known answers. These come from independent implementations, or follow from published ECB answers
// because the key stream of CTR is nothing but E(counter). One-block answers from CAVP's OFB files
// come on top (see cavp_reader.h).
#pragma once

#include <array>

namespace sealane::vectors {

struct TripleDesCtrVector {
  const char* source;
  const char* key;
  const char* iv;
  const char* plaintext;
  const char* ciphertext;
};

inline constexpr std::array<TripleDesCtrVector, 6> kTripleDesCtrVectors = {{
    // Made with Go's crypto/des and crypto/cipher, 100 bytes.
    {"CyberChef, tests/operations/tests/Crypt.mjs, 'Triple DES Encrypt: DES-EDE3-CTR, Binary'",
     "190da55fb54b9e7dd6de05f43bf3347ef203cd34a5829b23", "14f67ac044a84da6",
     "7a0e643132750e96d805d11e9e48e281fa39a41039286423cc1c045e5442b40bf1c3f2822bded3f9c8ef11cb25"
     "da64dda9c7ab87c246bd305385150c98f31465c2a6180fe81d31ea289b916504d5a12e1de26cb10adba84a0cb0"
     "c86f94bc14bc554f3018",
     "874d32cd7bdae52cd8630d3ab2bf373e7110e13713caa6a8bfed9d9dd802d0ebe93128ac0d0f05abcc56237b75"
     "fb69207dba11e68ddc4b0118a4c75e7248bbd80aaba4dd4436642546ec6ca7fa7526f3b0018ed5194c409dc2c1"
     "484530b968af554984f3"},
    // The texts "123456789012345678901234", "abcdegfh" and "73c86d43…62b" written as bytes.
    {"V, vlib/crypto/cipher/des_ctr_test.v, test_triple_des_ctr",
     "313233343536373839303132333435363738393031323334", "6162636465676668",
     "37336338366434336139643730306132353361393663383562306636623033616339373932653065373537663836"
     "396363613330366264336362613163363262",
     "00d963619a67c84e5aa688174f259f4615768a516ec3fd10c98848f8626120db27fd2932130a4ba5e90acd5c3475"
     "83bd4705770d41465b1ba11b4a523f449beb"},
    // Two-key Triple DES (K3 = K1); the first 64 of 512 bytes, "What a lousy earth! …".
    {"DPDK, app/test/test_cryptodev_des_test_vectors.h, triple_des128ctr_test_vector",
     "e423338a356461e24903ddc6b8ca557ae423338a356461e2", "0001020304050607",
     "576861742061206c6f7573792065617274682120486520776f6e646572656420686f77206d616e792070656f706c"
     "652077657265206465737469747574652074",
     "13393bbc1de323099b08d109529378291121ba0115cdecaa797758aeaebc973394a92dc00aa9a44b190788067e81"
     "0fb560cfa7c32a43ff163a5f112d11383794"},
    {"DPDK, app/test/test_cryptodev_des_test_vectors.h, triple_des192ctr_test_vector",
     "e423338a356461e24903ddc6b8ca557ad4c3a3aa336261e0", "0001020304050607",
     "576861742061206c6f7573792065617274682120486520776f6e646572656420686f77206d616e792070656f706c"
     "652077657265206465737469747574652074",
     "ff32529710bf0b10680f4f568b2c7b8e391e1a2f83de5e35c84bdfd5bc84501a02dfb311e4dab80e47c60c510962"
     "9c5d714049d855bd7d9071c5f7076f08712a"},
    // The counter wraps at 64 bits: ffffffffffffffff, 0, 1, 2. The key stream is put together from
    // ECB answers
    // for DES keys of zeros (the parity bits do not count, so 01…01 is the same key):
    //   E(ff…ff) = 355550b2150e2451   OpenSSL, test/destest.c, record 31
    //   E(0)     = 8ca64de9c1b123a7   OpenSSL, test/destest.c, record 1
    //   E(1)     = 166b40b44aba4bd6   CAVP, TECBvartext.rsp, COUNT 63
    //   E(2)     = 06e7ea22ce92708f   CAVP, TECBvartext.rsp, COUNT 62
    {"counter wrap, from OpenSSL test/destest.c and CAVP TECBvartext.rsp",
     "000000000000000000000000000000000000000000000000", "ffffffffffffffff",
     "0000000000000000000000000000000000000000000000000000000000000000",
     "355550b2150e24518ca64de9c1b123a7166b40b44aba4bd606e7ea22ce92708f"},
    // The same, ending in part of a block.
    {"counter wrap and a partial block, from OpenSSL test/destest.c and CAVP TECBvartext.rsp",
     "010101010101010101010101010101010101010101010101", "ffffffffffffffff",
     "0000000000000000000000000000000000000000", "355550b2150e24518ca64de9c1b123a7166b40b4"},
}};

}  // namespace sealane::vectors
