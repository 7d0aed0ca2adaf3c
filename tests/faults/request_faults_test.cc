// SPDX-License-Identifier: Apache-2.0
//
// Faults that one data request shows.
#include <array>
#include <cstring>
#include <tuple>

#include "fault_fixture.h"

namespace sealane::faults {
namespace {

using testing::ChainBuilder;
using testing::CipherRequest;

void Put32(Bytes& bytes, size_t at, uint32_t value) {
  const std::array<uint8_t, 4> little = {
      static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8),
      static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 24)};
  std::memcpy(&bytes[at], little.data(), little.size());
}

class RequestFaults : public FaultTest {
 protected:
  // A cipher chained with a hash (virtio 1.3, 5.9.7.3.3): the lengths are at 24 and on, the type at
  // 64.
  Bytes ChainedHeader(uint32_t src_len, uint32_t dst_len, uint32_t aad_len, uint32_t hash_len) {
    Bytes header = Good().Bytes();
    Put32(header, 28, src_len);
    Put32(header, 32, dst_len);
    Put32(header, 52, aad_len);
    Put32(header, 56, hash_len);
    Put32(header, 64, wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING);
    return header;
  }
  // An RSA request (5.9.7.3.5).
  Bytes RsaHeader(uint32_t opcode, uint32_t src_len, uint32_t dst_len) {
    Bytes header = CipherRequest{.opcode = opcode, .session_id = session}.Bytes();
    Put32(header, 24, src_len);
    Put32(header, 28, dst_len);
    return header;
  }
  // All of a request, in one piece.
  Bytes Whole() const {
    Bytes all = Good().Bytes();
    all.insert(all.end(), kIv.begin(), kIv.end());
    all.insert(all.end(), kPlain.begin(), kPlain.end());
    return all;
  }
};

TEST_F(RequestFaults, Fault02_DescriptorLongerThanTheData_OnlyTheDataIsProcessed) {
  CipherRequest request = Good();
  request.src_len = request.dst_len = 16;
  Bytes source(65536, 0xa5);
  std::copy_n(kPlain.begin(), 16, source.begin());
  ChainBuilder chain(fixture.guest);
  chain.Readable(request.Bytes()).Readable(kIv).Readable(source).Writable(65536).Writable(1);
  EXPECT_EQ(fixture.Send(kQueue, chain), 17);
  const Bytes written = chain.written();
  EXPECT_TRUE(std::equal(kCipher.begin(), kCipher.begin() + 16, written.begin()));
  EXPECT_EQ(std::count(written.begin() + 16, written.end() - 1, 0xee), 65536 - 16) << "canary";
  EXPECT_EQ(written.back(), wire::VIRTIO_CRYPTO_OK);
}

TEST_F(RequestFaults, Fault04_IvLengths_AreErrors) {
  for (const uint32_t iv_len : {0U, 1U, 15U, 17U, 33U, 255U, 0xfffffff0U, 0xffffffffU}) {
    CipherRequest request = Good();
    request.iv_len = iv_len;
    EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << iv_len;
    EXPECT_TRUE(IsRight(Chain(Good())));
  }
}

TEST_F(RequestFaults, Fault04_SourceLongerThanMaxSize_IsAnErrorEvenWhereItIsAllThere) {
  constexpr uint32_t kMiB = 1 << 20;
  const auto buffer = fixture.guest.Allocate(kMiB, 16);
  const auto send = [&](uint32_t len) {
    const CipherRequest request{.session_id = session, .src_len = len, .dst_len = len};
    ChainBuilder chain(fixture.guest);
    chain.Readable(request.Bytes()).Readable(kIv);
    // The same megabyte seventeen times is seventeen megabytes.
    for (int i = 0; i < 17; ++i) chain.ReadableAt(buffer, kMiB);
    for (int i = 0; i < 17; ++i) chain.WritableAt(buffer, kMiB);
    const auto status = fixture.guest.Allocate(1);
    chain.WritableAt(status, 1);
    const int64_t used_len = fixture.Send(kQueue, chain);
    return std::pair(used_len, fixture.guest.Read(status, 1)[0]);
  };
  const auto max_size = static_cast<uint32_t>(fixture.device->config().max_size.get());
  EXPECT_EQ(send(max_size), std::pair(int64_t{max_size} + 1, uint8_t{wire::VIRTIO_CRYPTO_OK}));
  EXPECT_EQ(send(max_size + 16), std::pair(int64_t{1}, uint8_t{wire::VIRTIO_CRYPTO_ERR}));
}

TEST_F(RequestFaults, Fault06_DestinationShorter_IsAnError_Longer_OnlyTheSourcesLengthIsWritten) {
  for (const uint32_t dst_len : {0U, 1U, 16U, 31U}) {
    CipherRequest request = Good();
    request.dst_len = dst_len;
    EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << dst_len;
  }
  EXPECT_EQ(StatusAlone(Chain(Good(), 31)), wire::VIRTIO_CRYPTO_ERR) << "the chain's is shorter";
  for (const uint32_t dst_len : {33U, 48U, 96U}) {
    CipherRequest request = Good();
    request.dst_len = dst_len;
    EXPECT_TRUE(IsRight(Chain(request, 96), 64)) << dst_len;
  }
}

TEST_F(RequestFaults, Fault08_RsaLengths_AThousandInARow_AreErrorsAndMemoryStaysFlat) {
  const auto run = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const Bytes header = RsaHeader(0x400 + static_cast<uint32_t>(i % 4), 0xffffffff, 0xffffffff);
      ASSERT_EQ(StatusAlone(RawChain(header)), wire::VIRTIO_CRYPTO_ERR);
    }
  };
  run(100);
  const uint64_t before = AnonymousKiB();
  run(1000);
  EXPECT_LT(AnonymousKiB(), before + uint64_t{64} * 1024);
}

TEST_F(RequestFaults, Fault09_LengthsThatWrapTogether_AreErrors) {
  for (const auto& [src_len, dst_len] :
       {std::pair(0x80000000U, 0x80000000U), std::pair(0xfffffff0U, 0x20U),
        std::pair(0x20U, 0xfffffff0U), std::pair(0xffffffe0U, 0xffffffe0U)}) {
    CipherRequest request = Good();
    request.src_len = src_len;
    request.dst_len = dst_len;
    EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << src_len;
  }
  EXPECT_EQ(StatusAlone(RawChain(ChainedHeader(16, 16, 0xffffffe0, 16))), wire::VIRTIO_CRYPTO_ERR);
}

// A chain of AES-128-CBC and SHA-256; what it gives is checked elsewhere.
class ChainFaults : public RequestFaults {
 protected:
  Bytes Header(uint32_t src_len, uint32_t dst_len, uint32_t aad_len, uint32_t hash_len) {
    Bytes header = ChainedHeader(src_len, dst_len, aad_len, hash_len);
    for (size_t i = 0; i < 8; ++i) header[8 + i] = static_cast<uint8_t>(chain_session >> (8 * i));
    Put32(header, 40, 16);  // len_to_cipher
    Put32(header, 48, 16);  // len_to_hash
    return header;
  }
  // The status of a whole request with room for 32 bytes and a digest.
  uint8_t StatusOf(const Bytes& header) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(header).Readable(kIv).Readable(kPlain).Writable(64).Writable(1);
    chain.OfferIndirect(*fixture.queues[kQueue]);
    const auto used = fixture.Run(kQueue);
    EXPECT_EQ(used.size(), 1U);
    const Bytes written = chain.written();
    if (written.back() != wire::VIRTIO_CRYPTO_OK) {
      EXPECT_EQ(std::ranges::count(written, 0xee), 64) << "something was written";
      EXPECT_EQ(used[0].len, 1U);
    }
    return written.back();
  }

  uint64_t chain_session = fixture.device
                               ->CreateSession(crypto::ChainParams{
                                   .cipher = {.key = SecretBytes(std::span<const uint8_t>(kKey))},
                                   .hash = crypto::HashParams{.result_len = 32}})
                               .value();
};

TEST_F(ChainFaults, Fault06_ChainsDestinationOfAnotherLength_ErrorIfShorter) {
  EXPECT_EQ(StatusOf(Header(32, 32, 0, 32)), wire::VIRTIO_CRYPTO_OK);
  EXPECT_EQ(StatusOf(Header(32, 31, 0, 32)), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(StatusOf(Header(32, 0, 0, 32)), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(StatusOf(Header(32, 33, 0, 32)), wire::VIRTIO_CRYPTO_ERR) << "no room for the digest";
}

TEST_F(ChainFaults, Fault09_ChainsLengthsThatWrapTogether_AreErrors) {
  // Each sum is 2^32 plus something that would fit.
  for (const auto& [src, dst, aad] :
       {std::tuple(32U, 32U, 0xffffffe0U), std::tuple(0x80000000U, 0x80000000U, 0U),
        std::tuple(0xffffffe0U, 0xffffffe0U, 64U), std::tuple(32U, 0xfffffff0U, 0U)}) {
    EXPECT_EQ(StatusOf(Header(src, dst, aad, 32)), wire::VIRTIO_CRYPTO_ERR) << src << " " << aad;
  }
  for (const uint32_t offset : {17U, 32U, 0xfffffff0U, 0xffffffffU}) {
    for (const size_t field : {36U, 44U}) {  // cipher_start_src_offset, hash_start_src_offset
      Bytes header = Header(32, 32, 0, 32);
      Put32(header, field, offset);
      EXPECT_EQ(StatusOf(header), wire::VIRTIO_CRYPTO_ERR) << offset;
    }
  }
}

TEST_F(ChainFaults, Fault10_HashLengthThatWraps_IsAnError) {
  for (const uint32_t hash_len : {0U, 31U, 33U, 4096U, 0xffffffe0U, 0xfffffff0U, 0xffffffffU}) {
    EXPECT_EQ(StatusOf(Header(32, 32, 0, hash_len)), wire::VIRTIO_CRYPTO_ERR) << hash_len;
  }
  EXPECT_EQ(StatusOf(Header(32, 32, 0, 32)), wire::VIRTIO_CRYPTO_OK);
}

TEST_F(RequestFaults, Fault12_EveryOpcode_OnlyThoseThatExistAreKnown) {
  const auto header = fixture.guest.Allocate(72, 8);
  fixture.guest.Write(header, Good().Bytes());
  ChainBuilder chain(fixture.guest);
  chain.ReadableAt(header, 72).Readable(kIv).Readable(kPlain).Writable(33);
  chain.OfferIndirect(*fixture.queues[kQueue]);
  for (uint32_t opcode = 0; opcode <= 0xffff; ++opcode) {
    fixture.guest.Write(
        header, std::array{static_cast<uint8_t>(opcode), static_cast<uint8_t>(opcode >> 8)});
    if (opcode != 0) fixture.queues[kQueue]->Offer(0);
    const auto used = fixture.Run(kQueue);
    ASSERT_EQ(used.size(), 1U) << opcode;
    if (opcode == wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT) continue;
    // The session encrypts, so any other operation that exists is known and wrong.
    const bool exists = opcode == 0x001 || opcode == 0x100 || opcode == 0x200 || opcode == 0x300 ||
                        opcode == 0x301 || (opcode >= 0x400 && opcode <= 0x403);
    const uint8_t expected = exists ? wire::VIRTIO_CRYPTO_ERR : wire::VIRTIO_CRYPTO_NOTSUPP;
    ASSERT_EQ(used[0].len, 1U) << opcode;
    ASSERT_EQ(chain.written().back(), expected) << opcode;
  }
}

TEST_F(RequestFaults, Fault13_CutOffAtEachByte_IsAnErrorOrLengthZero) {
  const Bytes all = Whole();
  for (size_t len = 0; len < all.size(); ++len) {
    ChainBuilder chain(fixture.guest);
    if (len != 0) chain.Readable(std::span(all).first(len));
    chain.Writable(32).Writable(1);
    ASSERT_EQ(StatusAlone(std::move(chain)), wire::VIRTIO_CRYPTO_ERR) << len;
    ChainBuilder nowhere(fixture.guest);
    nowhere.Readable(std::span(all).first(len + 1));
    ASSERT_EQ(fixture.Send(kQueue, nowhere), 0) << "no place for a status";
  }
}

TEST_F(RequestFaults, Fault17_BadOnesBetweenGoodOnes_HoldNothingUp) {
  CipherRequest bad = Good();
  bad.src_len = 17;
  std::vector<ChainBuilder> chains = {Chain(Good()), Chain(bad), Chain(Good()),
                                      ChainBuilder(fixture.guest), Chain(Good())};
  chains[3].Readable(Good().Bytes());  // nowhere to put a status
  auto& queue = *fixture.queues[kQueue];
  for (uint16_t i = 0; i < chains.size(); ++i) chains[i].OfferIndirect(queue, i);
  const auto used = fixture.Run(kQueue, chains.size());
  ASSERT_EQ(used.size(), chains.size());
  std::array<int64_t, 5> lens{};
  for (const auto& elem : used) lens.at(elem.id) = elem.len;
  for (const size_t i : {0U, 2U, 4U}) EXPECT_TRUE(IsRight(chains[i], lens.at(i), 0)) << i;
  EXPECT_EQ(lens[1], 1);
  EXPECT_EQ(chains[1].written().back(), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(lens[3], 0);
}

TEST_F(RequestFaults, Fault19_AnyFraming_GivesTheSameBytes) {
  for (const uint32_t piece : {1U, 2U, 3U, 7U, 16U, 24U, 71U}) {
    EXPECT_TRUE(IsRight(Chain(Good()).CutInto(piece))) << piece;
  }
  const Bytes header = Good().Bytes();
  ChainBuilder split(fixture.guest);
  split.Readable(std::span(header).first(71)).Readable(std::span(header).subspan(71));
  EXPECT_TRUE(IsRight(std::move(split.Readable(kIv).Readable(kPlain).Writable(32).Writable(1))));
  Bytes payload = kIv;
  payload.insert(payload.end(), kPlain.begin(), kPlain.end());
  ChainBuilder merged(fixture.guest);
  EXPECT_TRUE(IsRight(std::move(merged.Readable(header).Readable(payload).Writable(33))));
  ChainBuilder two(fixture.guest);
  EXPECT_TRUE(IsRight(std::move(two.Readable(Whole()).Writable(33))));
}

TEST_F(RequestFaults, Fault19_DirectChains_GiveTheSameBytes) {
  for (const uint32_t piece : {1U, 3U, 1000U}) {
    ChainBuilder chain = Chain(Good()).CutInto(piece);
    ASSERT_LE(chain.num_descriptors() + 7, fixture.queues[kQueue]->size());
    chain.OfferDirect(*fixture.queues[kQueue], 7);
    const auto used = fixture.Run(kQueue);
    ASSERT_EQ(used.size(), 1U);
    EXPECT_EQ(used[0].id, 7U);
    EXPECT_TRUE(IsRight(chain, used[0].len, 0)) << piece;
  }
}

TEST_F(RequestFaults, Fault20_LongDestination_StatusInTheLastByteTailUntouched) {
  ChainBuilder apart(fixture.guest);
  apart.Readable(Whole()).Writable(40).Writable(40).Writable(16).Writable(1);
  EXPECT_TRUE(IsRight(std::move(apart), 64));
  ChainBuilder together(fixture.guest);
  EXPECT_TRUE(IsRight(std::move(together.Readable(Whole()).Writable(97)), 64));
  ChainBuilder many(fixture.guest);
  EXPECT_TRUE(IsRight(std::move(many.Readable(Whole()).Writable(97).CutInto(5)), 64));
}

TEST_F(RequestFaults, Fault25_LengthsThatAreNoMultipleOfTheBlock_AreErrors_NothingIsFine) {
  for (const uint32_t len : {1U, 15U, 17U, 31U}) {
    CipherRequest request = Good();
    request.src_len = request.dst_len = len;
    EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << len;
  }
  CipherRequest empty = Good();
  empty.src_len = empty.dst_len = 0;
  EXPECT_EQ(StatusAlone(Chain(empty)), wire::VIRTIO_CRYPTO_OK);
}

TEST_F(RequestFaults, Fault29_RsaRequestOfAnotherSession_ErrorWithUsedLengthOne) {
  for (const uint32_t opcode : {0x400U, 0x401U, 0x402U, 0x403U}) {
    EXPECT_EQ(StatusAlone(RawChain(RsaHeader(opcode, 32, 256), 256)), wire::VIRTIO_CRYPTO_ERR);
  }
}

}  // namespace
}  // namespace sealane::faults
