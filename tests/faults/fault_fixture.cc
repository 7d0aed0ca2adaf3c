// SPDX-License-Identifier: Apache-2.0
#include "fault_fixture.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sealane/base/hex.h"

namespace sealane::faults {

using testing::ChainBuilder;
using testing::CipherRequest;

const Bytes kKey = HexDecode("2b7e151628aed2a6abf7158809cf4f3c").value();
const Bytes kIv = HexDecode("000102030405060708090a0b0c0d0e0f").value();
const Bytes kPlain =
    HexDecode("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51").value();
const Bytes kCipher =
    HexDecode("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2").value();

namespace {

constexpr uint8_t kUntouched = 0xee;  // what ChainBuilder fills with

int64_t CpuMicroseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * int64_t{1000000} +
         usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

}  // namespace

int64_t CpuMillisecondsWhileIdle() {
  const int64_t before = CpuMicroseconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return (CpuMicroseconds() - before) / 1000;
}

ChainBuilder FaultTest::Chain(const CipherRequest& request, uint32_t room) {
  return RawChain(request.Bytes(), room);
}

ChainBuilder FaultTest::RawChain(std::span<const uint8_t> header, uint32_t room) {
  ChainBuilder chain(fixture.guest);
  chain.Readable(header).Readable(kIv).Readable(kPlain).Writable(room).Writable(1);
  return chain;
}

uint8_t FaultTest::StatusAlone(ChainBuilder chain) {
  EXPECT_EQ(fixture.Send(kQueue, chain), 1);
  const Bytes written = chain.written();
  EXPECT_EQ(std::ranges::count(written, kUntouched), static_cast<ptrdiff_t>(written.size()) - 1);
  return written.back();
}

bool FaultTest::IsRight(ChainBuilder chain, size_t tail) {
  const int64_t used_len = fixture.Send(kQueue, chain);
  return IsRight(chain, used_len, tail);
}

bool FaultTest::IsRight(const ChainBuilder& chain, int64_t used_len, size_t tail) {
  const Bytes written = chain.written();
  if (used_len != 33 || written.size() != 33 + tail) return false;
  const auto canary = std::span(written).subspan(32, tail);
  return std::ranges::equal(std::span(written).first(32), kCipher) &&
         std::ranges::all_of(canary, [](uint8_t byte) { return byte == kUntouched; }) &&
         written.back() == wire::VIRTIO_CRYPTO_OK;
}

}  // namespace sealane::faults
