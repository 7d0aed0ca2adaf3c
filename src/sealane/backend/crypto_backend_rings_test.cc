// SPDX-License-Identifier: Apache-2.0
//
// When a ring runs: in whatever order a front-end sends memory, addresses, descriptors and ENABLE,
// and with descriptors that are no doorbells.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>

#include "sealane/backend/fake_frontend.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::backend {
namespace {

using namespace std::chrono_literals;
using vhost_user::CryptoLayout;
namespace request = vhost_user::request;

class Rings : public FakeFrontend {
 protected:
  uint64_t MustCreateSession() {
    const int64_t id = CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3));
    EXPECT_GT(id, 0);
    return static_cast<uint64_t>(id);
  }
  UniqueFd KickFd() { return UniqueFd(kick.Duplicate()->release()); }
  // Where GET_VRING_BASE says that the ring stopped; -1: it was refused.
  int64_t Base(uint32_t index) {
    const auto reply = backend->Handle(request::GetVringBase{index}, {});
    wire::vhost_vring_state state{};
    if (!reply.has_value() || reply->payload.size() != sizeof state) return -1;
    std::memcpy(&state, reply->payload.data(), sizeof state);
    EXPECT_EQ(state.index, index);
    return state.num;
  }
};

std::chrono::microseconds ProcessCpu() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST_F(Rings, MemoryAfterTheKick_StartsTheRing) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(SetUpRing(0));
  EXPECT_FALSE(device->running(0));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(device->running(0));
  EXPECT_TRUE(IsServed(MustCreateSession()));
}

TEST_F(Rings, MemoryRegionByRegion_RingStartsWithTheOneItLiesIn_NoneIsRefused) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(SetUpRing(0));
  const auto add = [&](size_t i) {
    const auto& region = guest.memory()->regions()[i];
    return DoesWithFd(request::AddMemReg{{.guest_phys_addr = Raw(region.guest_addr),
                                          .memory_size = region.size(),
                                          .userspace_addr = Raw(region.frontend_addr),
                                          .mmap_offset = 0}},
                      UniqueFd(::fcntl(guest.fd(i), F_DUPFD_CLOEXEC, 0)));
  };
  EXPECT_TRUE(add(1)) << "the table is good, though the ring is not in it yet";
  EXPECT_FALSE(device->running(0));
  EXPECT_TRUE(add(0));
  EXPECT_TRUE(device->running(0));
  EXPECT_TRUE(IsServed(MustCreateSession()));
}

TEST_F(Rings, Cryptodev_DisableBeforeTheKick_KeepsItStopped) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(Does(request::SetVringEnable{0, false}));
  EXPECT_TRUE(SetUpRing(0));
  EXPECT_FALSE(device->running(0));
  EXPECT_TRUE(Does(request::SetVringEnable{0, true}));
  EXPECT_TRUE(device->running(0));
}

TEST_F(Rings, DeviceMode_WithoutProtocolFeatures_RunsFromItsKickOn) {
  EXPECT_TRUE(Does(request::SetFeatures{wire::FeatureMask(wire::VIRTIO_F_VERSION_1)}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(SetUpRing(1));
  EXPECT_TRUE(device->running(1));
}

TEST_F(Rings, DeviceMode_EnableBeforeTheKick_StartsWithTheKick) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kDeviceProtocol}));
  EXPECT_TRUE(Does(request::SetFeatures{kQemuFeatures}));
  EXPECT_TRUE(Does(request::SetVringEnable{2, true}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(SetUpRing(2));
  EXPECT_TRUE(device->running(2)) << "the control queue";
  EXPECT_FALSE(Does(request::SetVringEnable{3, true}));
}

TEST_F(Rings, GetVringBase_OfARingThatNeverRan_GivesBackItsBase) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(Does(request::SetVringBase{1, 77}));
  EXPECT_EQ(Base(1), 77);
  EXPECT_EQ(Base(2), -1);
}

TEST_F(Rings, RunningRing_MayNotBeMoved) {
  ConnectLikeQemu();
  EXPECT_FALSE(Does(request::SetVringNum{0, 64}));
  EXPECT_FALSE(Does(request::SetVringBase{0, 0}));
  EXPECT_FALSE(Does(request::SetVringAddr{.index = 0}));
  EXPECT_FALSE(Does(request::SetProtocolFeatures{kDeviceProtocol})) << "nor change its mode";
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol})) << "QEMU repeats itself";
  EXPECT_TRUE(IsServed(MustCreateSession()));
}

TEST_F(Rings, KickAndCallReplacedWhileRunning_TheNewOnesAreUsed) {
  ConnectLikeQemu();
  const uint64_t session = MustCreateSession();
  EXPECT_TRUE(IsServed(session));
  kick = EventFd::Create().value();
  EXPECT_TRUE(DoesWithFd(request::SetVringKick{0, true}, KickFd()));
  const EventFd other = EventFd::Create().value();
  EXPECT_TRUE(DoesWithFd(request::SetVringCall{0, true}, UniqueFd(other.Duplicate()->release())));
  EXPECT_TRUE(other.Drain()) << "rung at once, for what may have been completed meanwhile";
  EXPECT_TRUE(IsServed(session));
  EXPECT_TRUE(other.Wait(10000));
  EXPECT_EQ(Base(0), 2);
}

TEST_F(Rings, CallTakenAway_RequestsAreServedStill) {
  ConnectLikeQemu();
  EXPECT_TRUE(Does(request::SetVringCall{0, false}));
  call.Drain();
  EXPECT_TRUE(IsServed(MustCreateSession()));
  EXPECT_FALSE(call.Wait(20));
}

TEST_F(Rings, ErrorDescriptorAfterTheStart_RingsWhenTheRingBreaks) {
  ConnectLikeQemu();
  const EventFd error = EventFd::Create().value();
  EXPECT_TRUE(DoesWithFd(request::SetVringErr{0, true}, UniqueFd(error.Duplicate()->release())));
  queue.PublishIdx(30000);
  kick.Signal();
  EXPECT_TRUE(error.Wait(10000));
}

TEST_F(Rings, RingOutsideMemory_RingsItsErrorAndIsRefused) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(ShareMemory());
  const EventFd error = EventFd::Create().value();
  EXPECT_TRUE(DoesWithFd(request::SetVringErr{0, true}, UniqueFd(error.Duplicate()->release())));
  EXPECT_TRUE(Does(request::SetVringNum{0, 64}));
  EXPECT_TRUE(Does(request::SetVringAddr{.index = 0,
                                         .flags = 0,
                                         .desc = mem::FrontendAddr{~uint64_t{15}},
                                         .used = mem::FrontendAddr{~uint64_t{15}},
                                         .avail = mem::FrontendAddr{~uint64_t{15}}}));
  EXPECT_FALSE(DoesWithFd(request::SetVringKick{0, true}, KickFd()));
  EXPECT_TRUE(error.Drain());
  EXPECT_FALSE(device->running(0));
}

TEST_F(Rings, KickAddressesInTheGuestsSpace_AreNotTheFrontEnds) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(Does(request::SetVringNum{0, queue.size()}));
  EXPECT_TRUE(
      Does(request::SetVringAddr{.index = 0,
                                 .flags = 0,
                                 .desc = mem::FrontendAddr{Raw(queue.addresses().desc)},
                                 .used = mem::FrontendAddr{Raw(queue.addresses().used)},
                                 .avail = mem::FrontendAddr{Raw(queue.addresses().avail)}}));
  EXPECT_FALSE(DoesWithFd(request::SetVringKick{0, true}, KickFd()));
}

// A socket with unread bytes and a pipe whose writer has gone are readable for ever.
TEST_F(Rings, DoorbellsThatAreNone_NoBusyLoopAndTheOtherRingServes) {
  ConnectLikeQemu();
  const uint64_t session = MustCreateSession();
  testing::FakeDriverQueue other(guest, 16);
  const auto at = std::get<1>(other.frontend_location());
  EXPECT_TRUE(Does(request::SetVringNum{1, 16}));
  EXPECT_TRUE(Does(request::SetVringAddr{
      .index = 1, .flags = 0, .desc = at.desc, .used = at.used, .avail = at.avail}));
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  ::close(pipe[1]);
  std::array<int, 2> socket{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket.data()), 0);
  const UniqueFd peer(socket[1]);
  ASSERT_EQ(::write(peer.get(), "twenty unread bytes.", 20), 20);
  for (const int fd : {pipe[0], socket[0]}) {
    EXPECT_TRUE(DoesWithFd(request::SetVringKick{1, true}, UniqueFd(fd)));
    const auto before = ProcessCpu();
    std::this_thread::sleep_for(200ms);
    EXPECT_LT(ProcessCpu() - before, 50ms);
    EXPECT_TRUE(IsServed(session));
  }
}

TEST_F(Rings, RegularFileAsKick_IsRefusedAndARealOneStillStartsTheRing) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(SetUpRing(0));
  EXPECT_FALSE(DoesWithFd(request::SetVringKick{0, true}, UniqueFd(::memfd_create("kick", 0))));
  EXPECT_FALSE(device->running(0));
  EXPECT_TRUE(ShareMemory()) << "not the memory's fault";
  EXPECT_TRUE(DoesWithFd(request::SetVringKick{0, true}, KickFd()));
  EXPECT_TRUE(IsServed(MustCreateSession()));
}

// QEMU before 7.2.17 could send what was never initialised.
TEST_F(Rings, Cryptodev_AnyFeatureBits_RingServes) {
  uint64_t bits = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 32; ++i) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    Connect();
    EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
    EXPECT_TRUE(Does(request::SetFeatures{bits}));
    EXPECT_TRUE(ShareMemory());
    EXPECT_TRUE(SetUpRing(0));
    EXPECT_TRUE(IsServed(MustCreateSession())) << std::hex << bits;
  }
}

TEST_F(Rings, ResetStatus_ForgetsTheRingsAndKeepsTheMemory) {
  ConnectLikeQemu();
  EXPECT_TRUE(IsServed(MustCreateSession()));
  EXPECT_TRUE(Does(request::SetStatus{0}));
  EXPECT_FALSE(device->running(0));
  EXPECT_EQ(device->num_sessions(), 0U);
  EXPECT_EQ(Base(0), 0);
  EXPECT_TRUE(SetUpRing(0));
  EXPECT_TRUE(IsServed(MustCreateSession()));
}

}  // namespace
}  // namespace sealane::backend
