// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cases.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::testing {
namespace {

// Opens a session, runs one request, closes the session.
Case OneRequest(std::string name, const CipherSpec& spec, const DataShape& data) {
  return {std::move(name), [spec, data](Scenario& scenario) {
            scenario.OpenSession(spec);
            scenario.Cipher("request", data);
            scenario.CloseSession();
          }};
}

std::vector<Case> LengthCases() {
  std::vector<Case> cases;
  for (const size_t len : {0U, 1U, 15U, 16U, 17U, 64U, 256U, 4096U, 65536U}) {
    cases.push_back(OneRequest(fmt::format("encrypt_{}_bytes", len), {}, {.len = len}));
    cases.push_back(OneRequest(fmt::format("decrypt_{}_bytes", len),
                               {.direction = wire::VIRTIO_CRYPTO_OP_DECRYPT}, {.len = len}));
  }
  for (const uint32_t iv_len : {0U, 15U, 17U, 33U, 255U}) {
    cases.push_back(OneRequest(fmt::format("iv_len_{}", iv_len), {}, {.iv_len = iv_len}));
  }
  const DataShape huge_iv{.iv_len = 0xffff'fff0, .iv_bytes = 16};
  cases.push_back(OneRequest("iv_len_huge", {}, huge_iv));
  cases.push_back(
      OneRequest("iv_and_source_wrap", {},
                 {.src_len = 0x20, .dst_len = 0x20, .iv_len = 0xffff'fff0, .iv_bytes = 16}));
  cases.push_back(OneRequest("dst_shorter_than_src", {}, {.dst_len = 48}));
  cases.push_back(OneRequest("dst_longer_than_src", {}, {.dst_len = 96}));
  cases.push_back(OneRequest("dst_len_zero", {}, {.dst_len = 0}));
  cases.push_back(OneRequest("dst_room_shorter_than_dst_len", {}, {.dst_room = 48}));
  cases.push_back(OneRequest("dst_room_longer_than_dst_len", {}, {.dst_room = 192}));
  cases.push_back(OneRequest("src_len_beyond_source", {}, {.src_len = 80}));
  cases.push_back(OneRequest("src_len_huge", {}, {.src_len = 0xffff'fff0, .dst_room = 64}));
  cases.push_back(OneRequest("src_len_shorter_than_source", {}, {.src_len = 32}));
  cases.push_back(OneRequest("dst_len_huge", {}, {.dst_len = 0xffff'fff0, .dst_room = 64}));
  return cases;
}

std::vector<Case> AlgorithmCases() {
  const CipherSpec specs[] = {
      {.openssl_name = "AES-192-CBC", .key_len = 24},
      {.openssl_name = "AES-256-CBC", .key_len = 32},
      {.algo = wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, .openssl_name = "AES-128-ECB", .iv_len = 0},
      {.algo = wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, .openssl_name = "AES-128-CTR"},
      {.algo = wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, .openssl_name = "AES-128-XTS", .key_len = 32},
      {.algo = wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB,
       .openssl_name = "DES-EDE3",
       .key_len = 24,
       .iv_len = 0},
      {.algo = wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC,
       .openssl_name = "DES-EDE3-CBC",
       .key_len = 24,
       .iv_len = 8},
  };
  std::vector<Case> cases;
  for (CipherSpec spec : specs) {
    cases.push_back(OneRequest(spec.openssl_name + "_encrypt", spec, {}));
    spec.direction = wire::VIRTIO_CRYPTO_OP_DECRYPT;
    cases.push_back(OneRequest(spec.openssl_name + "_decrypt", spec, {}));
  }
  return cases;
}

std::vector<Case> OpcodeCases() {
  std::vector<Case> cases;
  for (const uint32_t opcode : {0x002U, 0x003U, 0x0ffU, 0x100U, 0x200U, 0x300U, 0x301U, 0x400U,
                                0x401U, 0x402U, 0x403U, 0x500U, 0x501U, 0xffffU, 0x10000U}) {
    cases.push_back(OneRequest(fmt::format("opcode_{:#06x}", opcode), {}, {.opcode = opcode}));
  }
  for (const uint32_t op_type : {0U, 2U, 3U}) {
    cases.push_back(OneRequest(fmt::format("op_type_{}", op_type), {}, {.op_type = op_type}));
  }
  cases.push_back(OneRequest("decrypt_with_encrypting_session", {},
                             {.opcode = wire::VIRTIO_CRYPTO_CIPHER_DECRYPT}));
  cases.push_back(OneRequest("encrypt_with_decrypting_session",
                             {.direction = wire::VIRTIO_CRYPTO_OP_DECRYPT},
                             {.opcode = wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT}));
  return cases;
}

void ClosedSession(Scenario& scenario) {
  scenario.OpenSession({});
  scenario.Cipher("open_session", {});
  scenario.CloseSession();
  scenario.Cipher("closed_session", {});
}

void TwoSessions(Scenario& scenario) {
  scenario.OpenSession({});
  const uint64_t first = scenario.session_id();
  scenario.OpenSession({.openssl_name = "AES-256-CBC", .key_len = 32});
  scenario.Cipher("second_session", {});
  scenario.CloseSession();
  scenario.Destroy("close_first", {.session_id = first});
}

void GoodBadGood(Scenario& scenario) {
  scenario.OpenSession({});
  scenario.Cipher("good", {});
  scenario.Cipher("bad", {.session_id = 4711});
  scenario.Cipher("good_again", {});
  scenario.CloseSession();
}

}  // namespace

std::vector<Case> CipherCases() {
  std::vector<Case> cases = LengthCases();
  std::ranges::move(AlgorithmCases(), std::back_inserter(cases));
  std::ranges::move(OpcodeCases(), std::back_inserter(cases));
  for (const uint64_t id : {uint64_t{4711}, uint64_t{256}, uint64_t{1} << 63, ~uint64_t{0}}) {
    cases.push_back({fmt::format("unknown_session_{}", id),
                     [id](Scenario& scenario) { scenario.Cipher("request", {.session_id = id}); }});
  }
  cases.push_back({"closed_session", ClosedSession});
  cases.push_back({"two_sessions", TwoSessions});
  cases.push_back({"good_bad_good", GoodBadGood});
  return cases;
}

}  // namespace sealane::testing
