// SPDX-License-Identifier: Apache-2.0
#include "evp_runner.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <array>
#include <memory>

namespace sealane::vectors {
namespace {

constexpr size_t kDesBlockLen = 8;

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};

using Cipher = std::unique_ptr<EVP_CIPHER, Free<EVP_CIPHER_free>>;
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free<EVP_CIPHER_CTX_free>>;

// OpenSSL's name, which it takes in either case: "aes-128-cbc" is its own.
std::string OpensslName(const std::string& algorithm) {
  if (algorithm == "3des-ecb" || algorithm == "3des-ctr") return "DES-EDE3-ECB";
  if (algorithm == "3des-cbc") return "DES-EDE3-CBC";
  return algorithm;
}

std::optional<Bytes> RunOnce(const EVP_CIPHER* cipher, std::span<const uint8_t> key, bool encrypt,
                             const CipherInput& input) {
  const Context context(EVP_CIPHER_CTX_new());
  const uint8_t* const iv = input.iv.empty() ? nullptr : input.iv.data();
  Bytes output(input.data.size() + EVP_MAX_BLOCK_LENGTH);
  int len = 0;
  int rest = 0;
  const bool ok =
      EVP_CIPHER_get_key_length(cipher) == static_cast<int>(key.size()) &&
      EVP_CipherInit_ex2(context.get(), cipher, key.data(), iv, encrypt ? 1 : 0, nullptr) == 1 &&
      EVP_CIPHER_CTX_set_padding(context.get(), 0) == 1 &&
      EVP_CipherUpdate(context.get(), output.data(), &len, input.data.data(),
                       static_cast<int>(input.data.size())) == 1 &&
      EVP_CipherFinal_ex(context.get(), output.data() + len, &rest) == 1;
  if (!ok) {
    ERR_clear_error();
    return std::nullopt;
  }
  output.resize(static_cast<size_t>(len + rest));
  return output;
}

// SP 800-38A, 6.5: the counter is the block as a big-endian number; its successors are taken modulo
// 2^64.
std::optional<Bytes> RunTripleDesCtr(const EVP_CIPHER* ecb, std::span<const uint8_t> key,
                                     const CipherInput& input) {
  if (input.iv.size() != kDesBlockLen) return std::nullopt;
  uint64_t counter = 0;
  for (const uint8_t byte : input.iv) counter = counter << 8 | byte;
  Bytes counters;
  for (size_t done = 0; done < input.data.size(); done += kDesBlockLen, ++counter) {
    for (unsigned shift = 64; shift > 0; shift -= 8) {
      counters.push_back(static_cast<uint8_t>(counter >> (shift - 8)));
    }
  }
  std::optional<Bytes> stream = RunOnce(ecb, key, true, {.iv = {}, .data = counters});
  if (!stream) return std::nullopt;
  stream->resize(input.data.size());
  for (size_t i = 0; i < stream->size(); ++i) (*stream)[i] ^= input.data[i];
  return stream;
}

}  // namespace

std::vector<std::optional<Bytes>> EvpRunner::Run(const std::string& algorithm,
                                                 std::span<const uint8_t> key, bool encrypt,
                                                 std::span<const CipherInput> inputs) {
  std::vector<std::optional<Bytes>> answers(inputs.size());
  const Cipher cipher(EVP_CIPHER_fetch(nullptr, OpensslName(algorithm).c_str(), nullptr));
  if (!cipher) return answers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    answers[i] = algorithm == "3des-ctr" ? RunTripleDesCtr(cipher.get(), key, inputs[i])
                                         : RunOnce(cipher.get(), key, encrypt, inputs[i]);
  }
  return answers;
}

}  // namespace sealane::vectors
