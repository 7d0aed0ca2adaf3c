// SPDX-License-Identifier: Apache-2.0
//
// For the tests of DataChannel: a request with its buffers, and a channel on a FakeDevice.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "sealane/driver/data_channel.h"
#include "sealane/driver/fake_device.h"

namespace sealane::driver {

inline constexpr std::array<uint8_t, 16> kIv{0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
                                             0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf};

// One request with buffers of its own.
struct Job {
  explicit Job(size_t len) : src(len), dst(len) {
    std::iota(src.begin(), src.end(), uint8_t{1});
    request.session = SessionId{0x0102};
    request.iv = kIv;
    request.src = src;
    request.dst = dst;
  }
  bool Flipped() const {
    for (size_t i = 0; i < src.size(); ++i) {
      if (dst[i] != static_cast<uint8_t>(~src[i])) return false;
    }
    return true;
  }
  std::vector<uint8_t> src;
  std::vector<uint8_t> dst;
  Request request;
};

// The device is made by Open and outlives the channel.
class Channel : public testing::Test {
 protected:
  void Open(const Options& options,
            uint64_t features = wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC)) {
    channel.reset();
    device = std::make_unique<FakeDevice>(FakeDevice::Setup{.features = features});
    channel = std::move(*DataChannel::Create(*device, 0, options));
  }
  void ServeAtOnce() {
    device->SetScript([](FakeDevice& fake, uint16_t index) { fake.ServeData(index); });
  }
  // The device finishes one request like this, whatever it was.
  Status CallAnswered(uint8_t status, int64_t len_error) {
    Job job(32);
    device->SetScript([=](FakeDevice& fake, uint16_t index) {
      const auto chain = fake.Next(index);
      if (status != 0xff) chain->WriteLast(status);
      fake.Use(index, chain->head,
               static_cast<uint32_t>(int64_t{chain->WritableLen()} + len_error));
    });
    return channel->Call(job.request, std::chrono::seconds(20));
  }
  bool SubmitOne(Job& job) {
    Request* const request = &job.request;
    return channel->Submit({&request, 1}) == 1;
  }
  std::vector<Request*> PollAll() {
    std::vector<Request*> done(1024);
    done.resize(channel->Poll(done));
    return done;
  }

  std::unique_ptr<FakeDevice> device;
  std::unique_ptr<DataChannel> channel;
};

}  // namespace sealane::driver
