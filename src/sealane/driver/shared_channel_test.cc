// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/shared_channel.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "sealane/driver/fake_device.h"

namespace sealane::driver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// faults.md, device 27: many threads on one queue; each gets its own answer, none is lost.
TEST(SharedChannel, ManyThreads_FewSlots_EachItsOwnAnswer) {
  FakeDevice device{{}};
  device.SetScript([](FakeDevice& fake, uint16_t index) { fake.ServeData(index); });
  const auto channel = DataChannel::Create(device, 0, {.depth = 4, .max_payload = 64}).value();
  SharedChannel shared(*channel);
  std::vector<std::thread> threads;
  for (uint8_t t = 0; t < 16; ++t) {
    threads.emplace_back([&shared, t] {
      for (int i = 0; i < 300; ++i) {
        std::array<uint8_t, 16> src{};
        std::array<uint8_t, 16> dst{};
        src[0] = t;
        src[1] = static_cast<uint8_t>(i);
        Request request{.src = src, .dst = dst};
        ASSERT_EQ(shared.Call(request, seconds(60)), Status::kOk);
        ASSERT_EQ(dst[0], static_cast<uint8_t>(~t));
        ASSERT_EQ(dst[1], static_cast<uint8_t>(~i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(channel->in_flight(), 0U);
}

TEST(SharedChannel, DeviceSilent_EveryCallerTimesOut) {
  FakeDevice device{{}};
  const auto channel = DataChannel::Create(device, 0, {.depth = 2, .max_payload = 64}).value();
  SharedChannel shared(*channel);
  std::vector<std::thread> threads;
  std::atomic<int> num_timed_out = 0;
  std::atomic<int> num_unavailable = 0;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      std::array<uint8_t, 16> text{};
      Request request{.src = text, .dst = text};
      const Status status = shared.Call(request, milliseconds(30));
      if (status == Status::kTimeout) ++num_timed_out;
      if (status == Status::kUnavailable) ++num_unavailable;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_timed_out, 2);
  EXPECT_EQ(num_unavailable, 4);
}

TEST(SharedChannel, DeviceLies_EveryCallerGetsAnError) {
  FakeDevice device{{}};
  std::atomic<int> num_submitted = 0;
  device.SetScript([&](FakeDevice& fake, uint16_t index) {
    if (++num_submitted == 4) fake.Use(index, 0xffff, 1);
  });
  const auto channel = DataChannel::Create(device, 0, {.depth = 8, .max_payload = 64}).value();
  SharedChannel shared(*channel);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::array<uint8_t, 16> text{};
      Request request{.src = text, .dst = text};
      EXPECT_EQ(shared.Call(request, seconds(60)), Status::kBroken);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedChannel, InexpressibleRequest_InvalidAtOnce) {
  FakeDevice device{{}};
  const auto channel = DataChannel::Create(device, 0, {.max_payload = 8}).value();
  SharedChannel shared(*channel);
  std::array<uint8_t, 16> text{};
  Request request{.src = text, .dst = text};
  EXPECT_EQ(shared.Call(request, seconds(60)), Status::kInvalidArgument);
}

}  // namespace
}  // namespace sealane::driver
