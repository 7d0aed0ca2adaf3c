// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/reference_cipher.h"

#include <openssl/evp.h>

#include <string>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/evp_handle.h"

namespace sealane::crypto {
namespace {

std::string EvpName(CipherAlgorithm algorithm, size_t key_len) {
  const std::string aes = "AES-" + std::to_string(8 * key_len);
  switch (algorithm) {
    case CipherAlgorithm::kAesEcb:
      return aes + "-ECB";
    case CipherAlgorithm::kAesCbc:
      return aes + "-CBC";
    case CipherAlgorithm::kAesCtr:
      return aes + "-CTR";
    case CipherAlgorithm::kAesXts:
      return key_len == 32 ? "AES-128-XTS" : "AES-256-XTS";
    case CipherAlgorithm::kDes3Ecb:
    case CipherAlgorithm::kDes3Ctr:
      return "DES-EDE3";
    case CipherAlgorithm::kDes3Cbc:
      return "DES-EDE3-CBC";
    default:
      break;
  }
  return "";
}

Bytes CryptOnce(const std::string& name, Direction direction, const Bytes& key, const Bytes& iv,
                const Bytes& in) {
  const EvpCipherPtr cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
  const EvpContextPtr context(EVP_CIPHER_CTX_new());
  SL_CHECK(cipher != nullptr && context != nullptr);
  SL_CHECK(EVP_CipherInit_ex(context.get(), cipher.get(), nullptr, key.data(), iv.data(),
                             direction == Direction::kEncrypt ? 1 : 0) == 1);
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  Bytes out(in.size() + 32);
  int updated = 0;
  int finished = 0;
  SL_CHECK(EVP_CipherUpdate(context.get(), out.data(), &updated, in.data(),
                            static_cast<int>(in.size())) == 1);
  SL_CHECK(EVP_CipherFinal_ex(context.get(), out.data() + updated, &finished) == 1);
  SL_CHECK(static_cast<size_t>(updated + finished) == in.size());
  out.resize(in.size());
  return out;
}

void Increment(Bytes& counter) {
  for (size_t i = counter.size(); i-- > 0;) {
    if (++counter[i] != 0) return;
  }
}

}  // namespace

Bytes EncryptedCounters(const Bytes& key, const Bytes& first, size_t num_blocks) {
  Bytes counters;
  counters.reserve(num_blocks * first.size());
  Bytes counter = first;
  for (size_t i = 0; i < num_blocks; ++i) {
    counters.insert(counters.end(), counter.begin(), counter.end());
    Increment(counter);
  }
  const CipherAlgorithm algorithm =
      first.size() == 8 ? CipherAlgorithm::kDes3Ecb : CipherAlgorithm::kAesEcb;
  return CryptOnce(EvpName(algorithm, key.size()), Direction::kEncrypt, key, {}, counters);
}

Bytes ReferenceCrypt(CipherAlgorithm algorithm, Direction direction, const Bytes& key,
                     const Bytes& iv, const Bytes& in) {
  if (in.empty()) return in;
  if (algorithm != CipherAlgorithm::kDes3Ctr) {
    return CryptOnce(EvpName(algorithm, key.size()), direction, key, iv, in);
  }
  Bytes out = EncryptedCounters(key, iv, (in.size() + iv.size() - 1) / iv.size());
  out.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) out[i] ^= in[i];
  return out;
}

}  // namespace sealane::crypto
