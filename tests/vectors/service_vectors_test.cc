// SPDX-License-Identifier: Apache-2.0
//
// Published vectors of hashes, MACs and AEAD through driver and loopback device; every second one
// stateless. The counts are those of Debian 12's packages (expected_counts.h says which), counted
// in the files with other tools.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "run_vectors.h"
#include "sealane/base/hex.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/driver/crypto_driver.h"
#include "sealane/loopback/loopback_transport.h"
#include "service_sources.h"

namespace sealane::vectors {
namespace {

using driver::Operation;
using driver::Request;
using driver::RequestKind;
using driver::Status;
using testing::Bytes;

class Device {
 public:
  Device() {
    auto engine = crypto::OpenSslEngine::Create();
    auto transport = loopback::LoopbackTransport::Create(std::move(engine.value()), {});
    driver_ = driver::CryptoDriver::Create(std::move(transport.value()), {}).value();
  }

  Status Run(const driver::SessionParams& params, Request& request) {
    const bool is_stateless = ++count_ % 2 == 0;
    if (is_stateless) {
      request.stateless = &params;
      return driver_->channel(0).Call(request, std::chrono::seconds(30));
    }
    const auto session = driver_->CreateSession(params);
    if (!session.has_value()) return session.error().status;
    request.session = *session;
    const Status status = driver_->channel(0).Call(request, std::chrono::seconds(30));
    EXPECT_TRUE(driver_->CloseSession(driver::ServiceOf(params), *session).has_value());
    return status;
  }

 private:
  std::unique_ptr<driver::CryptoDriver> driver_;
  size_t count_ = 0;
};

bool IsDigestRight(Device& device, const ServiceVector& vector) {
  Bytes out(vector.result.size());
  const auto len = static_cast<uint32_t>(out.size());
  Request request{.kind = vector.kind, .src = vector.src, .dst = out};
  const Status status =
      vector.kind == RequestKind::kHash
          ? device.Run(driver::HashSessionParams{vector.number, len}, request)
          : device.Run(driver::MacSessionParams{vector.number, len, vector.key}, request);
  return status == Status::kOk && out == vector.result;
}

Status RunAead(Device& device, const ServiceVector& vector, Operation operation, const Bytes& src,
               Bytes& out, Bytes& tag) {
  Request request{.kind = RequestKind::kAead,
                  .operation = operation,
                  .iv = vector.iv,
                  .src = src,
                  .dst = out,
                  .aad = vector.aad,
                  .tag = tag};
  return device.Run(driver::AeadSessionParams{.algorithm = vector.number,
                                              .direction = operation,
                                              .key = vector.key,
                                              .tag_len = static_cast<uint32_t>(tag.size()),
                                              .aad_len = static_cast<uint32_t>(vector.aad.size())},
                    request);
}

bool IsAeadRight(Device& device, const ServiceVector& vector) {
  Bytes out(vector.result.size(), 0xee);
  Bytes tag = vector.tag;
  const Status opened = RunAead(device, vector, Operation::kDecrypt, vector.result, out, tag);
  if (!vector.is_authentic) return opened == Status::kBadMessage;
  if (opened != Status::kOk || out != vector.src) return false;
  tag.assign(tag.size(), 0);
  return RunAead(device, vector, Operation::kEncrypt, vector.src, out, tag) == Status::kOk &&
         out == vector.result && tag == vector.tag;
}

const std::map<std::string, size_t> kExpectedCounts = {{"md5", 7},
                                                       {"sha1", 129},
                                                       {"sha224", 129},
                                                       {"sha256", 129},
                                                       {"sha384", 257},
                                                       {"sha512", 257},
                                                       {"sha3-224", 245},
                                                       {"sha3-256", 237},
                                                       {"sha3-384", 205},
                                                       {"sha3-512", 173},
                                                       {"shake128", 1563},
                                                       {"shake256", 1619},
                                                       {"hmac-md5", 7},
                                                       {"hmac-sha1", 7},
                                                       {"hmac-sha224", 6},
                                                       {"hmac-sha256", 6},
                                                       {"hmac-sha384", 6},
                                                       {"hmac-sha512", 6},
                                                       {"cmac-aes", 12},
                                                       {"cmac-3des", 8},
                                                       {"aes-128-gcm", 5250},
                                                       {"aes-192-gcm", 5250},
                                                       {"aes-256-gcm", 5250},
                                                       {"aes-128-ccm", 960},
                                                       {"aes-192-ccm", 960},
                                                       {"aes-256-ccm", 960},
                                                       {"chacha20-poly1305", 71}};
// Of those, forgeries.
const std::map<std::string, size_t> kExpectedRefused = {
    {"aes-128-gcm", 1363}, {"aes-192-gcm", 1301}, {"aes-256-gcm", 1317},   {"aes-128-ccm", 160},
    {"aes-192-ccm", 160},  {"aes-256-ccm", 160},  {"chacha20-poly1305", 1}};
const std::map<std::string, size_t> kExpectedSkipped = {{"aes-128-gcm: IV is not 96 bits", 10500},
                                                        {"aes-192-gcm: IV is not 96 bits", 10500},
                                                        {"aes-256-gcm: IV is not 96 bits", 10500}};

TEST(ServiceVectors, All_AreAnsweredRight) {
  const auto loaded = LoadServiceVectors(VectorCache());
  ASSERT_TRUE(loaded.has_value()) << loaded.error();
  Device device;
  std::map<std::string, size_t> counts;
  std::map<std::string, size_t> refused;
  for (const ServiceVector& vector : loaded->vectors) {
    const bool is_right = vector.kind == RequestKind::kAead ? IsAeadRight(device, vector)
                                                            : IsDigestRight(device, vector);
    ASSERT_TRUE(is_right) << vector.algorithm << " " << vector.origin;
    ++counts[vector.algorithm];
    if (!vector.is_authentic) ++refused[vector.algorithm];
  }
  EXPECT_EQ(counts, kExpectedCounts);
  EXPECT_EQ(refused, kExpectedRefused);
  EXPECT_EQ(loaded->skipped, kExpectedSkipped);
}

}  // namespace
}  // namespace sealane::vectors
