// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/message.h"

#include <gtest/gtest.h>

#include <string>

#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

constexpr char kRegion[] =
    "00000c0000000000"   // guest address 0xc0000
    "0000010000000000"   // 64 KiB
    "00f0ffc70e7f0000"   // front-end address 0x7f0ec7fff000
    "0020000000000000";  // offset 0x2000 in the file
constexpr char kZeroU64[] = "0000000000000000";

Result<Request> Parse(uint32_t request, const std::string& payload_hex = "", size_t num_fds = 0,
                      uint32_t flags = wire::kVhostUserVersion) {
  const std::vector<uint8_t> payload = FromHex(payload_hex);
  const wire::vhost_user_header header{
      .request = request, .flags = flags, .size = static_cast<uint32_t>(payload.size())};
  return ParseRequest(header, payload, num_fds);
}

template <class T>
T MustParse(uint32_t request, const std::string& payload_hex = "", size_t num_fds = 0) {
  Result<Request> parsed = Parse(request, payload_hex, num_fds);
  EXPECT_TRUE(parsed.has_value()) << parsed.error().what;
  if (!parsed) return T{};
  T* const value = std::get_if<T>(&*parsed);
  EXPECT_NE(value, nullptr) << "another alternative: " << parsed->index();
  return value == nullptr ? T{} : std::move(*value);
}

void ExpectMalformed(const Result<Request>& parsed, const char* rule) {
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalid);
  EXPECT_STREQ(parsed.error().what, rule);
}

std::string Repeat(const std::string& text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string MemTable(const std::string& num_regions_le, size_t num_in_payload) {
  return num_regions_le + "00000000" + Repeat(kRegion, num_in_payload);
}

TEST(ParseRequest, RequestsWithoutPayload_AreRecognised) {
  MustParse<request::GetFeatures>(1);
  MustParse<request::SetOwner>(3);
  MustParse<request::ResetOwner>(4);
  MustParse<request::GetProtocolFeatures>(15);
  MustParse<request::GetQueueNum>(17);
  MustParse<request::ResetDevice>(34);
  MustParse<request::GetMaxMemSlots>(36);
  MustParse<request::GetStatus>(40);
}

TEST(ParseRequest, SetFeatures_IsDecoded) {
  EXPECT_EQ(MustParse<request::SetFeatures>(2, "0000007001000000").features, 0x170000000U);
  EXPECT_EQ(MustParse<request::SetProtocolFeatures>(16, "2802000000000000").features, 0x228U);
}

TEST(ParseRequest, SetMemTable_IsDecoded) {
  const auto table = MustParse<request::SetMemTable>(5, MemTable("02000000", 2), 2);
  ASSERT_EQ(table.regions.size(), 2U);
  EXPECT_EQ(table.regions[1].guest_phys_addr, 0xc0000U);
  EXPECT_EQ(table.regions[1].memory_size, 0x10000U);
  EXPECT_EQ(table.regions[1].userspace_addr, 0x7f0ec7fff000U);
  EXPECT_EQ(table.regions[1].mmap_offset, 0x2000U);
}

TEST(ParseRequest, SetMemTableOfEightRegions_IsDecoded) {
  EXPECT_EQ(MustParse<request::SetMemTable>(5, MemTable("08000000", 8), 8).regions.size(), 8U);
}

TEST(ParseRequest, SetMemTableWithUnusedRoom_IgnoresIt) {
  EXPECT_EQ(MustParse<request::SetMemTable>(5, MemTable("01000000", 2), 1).regions.size(), 1U);
}

TEST(ParseRequest, MemRegMessages_AreDecoded) {
  const std::string payload = std::string(kZeroU64) + kRegion;
  EXPECT_EQ(MustParse<request::AddMemReg>(37, payload, 1).region.guest_phys_addr, 0xc0000U);
  EXPECT_EQ(MustParse<request::RemMemReg>(38, payload, 0).region.memory_size, 0x10000U);
  EXPECT_EQ(MustParse<request::RemMemReg>(38, payload, 1).region.mmap_offset, 0x2000U);
}

TEST(ParseRequest, VringMessages_AreDecoded) {
  const auto num = MustParse<request::SetVringNum>(8, "0100000000040000");
  EXPECT_EQ(num.index, 1U);
  EXPECT_EQ(num.num, 1024U);
  const auto base = MustParse<request::SetVringBase>(10, "0200000000800080");
  EXPECT_EQ(base.index, 2U);
  EXPECT_EQ(base.base, 0x80008000U);
  EXPECT_EQ(MustParse<request::GetVringBase>(11, "0300000000000000").index, 3U);
  const auto enable = MustParse<request::SetVringEnable>(18, "0100000001000000");
  EXPECT_EQ(enable.index, 1U);
  EXPECT_TRUE(enable.enable);
  EXPECT_FALSE(MustParse<request::SetVringEnable>(18, "0100000000000000").enable);
}

TEST(ParseRequest, SetVringAddr_IsDecoded) {
  const auto addr = MustParse<request::SetVringAddr>(
      9, "01000000020000000070dde70e7f000040b8dde70e7f000000b0dde70e7f000040c8dd1f00000000");
  EXPECT_EQ(addr.index, 1U);
  EXPECT_EQ(addr.flags, 2U);
  EXPECT_EQ(mem::Raw(addr.desc), 0x7f0ee7dd7000U);
  EXPECT_EQ(mem::Raw(addr.used), 0x7f0ee7ddb840U);
  EXPECT_EQ(mem::Raw(addr.avail), 0x7f0ee7ddb000U);
  EXPECT_EQ(addr.log_guest_addr, 0x1fddc840U);
}

TEST(ParseRequest, VringDescriptor_AgreesWithTheBit) {
  EXPECT_TRUE(MustParse<request::SetVringKick>(12, "0500000000000000", 1).has_fd);
  EXPECT_EQ(MustParse<request::SetVringKick>(12, "0500000000000000", 1).index, 5U);
  EXPECT_FALSE(MustParse<request::SetVringCall>(13, "0501000000000000", 0).has_fd);
  EXPECT_EQ(MustParse<request::SetVringErr>(14, "ff01000000000000", 0).index, 255U);
}

TEST(ParseRequest, SetBackendReqFd_NeedsItsDescriptor) {
  MustParse<request::SetBackendReqFd>(21, "", 1);
  ExpectMalformed(Parse(21, "", 0), "request without its descriptor");
}

TEST(ParseRequest, ConfigMessages_AreDecoded) {
  const auto get = MustParse<request::GetConfig>(24, "0c000000040000000100000000000000");
  EXPECT_EQ(get.offset, 12U);
  EXPECT_EQ(get.size, 4U);
  EXPECT_EQ(get.flags, 1U);
  const auto set = MustParse<request::SetConfig>(25, "080000000200000001000000abcd");
  EXPECT_EQ(set.offset, 8U);
  EXPECT_EQ(set.flags, 1U);
  EXPECT_EQ(set.bytes, FromHex("abcd"));
}

TEST(ParseRequest, CryptoSessionMessages_AreDecoded) {
  const auto create = MustParse<request::CreateCryptoSession>(26, Repeat("5a", 632));
  EXPECT_EQ(create.payload.size(), 632U);
  EXPECT_EQ(create.payload.bytes()[631], 0x5a);
  const auto close = MustParse<request::CloseCryptoSession>(27, "0000000000000080");
  EXPECT_EQ(close.session_id, uint64_t{1} << 63);
}

TEST(ParseRequest, SetStatus_IsDecoded) {
  EXPECT_EQ(MustParse<request::SetStatus>(39, "0800000000000000").status, 8U);
}

TEST(ParseRequest, UnknownRequest_IsKeptWithItsNumber) {
  EXPECT_EQ(MustParse<request::Unknown>(6, "00112233", 3).request, 6U);
  EXPECT_EQ(MustParse<request::Unknown>(0).request, 0U);
  EXPECT_EQ(MustParse<request::Unknown>(0xffffffff).request, 0xffffffffU);
}

TEST(ParseRequest, WrongVersion_IsRefused) {
  for (const uint32_t flags : {0U, 2U, 3U}) {
    ExpectMalformed(Parse(1, "", 0, flags), "message of an unknown protocol version");
  }
}

TEST(ParseRequest, ReplyFlag_IsRefused) {
  ExpectMalformed(Parse(1, "", 0, 0x5), "reply where a request belongs");
}

TEST(ParseRequest, UnknownFlag_IsRefused) {
  ExpectMalformed(Parse(1, "", 0, 0x11), "unknown flags in a message header");
  ExpectMalformed(Parse(1, "", 0, 0x80000001), "unknown flags in a message header");
}

TEST(ParseRequest, NeedReplyFlag_IsAccepted) {
  EXPECT_TRUE(Parse(3, "", 0, 0x9).has_value());
  EXPECT_TRUE(NeedsReply({.request = 3, .flags = 0x9, .size = 0}));
  EXPECT_FALSE(NeedsReply({.request = 3, .flags = 0x1, .size = 0}));
}

TEST(ParseRequest, SizeThatIsNotThePayloads_IsRefused) {
  const std::vector<uint8_t> payload(8);
  const wire::vhost_user_header header{.request = 2, .flags = 1, .size = 9};
  ExpectMalformed(ParseRequest(header, payload, 0), "payload of another size than announced");
}

TEST(ParseRequest, HugePayload_IsRefused) {
  ExpectMalformed(Parse(26, Repeat("00", kMaxPayloadSize + 1)), "payload too large");
  EXPECT_TRUE(Parse(26, Repeat("00", kMaxPayloadSize)).has_value());
}

// Every request of fixed size, one byte short and one byte long.
TEST(ParseRequest, FixedSizeOffByOne_IsRefused) {
  struct Sized {
    uint32_t request;
    size_t size;
    size_t num_fds;
  };
  for (const Sized& row : {Sized{1, 0, 0},   {2, 8, 0},  {3, 0, 0},  {4, 0, 0},  {8, 8, 0},
                           Sized{9, 40, 0},  {10, 8, 0}, {11, 8, 0}, {12, 8, 1}, {13, 8, 1},
                           Sized{14, 8, 1},  {15, 0, 0}, {16, 8, 0}, {17, 0, 0}, {18, 8, 0},
                           Sized{21, 0, 1},  {27, 8, 0}, {34, 0, 0}, {36, 0, 0}, {37, 40, 1},
                           Sized{38, 40, 0}, {39, 8, 0}, {40, 0, 0}}) {
    SCOPED_TRACE(row.request);
    EXPECT_TRUE(Parse(row.request, Repeat("00", row.size), row.num_fds).has_value());
    ExpectMalformed(Parse(row.request, Repeat("00", row.size + 1), row.num_fds),
                    "payload of the wrong size for its request");
    if (row.size == 0) continue;
    ExpectMalformed(Parse(row.request, Repeat("00", row.size - 1), row.num_fds),
                    "payload of the wrong size for its request");
  }
}

TEST(ParseRequest, SurplusDescriptor_IsRefused) {
  struct Row {
    uint32_t request;
    std::string payload;
    size_t max_fds;
  };
  const std::string reg = std::string(kZeroU64) + kRegion;
  const std::string state = kZeroU64;
  for (const Row& row : {Row{1, "", 0},
                         Row{2, state, 0},
                         Row{3, "", 0},
                         Row{4, "", 0},
                         Row{8, state, 0},
                         Row{10, state, 0},
                         Row{11, state, 0},
                         Row{12, state, 1},
                         Row{13, state, 1},
                         Row{14, state, 1},
                         Row{15, "", 0},
                         Row{16, state, 0},
                         Row{17, "", 0},
                         Row{18, state, 0},
                         Row{21, "", 1},
                         Row{26, Repeat("00", 632), 0},
                         Row{27, state, 0},
                         Row{34, "", 0},
                         Row{36, "", 0},
                         Row{37, reg, 1},
                         Row{38, reg, 1},
                         Row{39, state, 0},
                         Row{40, "", 0},
                         Row{9, Repeat("00", 40), 0},
                         Row{24, Repeat("00", 12), 0},
                         Row{25, Repeat("00", 12), 0}}) {
    SCOPED_TRACE(row.request);
    EXPECT_TRUE(Parse(row.request, row.payload, row.max_fds).has_value());
    ExpectMalformed(Parse(row.request, row.payload, row.max_fds + 1),
                    "request with a surplus descriptor");
  }
}

TEST(ParseRequest, AddMemRegWithoutDescriptor_IsRefused) {
  ExpectMalformed(Parse(37, std::string(kZeroU64) + kRegion, 0), "request without its descriptor");
}

TEST(ParseRequest, MemTableWithoutItsHeader_IsRefused) {
  for (const size_t size : {0U, 4U, 7U}) {
    ExpectMalformed(Parse(5, Repeat("00", size)), "memory table of the wrong size");
  }
}

TEST(ParseRequest, MemTableOfBrokenRegions_IsRefused) {
  ExpectMalformed(Parse(5, MemTable("01000000", 1) + "00", 1), "memory table of the wrong size");
  ExpectMalformed(Parse(5, "0100000000000000" + Repeat("00", 31), 1),
                  "memory table of the wrong size");
}

TEST(ParseRequest, MemTableOfTooManyRegions_IsRefused) {
  ExpectMalformed(Parse(5, MemTable("09000000", 9), 8), "more than 8 memory regions in a table");
  ExpectMalformed(Parse(5, MemTable("01000000", 9), 1), "more than 8 memory regions in a table");
  ExpectMalformed(Parse(5, MemTable("ffffffff", 1), 1), "more than 8 memory regions in a table");
}

TEST(ParseRequest, MemTableShorterThanItsCount_IsRefused) {
  ExpectMalformed(Parse(5, MemTable("02000000", 1), 2),
                  "memory table shorter than its region count");
}

TEST(ParseRequest, MemTableWithWrongNumberOfDescriptors_IsRefused) {
  constexpr char kRule[] = "memory table whose descriptors are not as many as its regions";
  ExpectMalformed(Parse(5, MemTable("02000000", 2), 1), kRule);
  ExpectMalformed(Parse(5, MemTable("02000000", 2), 3), kRule);
  ExpectMalformed(Parse(5, MemTable("02000000", 2), 0), kRule);
}

TEST(ParseRequest, VringDescriptorAgainstTheBit_IsRefused) {
  constexpr char kRule[] = "the vring's descriptor does not agree with the no-descriptor bit";
  for (const uint32_t request : {12U, 13U, 14U}) {
    ExpectMalformed(Parse(request, "0001000000000000", 1), kRule);
    ExpectMalformed(Parse(request, "0000000000000000", 0), kRule);
  }
}

TEST(ParseRequest, VringIndexWithOtherBits_IsRefused) {
  ExpectMalformed(Parse(12, "0002000000000000", 1), "unknown bits beside the vring index");
  ExpectMalformed(Parse(13, "0000000000000080", 1), "unknown bits beside the vring index");
}

TEST(ParseRequest, VringEnableOfTwo_IsRefused) {
  ExpectMalformed(Parse(18, "0000000002000000"), "SET_VRING_ENABLE with neither 0 nor 1");
}

TEST(ParseRequest, StatusAboveOneByte_IsRefused) {
  ExpectMalformed(Parse(39, "0001000000000000"), "device status of more than one byte");
}

TEST(ParseRequest, ConfigWithoutItsHeader_IsRefused) {
  for (const uint32_t request : {24U, 25U}) {
    ExpectMalformed(Parse(request, Repeat("00", 11)), "configuration message without its header");
  }
}

TEST(ParseRequest, ConfigOfAnotherSize_IsRefused) {
  for (const uint32_t request : {24U, 25U}) {
    ExpectMalformed(Parse(request, "000000000400000000000000" + Repeat("00", 3)),
                    "configuration message of the wrong size");
    ExpectMalformed(Parse(request, "000000000400000000000000" + Repeat("00", 5)),
                    "configuration message of the wrong size");
  }
}

TEST(ParseRequest, ConfigAbove256Bytes_IsRefused) {
  EXPECT_TRUE(Parse(24, "000000000001000000000000" + Repeat("00", 256)).has_value());
  ExpectMalformed(Parse(24, "000000000101000000000000" + Repeat("00", 257)),
                  "configuration access of more than 256 bytes");
  ExpectMalformed(Parse(25, "00000000ffffffff00000000"),
                  "configuration access of more than 256 bytes");
}

TEST(HasOwnReply, IsTrueForExactlyTheQuestions) {
  for (uint32_t request = 0; request < 64; ++request) {
    const bool question = request == 1 || request == 11 || request == 15 || request == 17 ||
                          request == 24 || request == 26 || request == 36 || request == 40;
    EXPECT_EQ(HasOwnReply(request), question) << request;
  }
}

}  // namespace
}  // namespace sealane::vhost_user
