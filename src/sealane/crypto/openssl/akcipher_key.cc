// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/akcipher_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace sealane::crypto {
namespace {

struct BigNumDeleter {
  void operator()(BIGNUM* number) const { BN_clear_free(number); }
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
  void operator()(OSSL_DECODER_CTX* decoder) const { OSSL_DECODER_CTX_free(decoder); }
};
using BigNumPtr = std::unique_ptr<BIGNUM, BigNumDeleter>;

// The names that OpenSSL gives the curves, in the order of Curve.
constexpr std::array<const char*, 5> kGroups = {"prime192v1", "secp224r1", "prime256v1",
                                                "secp384r1", "secp521r1"};

constexpr int kMinRsaBits = 512;
constexpr int kMaxExponentBits = 64;

// All of the bytes must be one key of this type and structure.
EvpKeyPtr Decode(std::span<const uint8_t> der, const char* type, const char* structure,
                 int selection, ossl_lib_ctx_st* library) {
  EVP_PKEY* key = nullptr;
  const std::unique_ptr<OSSL_DECODER_CTX, BigNumDeleter> decoder(
      OSSL_DECODER_CTX_new_for_pkey(&key, "DER", structure, type, selection, library, nullptr));
  if (!decoder) return nullptr;
  const unsigned char* data = der.data();
  size_t len = der.size();
  const bool ok = OSSL_DECODER_from_data(decoder.get(), &data, &len) == 1;
  EvpKeyPtr owned(key);
  return ok && len == 0 ? std::move(owned) : nullptr;
}

BigNumPtr Number(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) return nullptr;
  return BigNumPtr(number);
}

bool IsSanePublic(const EVP_PKEY* key) {
  const BigNumPtr n = Number(key, OSSL_PKEY_PARAM_RSA_N);
  const BigNumPtr e = Number(key, OSSL_PKEY_PARAM_RSA_E);
  if (!n || !e || BN_is_negative(n.get()) || BN_is_negative(e.get())) return false;
  const int bits = BN_num_bits(n.get());
  return bits >= kMinRsaBits && bits <= static_cast<int>(kMaxRsaBits) && BN_is_odd(n.get()) &&
         BN_is_odd(e.get()) && !BN_is_one(e.get()) && BN_num_bits(e.get()) <= kMaxExponentBits;
}

// The factors make the modulus, and every other part is smaller than it.
bool IsSanePrivate(const EVP_PKEY* key) {
  const BigNumPtr n = Number(key, OSSL_PKEY_PARAM_RSA_N);
  const BigNumPtr p = Number(key, OSSL_PKEY_PARAM_RSA_FACTOR1);
  const BigNumPtr q = Number(key, OSSL_PKEY_PARAM_RSA_FACTOR2);
  if (!n || !p || !q || BN_cmp(p.get(), n.get()) >= 0 || BN_cmp(q.get(), n.get()) >= 0) {
    return false;
  }
  if (Number(key, OSSL_PKEY_PARAM_RSA_FACTOR3)) return false;
  for (const char* name : {OSSL_PKEY_PARAM_RSA_D, OSSL_PKEY_PARAM_RSA_EXPONENT1,
                           OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1}) {
    const BigNumPtr part = Number(key, name);
    if (!part || BN_is_negative(part.get()) || BN_cmp(part.get(), n.get()) >= 0) return false;
  }
  const BigNumPtr product(BN_new());
  const std::unique_ptr<BN_CTX, BigNumDeleter> context(BN_CTX_secure_new());
  return product && context && BN_is_odd(p.get()) && BN_is_odd(q.get()) &&
         BN_mul(product.get(), p.get(), q.get(), context.get()) == 1 &&
         BN_cmp(product.get(), n.get()) == 0;
}

EvpKeyPtr ParseRsa(const AkcipherParams& params, ossl_lib_ctx_st* library) {
  const std::span<const uint8_t> der = params.key.bytes();
  EvpKeyPtr key;
  if (params.is_private) {
    key = Decode(der, "RSA", "type-specific", EVP_PKEY_KEYPAIR, library);
    if (key && !IsSanePrivate(key.get())) key.reset();
  } else {
    key = Decode(der, "RSA", "type-specific", EVP_PKEY_PUBLIC_KEY, library);
    if (!key) key = Decode(der, "RSA", "SubjectPublicKeyInfo", EVP_PKEY_PUBLIC_KEY, library);
  }
  if (key && !IsSanePublic(key.get())) key.reset();
  return key;
}

// Of the point alone, as the specification has it (SEC1, 2.3.3).
EvpKeyPtr FromPoint(std::span<const uint8_t> point, const char* group, ossl_lib_ctx_st* library) {
  const EvpKeyContextPtr context(EVP_PKEY_CTX_new_from_name(library, "EC", nullptr));
  // OpenSSL's parameters are not const, but nothing changes.
  std::array<OSSL_PARAM, 3> params = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, const_cast<char*>(group), 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, const_cast<uint8_t*>(point.data()),
                                        point.size()),
      OSSL_PARAM_construct_end()};
  EVP_PKEY* key = nullptr;
  if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.data()) != 1) {
    return nullptr;
  }
  return EvpKeyPtr(key);
}

bool IsOfGroup(const EVP_PKEY* key, std::string_view group) {
  std::array<char, 64> name{};
  return EVP_PKEY_get_group_name(key, name.data(), name.size(), nullptr) == 1 &&
         group == name.data();
}

EvpKeyPtr ParseEcdsa(const AkcipherParams& params, ossl_lib_ctx_st* library) {
  const std::span<const uint8_t> der = params.key.bytes();
  const char* const group = kGroups[static_cast<size_t>(params.curve)];
  EvpKeyPtr key;
  if (params.is_private) {
    key = Decode(der, "EC", "type-specific", EVP_PKEY_KEYPAIR, library);
  } else {
    // A point begins with 2, 3 or 4, DER with 0x30.
    constexpr uint8_t kSequence = 0x30;
    key = der.front() == kSequence
              ? Decode(der, "EC", "SubjectPublicKeyInfo", EVP_PKEY_PUBLIC_KEY, library)
              : FromPoint(der, group, library);
  }
  if (key && !IsOfGroup(key.get(), group)) key.reset();
  return key;
}

}  // namespace

EvpKeyPtr ParseAkcipherKey(const AkcipherParams& params, ossl_lib_ctx_st* library) {
  EvpKeyPtr key = params.algorithm == AkcipherAlgorithm::kRsa ? ParseRsa(params, library)
                                                              : ParseEcdsa(params, library);
  ERR_clear_error();
  return key;
}

}  // namespace sealane::crypto
