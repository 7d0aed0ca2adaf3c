// SPDX-License-Identifier: Apache-2.0
#include "peer_client.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sealane/base/unique_fd.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr driver::Options kDriverOptions{
    .num_data_queues = 1, .queue_size = 256, .depth = 128, .max_payload = 4096};
constexpr size_t kVerifiedLen = 256;
constexpr std::chrono::seconds kPatience{5};

bool EncryptWithOpenssl(std::span<const uint8_t> key, std::span<const uint8_t> iv,
                        std::span<const uint8_t> in, std::span<uint8_t> out) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
      EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int len = 0;
  return context != nullptr &&
         EVP_EncryptInit_ex2(context.get(), EVP_aes_128_cbc(), key.data(), iv.data(), nullptr) ==
             1 &&
         EVP_EncryptUpdate(context.get(), out.data(), &len, in.data(),
                           static_cast<int>(in.size())) == 1 &&
         len == static_cast<int>(out.size());
}

}  // namespace

// DPDK takes sessions only once a queue runs, and a queue runs only once it is enabled, of which
// the driver says nothing in this mode, as QEMU does not. Hence the second pair of hands on the
// connection, used when the first one rests.
Result<std::unique_ptr<PeerClient>> PeerClient::Connect(const std::string& path) {
  SL_ASSIGN_OR_RETURN(auto frontend, vhost_user::Frontend::Connect(path));
  vhost_user::Frontend second(vhost_user::Connection(UniqueFd(::dup(frontend.fd()))));
  SL_ASSIGN_OR_RETURN(auto transport,
                      driver::VhostUserTransport::Create(std::move(frontend),
                                                         {.mode = driver::VhostUserMode::kCryptodev,
                                                          .layout = vhost_user::CryptoLayout::kL1,
                                                          .memory_size = uint64_t{16} << 20}));
  SL_ASSIGN_OR_RETURN(auto driver,
                      driver::CryptoDriver::Create(std::move(transport), kDriverOptions));
  SL_RETURN_IF_ERROR(second.SetVringEnable(0, true));
  return std::unique_ptr<PeerClient>(new PeerClient(std::move(driver)));
}

Result<driver::SessionId> PeerClient::CreateSession() {
  const auto session = driver_->CreateSession(
      driver::CipherSessionParams{.algorithm = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
                                  .direction = driver::Operation::kEncrypt,
                                  .key = kKey});
  if (session) return *session;
  return Error{ErrorCode::kInvalid, "a session was refused"};
}

Result<void> PeerClient::Verify() {
  SL_ASSIGN_OR_RETURN(const driver::SessionId session, CreateSession());
  const std::array<uint8_t, 16> iv{1, 2, 3};
  std::array<uint8_t, kVerifiedLen> text{};
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<uint8_t>(7 * i);
  std::array<uint8_t, kVerifiedLen> expected{};
  std::array<uint8_t, kVerifiedLen> got{};
  driver::Request request;
  request.session = session;
  request.iv = iv;
  request.src = text;
  request.dst = got;
  const driver::Status status = driver_->channel(0).Call(request, kPatience);
  if (status != driver::Status::kOk) return Error{ErrorCode::kInvalid, driver::ToString(status)};
  if (!EncryptWithOpenssl(kKey, iv, text, expected) || !std::ranges::equal(got, expected)) {
    return Error{ErrorCode::kInvalid, "it encrypts something else than OpenSSL"};
  }
  if (!driver_->CloseSession(session)) return Error{ErrorCode::kInvalid, "no closing of a session"};
  return {};
}

Result<double> PeerClient::RunSessionPairs(double seconds) {
  const auto start = Clock::now();
  double elapsed = 0;
  uint64_t pairs = 0;
  while (elapsed < seconds) {
    SL_ASSIGN_OR_RETURN(const driver::SessionId session, CreateSession());
    if (!driver_->CloseSession(session)) return Error{ErrorCode::kBroken, "the connection ended"};
    ++pairs;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  num_sessions_ += pairs;
  return static_cast<double>(pairs) / elapsed;
}

}  // namespace sealane::bench
