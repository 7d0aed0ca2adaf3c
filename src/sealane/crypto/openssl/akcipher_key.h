// SPDX-License-Identifier: Apache-2.0
//
// Asymmetric keys from what a guest sends: RSA as PKCS#1 DER (RFC 8017, A.1), a public one also as
// SPKI; ECDSA as SEC1 DER (RFC 5915) if private, else as the bare point or SPKI. Pure functions; a
// key is immutable, and OpenSSL wipes it.
#pragma once

#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

// Null, and OpenSSL's error queue empty, for anything but exactly one key of the kind that the
// parameters say: trailing bytes, another type, an RSA modulus below 512 or above kMaxRsaBits or
// even, an exponent that is even, 1, or longer than 64 bits, factors that do not fit the modulus,
// more than two primes, another curve. Bounded in time.
EvpKeyPtr ParseAkcipherKey(const AkcipherParams& params, ossl_lib_ctx_st* library);

}  // namespace sealane::crypto
