// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data_chain.h"
#include "reference_cipher.h"

namespace sealane::testing {
namespace {

constexpr size_t kCreateResultLen = sizeof(wire::virtio_crypto_session_input);
constexpr const char* kUntouchedWord = "untouched";

const char* Word(Ending ending) {
  switch (ending) {
    case Ending::kUsed:
      return "used";
    case Ending::kNeedsReset:
      return "needs reset";
    case Ending::kSilence:
      return "silence";
    case Ending::kQemuEnded:
      return "qemu ended";
  }
  return "";
}

bool IsUntouched(std::span<const uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](uint8_t b) { return b == CryptoVm::kUntouched; });
}

std::string StatusByte(std::span<const uint8_t> written) {
  if (written.empty()) return "none";
  return written.back() == CryptoVm::kUntouched ? kUntouchedWord : fmt::to_string(written.back());
}

wire::virtio_crypto_session_input CreateResult(std::span<const uint8_t> written) {
  wire::virtio_crypto_session_input result;
  std::memcpy(&result, written.data(), sizeof result);
  return result;
}

std::string OutputWord(std::span<const uint8_t> output, std::span<const uint8_t> before,
                       std::span<const uint8_t> expected) {
  if (std::ranges::equal(output, before)) return kUntouchedWord;
  const bool as_expected = !expected.empty() && output.size() >= expected.size() &&
                           std::ranges::equal(output.first(expected.size()), expected);
  return as_expected && IsUntouched(output.subspan(expected.size())) ? "openssl" : "other";
}

}  // namespace

std::string Observation::Summary() const {
  return fmt::format("{}, status {}, length {}, {}", ending, status, used_len, output);
}

void Scenario::Record(const std::string& step, const Answer& answer, std::string status,
                      std::string output) {
  const bool used = answer.ending == Ending::kUsed;
  observations_.push_back({.step = step,
                           .ending = Word(answer.ending),
                           .status = std::move(status),
                           .used_len = used ? fmt::to_string(answer.used_len) : "-",
                           .output = answer.overrun ? "overrun" : std::move(output)});
}

void Scenario::RecordControl(const std::string& step, const Answer& answer, std::string status,
                             std::string output) {
  Record(step, answer, std::move(status), std::move(output));
  observations_.back().on_data_queue = false;
}

void Scenario::Create(const std::string& step, const CreateCipher& request, size_t key_bytes,
                      uint32_t room) {
  ChainShape shape{.readable = {request.Bytes()}};
  if (key_bytes != 0) shape.readable.push_back(CountingBytes(key_bytes));
  if (room != 0) shape.writable.push_back(room);
  CreateRaw(step, shape);
}

void Scenario::CreateRaw(const std::string& step, const ChainShape& shape) {
  session_id_.reset();
  const Answer answer = vm_->Control(shape);
  const std::span written(answer.written);
  if (written.size() != kCreateResultLen || IsUntouched(written)) {
    RecordControl(step, answer, "-", IsUntouched(written) ? kUntouchedWord : "written");
    return;
  }
  const wire::virtio_crypto_session_input result = CreateResult(written);
  const bool created = result.status.get() == wire::VIRTIO_CRYPTO_OK;
  RecordControl(step, answer, fmt::to_string(result.status.get()),
                created ? "an id" : fmt::format("id {}", result.session_id.get()));
  if (created) session_id_ = result.session_id.get();
}

void Scenario::Destroy(const std::string& step, const DestroySession& request) {
  DestroyRaw(step, {.readable = {request.Bytes()}, .writable = {1}});
}

void Scenario::DestroyRaw(const std::string& step, const ChainShape& shape) {
  const Answer answer = vm_->Control(shape);
  RecordControl(step, answer, StatusByte(answer.written), kUntouchedWord);
}

void Scenario::OpenSession(const CipherSpec& spec) {
  spec_ = spec;
  const CreateCipher request{.algo = spec.algo,
                             .key_len = static_cast<uint32_t>(spec.key_len),
                             .direction = spec.direction};
  Create("open", request, spec.key_len);
  if (has_session()) observations_.pop_back();
}

void Scenario::CloseSession() {
  if (!device_works()) return;
  Destroy("close", {.session_id = session_id()});
  if (observations_.back().status == "0") observations_.pop_back();
}

void Scenario::Cipher(const std::string& step, const DataShape& data) {
  DataShape filled = data;
  if (!filled.session_id) filled.session_id = session_id();
  const bool encrypt = spec_.direction == wire::VIRTIO_CRYPTO_OP_ENCRYPT;
  if (!filled.opcode) {
    filled.opcode =
        encrypt ? wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT : wire::VIRTIO_CRYPTO_CIPHER_DECRYPT;
  }
  if (!filled.iv_len) filled.iv_len = static_cast<uint32_t>(spec_.iv_len);
  const Answer answer = vm_->Data(DataChain(filled));
  const std::span written(answer.written);
  const size_t output_len = written.empty() ? 0 : written.size() - 1;
  std::vector<uint8_t> before(output_len, CryptoVm::kUntouched);
  if (data.in_place) std::ranges::copy(CountingBytes(data.len), before.begin());
  Record(step, answer, StatusByte(written),
         OutputWord(written.first(output_len), before, Expected(filled)));
}

std::vector<uint8_t> Scenario::Expected(const DataShape& data) const {
  const size_t len = data.src_len.value_or(static_cast<uint32_t>(data.len));
  if (len > data.len) return {};
  const std::vector<uint8_t> iv = CountingBytes(spec_.iv_len);
  const std::vector<uint8_t> source = CountingBytes(len);
  const bool stream = spec_.openssl_name.ends_with("CTR");
  if (!stream && len % 8 != 0) return {};
  if (spec_.openssl_name.starts_with("AES") && !stream && len % 16 != 0) return {};
  const bool encrypt = *data.opcode == wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT;
  return OpensslCipher(spec_.openssl_name, encrypt, CountingBytes(spec_.key_len), iv, source);
}

}  // namespace sealane::testing
