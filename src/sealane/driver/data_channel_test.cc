// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "sealane/driver/data_channel_test.h"

namespace sealane::driver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(Channel, Request_OnTheRing_BytesAndFramingOfTheSpecification) {
  Open({});
  std::optional<FakeChain> chain;
  device->SetScript([&](FakeDevice& fake, uint16_t index) { chain = fake.Next(index); });
  Job job(32);
  job.request.operation = Operation::kDecrypt;
  ASSERT_TRUE(SubmitOne(job));
  ASSERT_TRUE(chain.has_value());
  EXPECT_TRUE(chain->indirect);
  // 5.9.7.3: {opcode 1, algo, session_id, flag, padding}, {iv_len 16, src 32, dst 32, padding},
  // 24 bytes, {op_type 1, padding}, iv, source.
  std::vector<uint8_t> want(72);
  want[0] = 1;
  want[8] = 2;
  want[9] = 1;
  want[16] = 1;  // SESSION_MODE
  want[24] = 16;
  want[28] = 32;
  want[32] = 32;
  want[64] = 1;
  want.insert(want.end(), kIv.begin(), kIv.end());
  want.insert(want.end(), job.src.begin(), job.src.end());
  EXPECT_EQ(chain->ReadAll(), want);
  ASSERT_EQ(chain->readable.size(), 3U);
  EXPECT_EQ(chain->readable[0].size(), 72U);
  ASSERT_EQ(chain->writable.size(), 2U);
  EXPECT_EQ(chain->writable[0].size(), 32U);
  EXPECT_EQ(chain->writable[1].size(), 1U);
  EXPECT_EQ(chain->writable[1].Read<uint8_t>(0), 0xff) << "not preset";
  channel.reset();
}

TEST_F(Channel, Call_HonestDevice_ResultInDestination) {
  for (const uint64_t features : {uint64_t{0}, wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC),
                                  wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC) |
                                      wire::FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX)}) {
    Open({}, features);
    ServeAtOnce();
    for (const size_t len : {0U, 1U, 16U, 4096U, 65536U, 16U}) {
      Job job(len);
      EXPECT_EQ(channel->Call(job.request, seconds(20)), Status::kOk) << len;
      EXPECT_TRUE(job.Flipped()) << len;
    }
  }
}

TEST_F(Channel, Batch_SubmitAndPoll_OneKickEachBackOnce) {
  Open({.depth = 32});
  ServeAtOnce();
  std::vector<Job> jobs(32, Job(64));
  std::vector<Request*> requests;
  for (Job& job : jobs) {
    job.request.src = job.src;
    job.request.dst = job.dst;
    requests.push_back(&job.request);
  }
  EXPECT_EQ(channel->Submit(requests), 32U);
  EXPECT_EQ(channel->num_kicks(), 1U);
  EXPECT_EQ(channel->in_flight(), 32U);
  auto done = PollAll();
  std::ranges::sort(done);
  EXPECT_EQ(done, requests);
  for (const Job& job : jobs) EXPECT_TRUE(job.Flipped());
  EXPECT_EQ(channel->in_flight(), 0U);
}

TEST_F(Channel, Submit_DepthFull_TakesTheFirstOnly) {
  Open({.queue_size = 8, .depth = 5});
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<Request*> requests;
  for (int i = 0; i < 7; ++i) {
    jobs.push_back(std::make_unique<Job>(16));
    requests.push_back(&jobs.back()->request);
  }
  EXPECT_EQ(channel->Submit(requests), 5U);
  EXPECT_EQ(channel->Submit(std::span(requests).subspan(5)), 0U);
  EXPECT_EQ(jobs[5]->request.status, Status::kOk) << "touched though not taken";
  device->ServeData(0);
  EXPECT_EQ(PollAll().size(), 5U);
  EXPECT_EQ(channel->Submit(std::span(requests).subspan(5)), 2U);
  channel.reset();
}

TEST_F(Channel, Submit_DirectChainsRingFull_TakesTheFirstOnly) {
  Open({.queue_size = 16}, 0);
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<Request*> requests;
  for (int i = 0; i < 5; ++i) {
    jobs.push_back(std::make_unique<Job>(16));
    requests.push_back(&jobs.back()->request);
  }
  EXPECT_EQ(channel->Submit(requests), 3U) << "five descriptors each";
  device->ServeData(0);
  EXPECT_EQ(PollAll().size(), 3U);
  EXPECT_EQ(channel->Submit(std::span(requests).subspan(3)), 2U);
  channel.reset();
}

TEST_F(Channel, Submit_DirectChainLongerThanTheRing_InvalidNotStuck) {
  Open({.queue_size = 4}, 0);
  Job job(16);
  EXPECT_EQ(channel->Call(job.request, seconds(20)), Status::kInvalidArgument);
}

TEST_F(Channel, Submit_InexpressibleRequests_ComeBackInvalid) {
  Open({.depth = 2, .max_payload = 64});
  ServeAtOnce();
  const std::array<uint8_t, 17> long_iv{};
  Job lengths_differ(32), iv_too_long(32), payload_too_long(65);
  lengths_differ.request.dst = std::span(lengths_differ.dst).first(31);
  iv_too_long.request.iv = long_iv;
  for (Job* job : {&lengths_differ, &iv_too_long, &payload_too_long}) {
    ASSERT_TRUE(SubmitOne(*job));
    const auto done = PollAll();
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0], &job->request);
    EXPECT_EQ(job->request.status, Status::kInvalidArgument);
  }
  EXPECT_EQ(device->num_kicks(), 0);
  Job good(64);
  EXPECT_EQ(channel->Call(good.request, seconds(20)), Status::kOk);
}

TEST_F(Channel, Submit_BeyondTheDevicesMaxSize_Invalid) {
  device = std::make_unique<FakeDevice>(FakeDevice::Setup{.max_size = 100});
  channel = std::move(*DataChannel::Create(*device, 0, {}));
  ServeAtOnce();
  Job at_limit(100), beyond(101);
  EXPECT_EQ(channel->Call(at_limit.request, seconds(20)), Status::kOk);
  EXPECT_EQ(channel->Call(beyond.request, seconds(20)), Status::kInvalidArgument);
}

TEST_F(Channel, Iv_ChangedAfterSubmit_SnapshotUsed) {
  Open({});
  Job job(16);
  std::array<uint8_t, 16> iv = kIv;
  job.request.iv = iv;
  ASSERT_TRUE(SubmitOne(job));
  iv.fill(0);
  const auto sent = device->Next(0)->ReadAll();
  EXPECT_TRUE(std::equal(kIv.begin(), kIv.end(), sent.begin() + 72));
  channel.reset();
}

TEST_F(Channel, ZeroCopy_DmaBuffers_NamedInTheChain) {
  Open({.max_payload = 0});
  const DmaBuffer src = device->memory()->Allocate(256).value();
  const DmaBuffer dst = device->memory()->Allocate(256).value();
  std::iota(src.bytes().begin(), src.bytes().end(), uint8_t{0});
  Request request{.iv = kIv, .src = src.bytes(), .dst = dst.bytes()};
  Request* const wanted = &request;
  ASSERT_EQ(channel->Submit({&wanted, 1}), 1U);
  device->ServeData(0);
  ASSERT_EQ(PollAll().size(), 1U);
  EXPECT_EQ(request.status, Status::kOk);
  EXPECT_EQ(dst.bytes()[7], static_cast<uint8_t>(~7));
  Job foreign(16);  // no slot buffers to copy through
  EXPECT_EQ(channel->Call(foreign.request, seconds(20)), Status::kInvalidArgument);
}

TEST_F(Channel, Slot_ReusedWithOtherShapes_TableFollows) {
  Open({.depth = 1});
  ServeAtOnce();
  const DmaBuffer dma = device->memory()->Allocate(64).value();
  for (int round = 0; round < 3; ++round) {
    for (const size_t len : {16U, 64U, 0U, 16U}) {
      Job job(len);
      if (round == 1) job.request.iv = {};
      EXPECT_EQ(channel->Call(job.request, seconds(20)), Status::kOk);
      EXPECT_TRUE(job.Flipped());
    }
    std::ranges::fill(dma.bytes(), uint8_t{0x0f});
    Request in_place{.iv = kIv, .src = dma.bytes(), .dst = dma.bytes()};
    EXPECT_EQ(channel->Call(in_place, seconds(20)), Status::kOk);
    EXPECT_EQ(dma.bytes()[63], 0xf0);
  }
}

// faults.md, device 22: 1 to 64 pieces on each side.
TEST_F(Channel, Pieces_OneTo64_CopiedAndNot) {
  for (const uint32_t max_segments : {1U, 64U}) {
    Open({.max_segments = max_segments});
    ServeAtOnce();
    const DmaBuffer src = device->memory()->Allocate(4096).value();
    const DmaBuffer dst = device->memory()->Allocate(4096).value();
    std::iota(src.bytes().begin(), src.bytes().end(), uint8_t{3});
    for (size_t num = 1; num <= 64; ++num) {
      std::vector<std::span<const uint8_t>> from;
      std::vector<std::span<uint8_t>> to;
      size_t from_at = 0, to_at = 0;
      for (size_t i = 0; i < num; ++i) {
        from.push_back(src.bytes().subspan(from_at, i + 1));
        to.push_back(dst.bytes().subspan(to_at, num - i));
        from_at += i + 1;
        to_at += num - i;
      }
      std::ranges::fill(dst.bytes(), uint8_t{0});
      Request request{.iv = kIv, .src_pieces = from, .dst_pieces = to};
      ASSERT_EQ(channel->Call(request, seconds(20)), Status::kOk) << num;
      for (size_t i = 0; i < from_at; ++i) {
        ASSERT_EQ(dst.bytes()[i], static_cast<uint8_t>(~src.bytes()[i])) << num;
      }
      ASSERT_EQ(dst.bytes()[from_at], 0) << "written beyond the end";
    }
  }
}

TEST_F(Channel, NextIv_BothDirections_LastCiphertextBlock) {
  Open({});
  ServeAtOnce();
  Job encrypt(48);
  encrypt.request.want_next_iv = true;
  ASSERT_EQ(channel->Call(encrypt.request, seconds(20)), Status::kOk);
  EXPECT_TRUE(
      std::equal(encrypt.dst.begin() + 32, encrypt.dst.end(), encrypt.request.next_iv.begin()));
  Job decrypt(48);
  const auto ciphertext = decrypt.src;
  decrypt.request.operation = Operation::kDecrypt;
  decrypt.request.want_next_iv = true;
  decrypt.request.dst = decrypt.src;  // in place: the source is gone afterwards
  ASSERT_EQ(channel->Call(decrypt.request, seconds(20)), Status::kOk);
  EXPECT_TRUE(
      std::equal(ciphertext.begin() + 32, ciphertext.end(), decrypt.request.next_iv.begin()));
}

TEST_F(Channel, NextIvAsIv_SubmitRefused_IvUnharmed) {
  Open({.depth = 1});
  Job first(16), second(16);
  second.request.operation = Operation::kDecrypt;
  second.request.want_next_iv = true;
  second.request.next_iv = kIv;
  second.request.iv = second.request.next_iv;
  ASSERT_TRUE(SubmitOne(first));
  EXPECT_FALSE(SubmitOne(second));
  EXPECT_EQ(second.request.next_iv, kIv);
  channel.reset();
}

TEST_F(Channel, Call_OthersInFlight_LeftForPoll) {
  Open({});
  Job first(16), second(16);
  ASSERT_TRUE(SubmitOne(first));
  ServeAtOnce();
  EXPECT_EQ(channel->Call(second.request, seconds(20)), Status::kOk);
  EXPECT_EQ(channel->in_flight(), 1U);
  EXPECT_TRUE(channel->Wait(seconds(20)));
  const auto done = PollAll();
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0], &first.request);
}

TEST_F(Channel, Wait_AnswerFromAnotherThread_WokenByInterrupt) {
  for (const uint64_t extra : {uint64_t{0}, wire::FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX)}) {
    Open({.spin = std::chrono::microseconds(0)},
         wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC) | extra);
    Job job(16);
    ASSERT_TRUE(SubmitOne(job));
    std::thread other([&] {
      std::this_thread::sleep_for(milliseconds(20));
      device->ServeData(0);
    });
    EXPECT_TRUE(channel->Wait(seconds(20)));
    other.join();
    EXPECT_EQ(PollAll().size(), 1U);
    EXPECT_FALSE(channel->Wait(seconds(20))) << "nothing in flight";
  }
}

}  // namespace
}  // namespace sealane::driver
