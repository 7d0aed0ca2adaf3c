// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/vhost_user/vhost_user_transport.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <bit>
#include <thread>
#include <vector>

#include "sealane/driver/crypto_driver.h"
#include "sealane/vhost_user/connection.h"
#include "sealane/vhost_user/handler.h"
#include "sealane/vhost_user/reply.h"
#include "sealane/vhost_user/server.h"
#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

namespace request = vhost_user::request;
using vhost_user::Reply;
using wire::FeatureMask;

constexpr std::array<uint8_t, 16> kKey{7};
constexpr CipherSessionParams kParams{wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kDecrypt,
                                      kKey};

// A back-end that grants everything and notes what it was asked, in its own thread.
class BackEnd final : public vhost_user::Handler {
 public:
  BackEnd() {
    config.status.set(wire::VIRTIO_CRYPTO_S_HW_READY);
    config.max_dataqueues.set(2);
    config.crypto_services.set(1);
    config.max_size.set(4096);
    std::array<int, 2> fds{-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    front_end_fd = UniqueFd(fds[0]);
    own_fd = fds[1];
    connection.emplace(UniqueFd(fds[1]));
  }
  ~BackEnd() override { Stop(); }

  Result<std::unique_ptr<VhostUserTransport>> Connect(const VhostUserOptions& options) {
    thread = std::thread([this] { static_cast<void>(vhost_user::Serve(*connection, *this, -1)); });
    vhost_user::Frontend frontend(vhost_user::Connection(std::move(front_end_fd)),
                                  std::chrono::milliseconds(5000));
    return VhostUserTransport::Create(std::move(frontend), options);
  }
  // As if the process died.
  void Stop() {
    ::shutdown(own_fd, SHUT_RDWR);
    if (thread.joinable()) thread.join();
  }

  Result<Reply> Handle(const vhost_user::Request& message, std::vector<UniqueFd> fds) override {
    return std::visit([&](const auto& what) { return On(what, fds); }, message);
  }

  uint64_t features = ~uint64_t{0};
  uint64_t protocol_features = ~uint64_t{0};
  uint64_t num_queues = 3;
  int64_t session_reply = 41;
  wire::virtio_crypto_config config{};

  // What was asked; read by the test while nothing is being exchanged.
  std::string log;
  uint64_t set_features = 0;
  uint64_t set_protocol_features = 0;
  uint8_t status = 0;
  std::vector<uint8_t> session_payload;
  EventFd err;
  EventFd call;

  UniqueFd front_end_fd;
  int own_fd = -1;
  std::optional<vhost_user::Connection> connection;
  std::thread thread;

 private:
  using Fds = std::vector<UniqueFd>;
  Reply Done(const char* word) {
    log += word;
    return vhost_user::DoneReply();
  }
  Result<Reply> On(const request::GetFeatures&, Fds&) { return vhost_user::U64Reply(features); }
  Result<Reply> On(const request::GetProtocolFeatures&, Fds&) {
    return vhost_user::U64Reply(protocol_features);
  }
  Result<Reply> On(const request::GetQueueNum&, Fds&) { return vhost_user::U64Reply(num_queues); }
  Result<Reply> On(const request::SetFeatures& what, Fds&) {
    set_features = what.features;
    return Done("features ");
  }
  Result<Reply> On(const request::SetProtocolFeatures& what, Fds&) {
    set_protocol_features = what.features;
    return Done("protocol ");
  }
  Result<Reply> On(const request::SetOwner&, Fds&) { return Done("owner "); }
  Result<Reply> On(const request::SetMemTable& what, Fds& fds) {
    EXPECT_EQ(what.regions.size(), 1U);
    EXPECT_EQ(fds.size(), 1U);
    return Done("memory ");
  }
  Result<Reply> On(const request::GetConfig& what, Fds&) {
    const auto bytes = std::bit_cast<std::array<uint8_t, sizeof config>>(config);
    return vhost_user::ConfigReply(what, std::span(bytes).subspan(what.offset, what.size));
  }
  Result<Reply> On(const request::SetVringNum&, Fds&) { return Done("num "); }
  Result<Reply> On(const request::SetVringBase&, Fds&) { return Done("base "); }
  Result<Reply> On(const request::SetVringAddr&, Fds&) { return Done("addr "); }
  Result<Reply> On(const request::SetVringKick&, Fds&) { return Done("kick "); }
  Result<Reply> On(const request::SetVringCall& what, Fds& fds) {
    if (what.index == 0) call = std::move(*EventFd::Adopt(std::move(fds[0])));
    return Done("call ");
  }
  Result<Reply> On(const request::SetVringErr& what, Fds& fds) {
    if (what.index == 0) err = std::move(*EventFd::Adopt(std::move(fds[0])));
    return Done("err ");
  }
  Result<Reply> On(const request::SetVringEnable& what, Fds&) {
    return Done(what.enable ? "enable " : "disable ");
  }
  Result<Reply> On(const request::GetVringBase& what, Fds&) {
    log += "stop ";
    return vhost_user::VringStateReply(what.index, 0);
  }
  Result<Reply> On(const request::SetStatus& what, Fds&) {
    status = what.status;
    return vhost_user::DoneReply();
  }
  Result<Reply> On(const request::CreateCryptoSession& what, Fds&) {
    session_payload.assign(what.payload.bytes().begin(), what.payload.bytes().end());
    return Reply{vhost_user::EncodeCryptoSessionReply(what.payload.bytes(), session_reply)};
  }
  Result<Reply> On(const request::CloseCryptoSession& what, Fds&) {
    return Done(("close" + std::to_string(what.session_id) + " ").c_str());
  }
  template <class Other>
  Result<Reply> On(const Other&, Fds&) {
    ADD_FAILURE() << "an unexpected request";
    return Error{ErrorCode::kUnsupported, "not expected"};
  }
};

constexpr VhostUserOptions kDevice{.mode = VhostUserMode::kDevice, .memory_size = 1 << 20};
constexpr VhostUserOptions kCryptodev{.mode = VhostUserMode::kCryptodev, .memory_size = 1 << 20};

RingLocation RingIn(Transport& transport) {
  const mem::GuestAddr base = transport.memory()->base();
  return {.size = 4,
          .desc = base,
          .avail = mem::GuestAddr{Raw(base) + 64},
          .used = mem::GuestAddr{Raw(base) + 128}};
}

TEST(VhostUserTransport, DeviceMode_FullNegotiation_RingsEnabled) {
  BackEnd back_end;
  const auto transport = std::move(*back_end.Connect(kDevice));
  EXPECT_EQ(back_end.log, "protocol owner features memory ");
  EXPECT_EQ(transport->messages(), nullptr);
  EXPECT_EQ(transport->config().max_data_queues, 2U);
  EXPECT_EQ(transport->config().max_size, 4096U);
  EXPECT_EQ(transport->features(),
            0x3f | FeatureMask(28) | FeatureMask(29) | FeatureMask(30) | FeatureMask(32));
  EXPECT_EQ(back_end.set_features, transport->features());
  EXPECT_EQ(back_end.set_protocol_features & FeatureMask(7), 0U);
  EXPECT_NE(back_end.set_protocol_features & FeatureMask(9), 0U);
  EXPECT_EQ(back_end.status, 1 | 2 | 8);
  back_end.log.clear();
  ASSERT_TRUE(transport->StartQueue(0, RingIn(*transport)).has_value());
  EXPECT_EQ(back_end.log, "num base addr err call kick enable ");
  EXPECT_EQ(back_end.status, 1 | 2 | 8 | 4);
  EXPECT_FALSE(transport->StartQueue(0, RingIn(*transport)).has_value()) << "runs already";
  EXPECT_FALSE(transport->StartQueue(3, RingIn(*transport)).has_value()) << "no such queue";
  EXPECT_TRUE(transport->StopQueue(0).has_value());
  EXPECT_TRUE(transport->StopQueue(0).has_value());
  EXPECT_TRUE(transport->StopQueue(2).has_value()) << "never ran";
  EXPECT_EQ(back_end.log, "num base addr err call kick enable stop ");
}

TEST(VhostUserTransport, CryptodevMode_LikeQemu_NoEnableNoConfig) {
  BackEnd back_end;
  const auto transport = std::move(*back_end.Connect(kCryptodev));
  EXPECT_EQ(back_end.set_features, FeatureMask(30));
  EXPECT_NE(back_end.set_protocol_features & FeatureMask(7), 0U);
  EXPECT_EQ(back_end.set_protocol_features & FeatureMask(9), 0U);
  EXPECT_EQ(transport->config().max_data_queues, 3U);
  EXPECT_NE(transport->messages(), nullptr);
  back_end.log.clear();
  ASSERT_TRUE(transport->StartQueue(0, RingIn(*transport)).has_value());
  EXPECT_EQ(back_end.log, "num base addr err call kick ");
}

TEST(VhostUserTransport, EventIdxOff_NotNegotiated) {
  for (VhostUserOptions options : {kDevice, kCryptodev}) {
    options.event_idx = false;
    BackEnd back_end;
    const auto transport = std::move(*back_end.Connect(options));
    EXPECT_FALSE(wire::HasFeature(transport->features(), wire::VIRTIO_RING_F_EVENT_IDX));
  }
}

TEST(VhostUserTransport, BackEndLacksWhatTheModeNeeds_Refused) {
  const auto code = [](auto&& change, const VhostUserOptions& options) {
    BackEnd back_end;
    change(back_end);
    const auto transport = back_end.Connect(options);
    return transport ? ErrorCode::kSystem : transport.error().code;
  };
  constexpr auto kUnsupported = ErrorCode::kUnsupported;
  EXPECT_EQ(code([](BackEnd& b) { b.features = FeatureMask(32); }, kDevice), kUnsupported);
  EXPECT_EQ(code([](BackEnd& b) { b.features = FeatureMask(30); }, kDevice), kUnsupported);
  EXPECT_EQ(code([](BackEnd& b) { b.protocol_features = ~FeatureMask(9); }, kDevice), kUnsupported);
  EXPECT_EQ(code([](BackEnd& b) { b.protocol_features = ~FeatureMask(7); }, kCryptodev),
            kUnsupported);
  EXPECT_EQ(code([](BackEnd& b) { b.config.status.set(0); }, kDevice), kUnsupported);
  EXPECT_EQ(code([](BackEnd& b) { b.num_queues = 2; }, kDevice), ErrorCode::kInvalid);
  EXPECT_EQ(code([](BackEnd& b) { b.config.max_dataqueues.set(0xffffffff); }, kDevice),
            ErrorCode::kInvalid);
  EXPECT_EQ(code([](BackEnd& b) { b.num_queues = 0; }, kCryptodev), ErrorCode::kInvalid);
}

TEST(VhostUserTransport, NumQueuesAbsurd_Capped) {
  BackEnd back_end;
  back_end.num_queues = ~uint64_t{0};
  const auto transport = std::move(*back_end.Connect(kCryptodev));
  EXPECT_EQ(transport->config().max_data_queues, kMaxDataQueues);
}

TEST(VhostUserTransport, Sessions_EachLayout_DecodedAsMeant) {
  using vhost_user::CryptoLayout;
  for (const auto layout : {CryptoLayout::kL1, CryptoLayout::kL2, CryptoLayout::kL3}) {
    BackEnd back_end;
    VhostUserOptions options = kCryptodev;
    options.layout = layout;
    const auto transport = std::move(*back_end.Connect(options));
    const auto session = transport->messages()->CreateSession(kParams);
    ASSERT_TRUE(session.has_value());
    EXPECT_EQ(*session, SessionId{41});
    const auto decoded = vhost_user::DecodeCryptoSession(back_end.session_payload);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(decoded->layout, layout);
    const auto& symmetric = std::get<vhost_user::SymmetricSession>(decoded->session);
    EXPECT_EQ(symmetric.cipher_alg, 3U);
    EXPECT_EQ(symmetric.direction, 2);
    EXPECT_EQ(symmetric.op_type, 1);
    EXPECT_TRUE(std::ranges::equal(symmetric.key.bytes(), kKey));
    back_end.log.clear();
    EXPECT_TRUE(transport->messages()->CloseSession(*session).has_value());
    // CLOSE has no answer; a request that has one shows that it arrived.
    ASSERT_TRUE(transport->StartQueue(0, RingIn(*transport)).has_value());
    EXPECT_TRUE(back_end.log.starts_with("close41 ")) << back_end.log;
  }
}

TEST(VhostUserTransport, SessionRefused_StatusOfTheDevice) {
  BackEnd back_end;
  const auto transport = std::move(*back_end.Connect(kCryptodev));
  const auto status = [&](int64_t reply) {
    back_end.session_reply = reply;
    return transport->messages()->CreateSession(kParams).error().status;
  };
  EXPECT_EQ(status(-1), Status::kError);
  EXPECT_EQ(status(-3), Status::kNotSupported);
  EXPECT_EQ(status(-5), Status::kNoSpace);
  EXPECT_EQ(status(-6), Status::kKeyRejected);
  EXPECT_EQ(status(-7), Status::kError);
  EXPECT_EQ(status(std::numeric_limits<int64_t>::min()), Status::kError);
}

TEST(VhostUserTransport, BackEndSignalsErr_QueueBroken) {
  BackEnd back_end;
  const auto transport = std::move(*back_end.Connect(kDevice));
  ASSERT_TRUE(transport->StartQueue(0, RingIn(*transport)).has_value());
  EXPECT_FALSE(transport->IsBroken(0));
  back_end.call.Signal();
  EXPECT_TRUE(transport->interrupt(0).Wait(5000));
  EXPECT_FALSE(transport->IsBroken(0));
  back_end.err.Signal();
  EXPECT_TRUE(transport->IsBroken(0));
}

TEST(VhostUserTransport, BackEndDies_CallsEndWithErrors) {
  BackEnd back_end;
  auto transport = std::move(*back_end.Connect(kCryptodev));
  VhostUserTransport& socket = *transport;
  const auto driver = std::move(
      *CryptoDriver::Create(std::move(transport), {.queue_size = 16, .max_payload = 1024}));
  back_end.Stop();
  EXPECT_TRUE(socket.IsBroken(0));
  std::array<uint8_t, 16> text{};
  Request request{.src = text, .dst = text};
  EXPECT_EQ(driver->channel(0).Call(request, std::chrono::seconds(60)), Status::kBroken);
  EXPECT_EQ(driver->CreateSession(kParams).error().status, Status::kBroken);
  EXPECT_EQ(driver->CreateSession(kParams).error().status, Status::kBroken);
}

}  // namespace
}  // namespace sealane::driver
