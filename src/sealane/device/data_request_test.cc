// SPDX-License-Identifier: Apache-2.0
//
// Data requests through a running device (virtio 1.3, 5.9.7.3): one test per rule, and the queue
// goes on after each. Expected bytes are those of NIST SP 800-38A, F.2.1.
#include "sealane/device/data_request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sealane/base/hex.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/device_fixture.h"

namespace sealane::device {
namespace {

using testing::ChainBuilder;
using testing::CipherRequest;
using testing::kDataQueue;
using Bytes = std::vector<uint8_t>;

const Bytes kKey = HexDecode("2b7e151628aed2a6abf7158809cf4f3c").value();
const Bytes kIv = HexDecode("000102030405060708090a0b0c0d0e0f").value();
const Bytes kPlain =
    HexDecode("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51").value();
const Bytes kCipher =
    HexDecode("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2").value();

class DataRequests : public ::testing::Test {
 protected:
  CipherRequest Good() const { return {.session_id = session, .src_len = 32, .dst_len = 32}; }

  ChainBuilder Chain(const CipherRequest& request, uint32_t room = 32) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(request.Bytes()).Readable(kIv).Readable(kPlain).Writable(room).Writable(1);
    return chain;
  }
  // The status, after checking that exactly one used entry of length 1 came back and nothing else
  // was written.
  uint8_t Refused(ChainBuilder chain) {
    EXPECT_EQ(fixture.Send(kDataQueue, chain), 1);
    const Bytes written = chain.written();
    EXPECT_EQ(std::ranges::count(written, 0xee), static_cast<ptrdiff_t>(written.size()) - 1);
    return written.back();
  }
  void ExpectServed(ChainBuilder chain, size_t padding = 0) {
    EXPECT_EQ(fixture.Send(kDataQueue, chain), 33);
    const Bytes written = chain.written();
    ASSERT_EQ(written.size(), 33 + padding);
    EXPECT_EQ(HexEncode(std::span(written).first(32)), HexEncode(kCipher));
    for (size_t i = 0; i < padding; ++i) EXPECT_EQ(written[32 + i], 0xee) << "canary";
    EXPECT_EQ(written.back(), wire::VIRTIO_CRYPTO_OK);
  }
  void TearDown() override { ExpectServed(Chain(Good())); }

  testing::DeviceFixture fixture;
  uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
};

TEST_F(DataRequests, AnyFraming_GivesTheSameBytes) {
  for (const uint32_t piece : {1U, 3U, 16U, 71U, 1000U}) ExpectServed(Chain(Good()).CutInto(piece));
}

TEST_F(DataRequests, DirectChain_OneByteEachDescriptor) {
  ChainBuilder chain = Chain(Good()).CutInto(1);
  ASSERT_LE(chain.num_descriptors(), fixture.queues[kDataQueue]->size());
  chain.OfferDirect(*fixture.queues[kDataQueue], 3);
  const auto used = fixture.Run(kDataQueue);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0], (testing::FakeDriverQueue::UsedElem{.id = 3, .len = 33}));
  const Bytes written = chain.written();
  EXPECT_EQ(HexEncode(std::span(written).first(32)), HexEncode(kCipher));
}

TEST_F(DataRequests, EverythingMerged_StatusBehindTheResult) {
  Bytes all = Good().Bytes();
  all.insert(all.end(), kIv.begin(), kIv.end());
  all.insert(all.end(), kPlain.begin(), kPlain.end());
  ChainBuilder chain(fixture.guest);
  chain.Readable(all).Writable(33);
  ExpectServed(std::move(chain));
}

TEST_F(DataRequests, DestinationLongerThanSource_TailUntouchedStatusInTheLastByte) {
  CipherRequest request = Good();
  request.dst_len = 96;
  ExpectServed(Chain(request, 96), 64);
  ExpectServed(Chain(Good(), 96), 64);
}

TEST_F(DataRequests, InPlace_Works) {
  const auto payload = fixture.guest.Allocate(32);
  fixture.guest.Write(payload, kPlain);
  ChainBuilder chain(fixture.guest);
  chain.Readable(Good().Bytes())
      .Readable(kIv)
      .ReadableAt(payload, 32)
      .WritableAt(payload, 32)
      .Writable(1);
  ExpectServed(std::move(chain));
}

TEST_F(DataRequests, PayloadAcrossRegions_Works) {
  const mem::GuestAddr start{Raw(fixture.guest.boundary()) - 10};
  fixture.guest.Write(start, kPlain);
  ChainBuilder chain(fixture.guest);
  chain.Readable(Good().Bytes())
      .Readable(kIv)
      .ReadableAt(start, 32)
      .WritableAt(start, 32)
      .Writable(1);
  ExpectServed(std::move(chain));
}

TEST_F(DataRequests, LengthZero_IsOkAndOneByteLong) {
  CipherRequest request = Good();
  request.src_len = request.dst_len = 0;
  ChainBuilder chain(fixture.guest);
  chain.Readable(request.Bytes()).Readable(kIv).Writable(1);
  EXPECT_EQ(fixture.Send(kDataQueue, chain), 1);
  EXPECT_EQ(chain.written()[0], wire::VIRTIO_CRYPTO_OK);
}

TEST_F(DataRequests, BadLengths_AreErrors) {
  for (const uint32_t len : {1U, 15U, 17U, 31U, 33U, 48U, 0xfffffff0U, 0xffffffffU}) {
    CipherRequest request = Good();
    request.src_len = request.dst_len = len;
    EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << len;
  }
  for (const uint32_t len : {0U, 8U, 15U, 17U, 33U, 255U, 0xfffffff0U}) {
    CipherRequest request = Good();
    request.iv_len = len;
    EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << len;
  }
  CipherRequest shorter = Good();
  shorter.dst_len = 16;
  EXPECT_EQ(Refused(Chain(shorter)), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(Refused(Chain(Good(), 31)), wire::VIRTIO_CRYPTO_ERR);
}

TEST_F(DataRequests, LengthOfTheDescriptor_IsNotTheLengthOfTheData) {
  // The source's descriptor is longer than src_data_len: only src_data_len bytes are processed.
  CipherRequest request = Good();
  request.src_len = request.dst_len = 16;
  ChainBuilder chain = Chain(request);
  EXPECT_EQ(fixture.Send(kDataQueue, chain), 17);
  const Bytes written = chain.written();
  EXPECT_EQ(HexEncode(std::span(written).first(16)), HexEncode(std::span(kCipher).first(16)));
  EXPECT_EQ(written[16], 0xee);
}

TEST_F(DataRequests, WrongSessionOrOperation_HasItsOwnStatus) {
  CipherRequest request = Good();
  request.session_id = session + 77;
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_INVSESS);
  request.session_id = ~uint64_t{0};
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_INVSESS);
  request = Good();
  request.opcode = wire::VIRTIO_CRYPTO_CIPHER_DECRYPT;
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << "the session encrypts";
  request = Good();
  request.op_type = wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING;
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_ERR) << "the session is no chain's";
  request.op_type = 3;
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_NOTSUPP);
  const std::set<uint32_t> others = {0x100, 0x200, 0x300, 0x301, 0x400, 0x401, 0x402, 0x403};
  for (uint32_t opcode = 2; opcode < 0x600; ++opcode) {
    request = Good();
    request.opcode = opcode;
    EXPECT_EQ(Refused(Chain(request)),
              others.contains(opcode) ? wire::VIRTIO_CRYPTO_ERR : wire::VIRTIO_CRYPTO_NOTSUPP)
        << opcode;
  }
}

TEST_F(DataRequests, TruncatedAtEachByte_IsAnError) {
  Bytes all = Good().Bytes();
  all.insert(all.end(), kIv.begin(), kIv.end());
  all.insert(all.end(), kPlain.begin(), kPlain.end());
  for (size_t len = 0; len < all.size(); ++len) {
    ChainBuilder chain(fixture.guest);
    if (len != 0) chain.Readable(std::span(all).first(len));
    EXPECT_EQ(Refused(std::move(chain.Writable(32).Writable(1))), wire::VIRTIO_CRYPTO_ERR) << len;
  }
}

TEST_F(DataRequests, NothingWritable_ComesBackWithLengthZero) {
  ChainBuilder chain(fixture.guest);
  chain.Readable(Good().Bytes());
  EXPECT_EQ(fixture.Send(kDataQueue, chain), 0);
}

TEST_F(DataRequests, GoodBadGood_ThreeUsedEntries) {
  ChainBuilder first = Chain(Good());
  CipherRequest bad = Good();
  bad.src_len = 17;
  ChainBuilder second = Chain(bad);
  ChainBuilder third = Chain(Good());
  auto& queue = *fixture.queues[kDataQueue];
  first.OfferIndirect(queue, 5);
  second.OfferIndirect(queue, 3);
  third.OfferIndirect(queue, 9);
  const auto used = fixture.Run(kDataQueue, 3);
  ASSERT_EQ(used.size(), 3U);
  uint32_t ids = 0;
  for (const auto& elem : used) ids |= 1U << elem.id;
  EXPECT_EQ(ids, (1U << 5 | 1U << 3 | 1U << 9));
  EXPECT_EQ(first.written().back(), wire::VIRTIO_CRYPTO_OK);
  EXPECT_EQ(second.written().back(), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(third.written().back(), wire::VIRTIO_CRYPTO_OK);
}

TEST_F(DataRequests, AfterClose_TheSessionIsInvalidAndItsIdNeverReturns) {
  const uint64_t other = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  CipherRequest request = Good();
  request.session_id = other;
  ExpectServed(Chain(request));
  EXPECT_TRUE(fixture.device->CloseSession(other));
  EXPECT_EQ(Refused(Chain(request)), wire::VIRTIO_CRYPTO_INVSESS);
  for (int i = 0; i < 100; ++i) {
    const uint64_t id = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
    EXPECT_NE(id, other);
    EXPECT_TRUE(fixture.device->CloseSession(id));
  }
}

}  // namespace
}  // namespace sealane::device
