// SPDX-License-Identifier: Apache-2.0
//
// EvpRunner: OpenSSL's EVP in this process, with nothing of ours between. It checks the readers and
// the table, and is the yardstick when another runner disagrees. 3DES-CTR, which OpenSSL lacks, is
// composed here of ECB calls on its own, so that it does not share code with the engine that it
// judges.
#pragma once

#include "cipher_runner.h"

namespace sealane::vectors {

class EvpRunner final : public CipherRunner {
 public:
  std::vector<std::optional<Bytes>> Run(const std::string& algorithm, std::span<const uint8_t> key,
                                        bool encrypt, std::span<const CipherInput> inputs) override;

  // OpenSSL 3 refuses such a key for encryption only:
  // its decryption of old data must go on.
  bool RefusesEqualXtsHalves(bool encrypt) const override { return encrypt; }
};

}  // namespace sealane::vectors
