// SPDX-License-Identifier: Apache-2.0
#include "driver_runner.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string_view>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::vectors {
namespace {

using driver::DataChannel;
using driver::Operation;
using driver::Request;
using driver::SessionId;
using driver::Status;

// Long enough for a loaded machine; a request that takes it is lost.
constexpr std::chrono::seconds kPatience{20};

struct AlgorithmId {
  std::string_view family;
  std::string_view mode;
  uint32_t id;
};

constexpr std::array<AlgorithmId, 7> kAlgorithms = {{
    {"aes-", "-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB},
    {"aes-", "-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC},
    {"aes-", "-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR},
    {"aes-", "-xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS},
    {"3des-", "-ecb", wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB},
    {"3des-", "-cbc", wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC},
    {"3des-", "-ctr", wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR},
}};

// 0, VIRTIO_CRYPTO_NO_CIPHER, if there is none.
uint32_t WireAlgorithm(std::string_view name) {
  for (const AlgorithmId& entry : kAlgorithms) {
    if (name.starts_with(entry.family) && name.ends_with(entry.mode)) return entry.id;
  }
  return 0;
}

std::vector<Request> MakeRequests(SessionId session, Operation operation,
                                  std::span<const CipherInput> inputs, std::span<Bytes> outputs) {
  std::vector<Request> requests(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    outputs[i].resize(inputs[i].data.size());
    requests[i].session = session;
    requests[i].operation = operation;
    requests[i].iv = inputs[i].iv;
    requests[i].src = inputs[i].data;
    requests[i].dst = outputs[i];
    requests[i].status = Status::kPending;  // should it never be submitted
  }
  return requests;
}

}  // namespace

void DriverRunner::RunRequests(std::span<Request> requests) {
  DataChannel& channel = crypto_->channel(0);
  std::vector<Request*> waiting;
  for (Request& request : requests) waiting.push_back(&request);
  std::vector<Request*> done(waiting.size());
  size_t num_submitted = 0;
  size_t num_done = 0;
  while (num_done < waiting.size()) {
    const size_t taken = channel.Submit(std::span(waiting).subspan(num_submitted));
    num_submitted += taken;
    const size_t reaped = channel.Poll(done);
    num_done += reaped;
    if (reaped > 0 || taken > 0 || channel.Wait(kPatience)) continue;
    ADD_FAILURE() << num_done << " of " << waiting.size() << " requests came back";
    // The requests are freed next, so the channel must let go of them.
    channel.Shutdown();
    while (channel.Poll(done) > 0) {
    }
    return;
  }
}

std::vector<std::optional<Bytes>> DriverRunner::Run(const std::string& algorithm,
                                                    std::span<const uint8_t> key, bool encrypt,
                                                    std::span<const CipherInput> inputs) {
  std::vector<std::optional<Bytes>> answers(inputs.size());
  const Operation operation = encrypt ? Operation::kEncrypt : Operation::kDecrypt;
  const driver::Outcome<SessionId> session = crypto_->CreateSession(
      {.algorithm = WireAlgorithm(algorithm), .direction = operation, .key = key});
  if (!session) {
    EXPECT_TRUE(IsDeviceAnswer(session.error().status)) << ToString(session.error().status);
    return answers;
  }
  std::vector<Bytes> outputs(inputs.size());
  std::vector<Request> requests = MakeRequests(*session, operation, inputs, outputs);
  RunRequests(requests);
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_TRUE(IsDeviceAnswer(requests[i].status)) << ToString(requests[i].status);
    if (requests[i].status == Status::kOk) answers[i] = std::move(outputs[i]);
  }
  EXPECT_TRUE(crypto_->CloseSession(*session).has_value());
  return answers;
}

}  // namespace sealane::vectors
