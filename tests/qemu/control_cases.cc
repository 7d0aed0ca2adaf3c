// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cases.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::testing {
namespace {

constexpr size_t kMostKeyBytes = 80;  // really there, whatever key_len says

struct AlgorithmCase {
  const char* name;
  uint32_t algo;
  uint32_t key_len;
};

constexpr AlgorithmCase kAlgorithms[] = {
    {"none", wire::VIRTIO_CRYPTO_NO_CIPHER, 16},
    {"arc4", wire::VIRTIO_CRYPTO_CIPHER_ARC4, 16},
    {"aes_ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, 16},
    {"aes_ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, 16},
    {"des_ecb", wire::VIRTIO_CRYPTO_CIPHER_DES_ECB, 8},
    {"des_cbc", wire::VIRTIO_CRYPTO_CIPHER_DES_CBC, 8},
    {"3des_ecb", wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB, 24},
    {"3des_cbc", wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC, 24},
    {"3des_ctr", wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR, 24},
    {"kasumi_f8", wire::VIRTIO_CRYPTO_CIPHER_KASUMI_F8, 16},
    {"snow3g_uea2", wire::VIRTIO_CRYPTO_CIPHER_SNOW3G_UEA2, 16},
    {"aes_f8", wire::VIRTIO_CRYPTO_CIPHER_AES_F8, 16},
    {"aes_xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, 32},
    {"zuc_eea3", wire::VIRTIO_CRYPTO_CIPHER_ZUC_EEA3, 16},
    {"99", 99, 16},
};

Case CreateCase(std::string name, const CreateCipher& request) {
  return {std::move(name), [request](Scenario& scenario) {
            scenario.Create("create", request, std::min<size_t>(request.key_len, kMostKeyBytes));
            if (scenario.has_session()) scenario.CloseSession();
          }};
}

std::vector<Case> CreateCases() {
  std::vector<Case> cases;
  for (const uint32_t direction : {1U, 2U, 0U, 3U}) {
    for (const uint32_t key_len : {16U, 24U, 32U}) {
      cases.push_back(
          CreateCase(fmt::format("create_aes_cbc_{}_direction_{}", 8 * key_len, direction),
                     {.key_len = key_len, .direction = direction}));
    }
  }
  for (const uint32_t key_len : {0U, 1U, 15U, 17U, 33U, 64U, 65U, 0xffff'fff0U}) {
    cases.push_back(CreateCase(fmt::format("create_key_len_{}", key_len), {.key_len = key_len}));
  }
  for (const AlgorithmCase& algorithm : kAlgorithms) {
    cases.push_back(CreateCase(fmt::format("create_algorithm_{}", algorithm.name),
                               {.algo = algorithm.algo, .key_len = algorithm.key_len}));
  }
  for (const uint32_t op_type : {0U, 2U, 3U}) {
    cases.push_back(CreateCase(fmt::format("create_op_type_{}", op_type), {.op_type = op_type}));
  }
  for (const uint32_t opcode : {0x102U, 0x202U, 0x302U, 0x404U, 0x004U, 0x502U, 0xffffU}) {
    cases.push_back(CreateCase(fmt::format("create_opcode_{:#06x}", opcode), {.opcode = opcode}));
  }
  return cases;
}

// A create request of which only the first bytes are there.
Case TruncatedCreate(size_t len) {
  return {fmt::format("create_truncated_to_{}", len), [len](Scenario& scenario) {
            std::vector<uint8_t> bytes = CreateCipher{}.Bytes();
            bytes.resize(len);
            scenario.CreateRaw("create", {.readable = {bytes}, .writable = {16}});
          }};
}

Case TruncatedDestroy(size_t len) {
  return {fmt::format("destroy_truncated_to_{}", len), [len](Scenario& scenario) {
            std::vector<uint8_t> bytes = DestroySession{.session_id = 1}.Bytes();
            bytes.resize(len);
            scenario.DestroyRaw("destroy", {.readable = {bytes}, .writable = {1}});
          }};
}

void DestroyTwice(Scenario& scenario) {
  scenario.OpenSession({});
  scenario.Destroy("first", {.session_id = scenario.session_id()});
  scenario.Destroy("second", {.session_id = scenario.session_id()});
}

void CreateAgain(Scenario& scenario) {
  scenario.OpenSession({});
  scenario.CloseSession();
  scenario.OpenSession({});
  scenario.Cipher("request", {});
  scenario.CloseSession();
}

Case DestroyOpcode(uint32_t opcode) {
  return {fmt::format("destroy_opcode_{:#06x}", opcode), [opcode](Scenario& scenario) {
            scenario.OpenSession({});
            scenario.Destroy("destroy", {.opcode = opcode, .session_id = scenario.session_id()});
          }};
}

}  // namespace

std::vector<Case> ControlCases() {
  std::vector<Case> cases = CreateCases();
  for (const uint32_t room : {0U, 1U, 8U, 15U, 17U}) {
    cases.push_back({fmt::format("create_result_room_{}", room),
                     [room](Scenario& scenario) { scenario.Create("create", {}, 16, room); }});
  }
  cases.push_back({"create_key_missing", [](Scenario& s) { s.Create("create", {}, 0); }});
  cases.push_back({"create_key_short", [](Scenario& s) { s.Create("create", {}, 15); }});
  for (const size_t len : {1U, 15U, 16U, 40U, 71U}) cases.push_back(TruncatedCreate(len));
  for (const size_t len : {15U, 16U, 23U, 24U}) cases.push_back(TruncatedDestroy(len));
  cases.push_back({"destroy_twice", DestroyTwice});
  cases.push_back({"create_destroy_create", CreateAgain});
  for (const uint64_t id : {uint64_t{77}, uint64_t{255}, uint64_t{256}, uint64_t{1} << 63}) {
    cases.push_back({fmt::format("destroy_unknown_{}", id), [id](Scenario& scenario) {
                       scenario.Destroy("destroy", {.session_id = id});
                     }});
  }
  for (const uint32_t opcode : {0x103U, 0x203U, 0x303U, 0x405U}) {
    cases.push_back(DestroyOpcode(opcode));
  }
  return cases;
}

}  // namespace sealane::testing
