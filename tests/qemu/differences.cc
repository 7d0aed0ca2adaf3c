// SPDX-License-Identifier: Apache-2.0
#include "differences.h"

#include <array>

namespace sealane::testing {
namespace {

// The reasons.
constexpr const char* kStatusAlone =
    "Without a result only the status byte counts as written (used.len is exact); QEMU counts all "
    "that it could have written.";
constexpr const char* kResultOnly =
    "used.len is the result and the status byte; QEMU counts the whole writable part.";
constexpr const char* kDirection =
    "A direction that does not exist is refused; QEMU takes whatever is not decryption for the "
    "other.";
constexpr const char* kNoReply =
    "QEMU's vhost-user front-end reports every close as done: the message has no reply.";
constexpr const char* kQueueGoesOn =
    "A bad request fails alone; QEMU marks the whole device broken.";
constexpr const char* kChainGoesOn =
    "A bad chain comes back and the queue goes on; QEMU marks the whole device broken.";
constexpr const char* kLongerDst =
    "A destination longer than the source is allowed, and its rest left alone; QEMU marks the "
    "whole device broken.";
constexpr const char* kShortDst =
    "Nothing is written where the result has no room; QEMU writes what fits and marks the device "
    "broken.";
constexpr const char* kIvMissing = "The IV must be there; QEMU encrypts with none set.";
constexpr const char* kWrongWay =
    "A session has one direction, given when it is made; QEMU goes by the opcode alone.";
constexpr const char* kOtherService =
    "An operation of another service than the session's is an error; QEMU has no such service. "
    "Only "
    "the status byte counts as written.";
constexpr const char* kQemuEnds =
    "QEMU 7.2 itself ends at an AKCIPHER operation on a cipher session.";
constexpr const char* kOutsideRam =
    "An address outside of the guest's memory is an error; QEMU treats it as a device that reads "
    "as anything and forgets writes.";

// Answers that many rows have in common.
constexpr const char* kBroken = "needs reset, status untouched, length -, untouched";
constexpr const char* kErr = "used, status 1, length 1, untouched";

constexpr auto kDifferences = std::to_array<Difference>({
    {"encrypt_1_bytes/request", "used, status 1, length 2, untouched", kErr, kStatusAlone},
    {"decrypt_1_bytes/request", "used, status 1, length 2, untouched", kErr, kStatusAlone},
    {"encrypt_15_bytes/request", "used, status 1, length 16, untouched", kErr, kStatusAlone},
    {"decrypt_15_bytes/request", "used, status 1, length 16, untouched", kErr, kStatusAlone},
    {"encrypt_17_bytes/request", "used, status 1, length 18, untouched", kErr, kStatusAlone},
    {"decrypt_17_bytes/request", "used, status 1, length 18, untouched", kErr, kStatusAlone},
    {"iv_len_15/request", "used, status 1, length 65, untouched", kErr, kStatusAlone},
    {"iv_len_17/request", "used, status 1, length 65, untouched", kErr, kStatusAlone},
    {"iv_len_33/request", "used, status 1, length 65, untouched", kErr, kStatusAlone},
    {"iv_len_255/request", "used, status 1, length 65, untouched", kErr, kStatusAlone},
    {"opcode_0x0002/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0x0003/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0x00ff/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0x0100/request", "used, status 3, length 65, untouched", kErr, kOtherService},
    {"opcode_0x0200/request", "used, status 3, length 65, untouched", kErr, kOtherService},
    {"opcode_0x0300/request", "used, status 3, length 65, untouched", kErr, kOtherService},
    {"opcode_0x0301/request", "used, status 3, length 65, untouched", kErr, kOtherService},
    {"opcode_0x0500/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0x0501/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0xffff/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"opcode_0x10000/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"op_type_0/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"op_type_2/request", "used, status 3, length 65, untouched", kErr, kOtherService},
    {"op_type_3/request", "used, status 3, length 65, untouched",
     "used, status 3, length 1, untouched", kStatusAlone},
    {"unknown_session_4711/request", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"unknown_session_256/request", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"unknown_session_9223372036854775808/request", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"unknown_session_18446744073709551615/request", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"closed_session/closed_session", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"good_bad_good/bad", "used, status 4, length 65, untouched",
     "used, status 4, length 1, untouched", kStatusAlone},
    {"dst_room_longer_than_dst_len/request", "used, status 0, length 193, openssl",
     "used, status 0, length 65, openssl", kResultOnly},
    {"framing_status_of_4_bytes_indirect/request", "used, status 0, length 68, openssl",
     "used, status 0, length 65, openssl", kResultOnly},
    {"framing_status_of_4_bytes_direct/request", "used, status 0, length 68, openssl",
     "used, status 0, length 65, openssl", kResultOnly},
    {"create_aes_cbc_128_direction_0/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"create_aes_cbc_192_direction_0/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"create_aes_cbc_256_direction_0/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"create_aes_cbc_128_direction_3/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"create_aes_cbc_192_direction_3/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"create_aes_cbc_256_direction_3/create", "used, status 0, length 16, an id",
     "used, status 1, length 16, id 0", kDirection},
    {"destroy_twice/second", kErr, "used, status 0, length 1, untouched", kNoReply},
    {"destroy_unknown_77/destroy", kErr, "used, status 0, length 1, untouched", kNoReply},
    {"destroy_unknown_255/destroy", kErr, "used, status 0, length 1, untouched", kNoReply},
    {"destroy_unknown_256/destroy", kErr, "used, status 0, length 1, untouched", kNoReply},
    {"destroy_unknown_9223372036854775808/destroy", kErr, "used, status 0, length 1, untouched",
     kNoReply},
    {"iv_len_huge/request", kBroken, kErr, kQueueGoesOn},
    {"iv_and_source_wrap/request", kBroken, kErr, kQueueGoesOn},
    {"dst_shorter_than_src/request", kBroken, kErr, kQueueGoesOn},
    {"dst_len_zero/request", kBroken, kErr, kQueueGoesOn},
    {"src_len_beyond_source/request", kBroken, kErr, kQueueGoesOn},
    {"src_len_huge/request", kBroken, kErr, kQueueGoesOn},
    {"dst_len_huge/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_0/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_1/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_23/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_24/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_32/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_71/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_72/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_80/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_88/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_100/request", kBroken, kErr, kQueueGoesOn},
    {"truncated_to_151/request", kBroken, kErr, kQueueGoesOn},
    {"chain_empty_readable_indirect/request", kBroken, kErr, kQueueGoesOn},
    {"chain_empty_readable_direct/request", kBroken, kErr, kQueueGoesOn},
    {"chain_empty_writable_indirect/request", kBroken, kErr, kQueueGoesOn},
    {"chain_empty_writable_direct/request", kBroken, kErr, kQueueGoesOn},
    {"no_writable/request", "needs reset, status none, length -, untouched",
     "used, status none, length 0, untouched", kChainGoesOn},
    {"chain_loop_to_first_indirect/request", kBroken, "used, status untouched, length 0, untouched",
     kChainGoesOn},
    {"chain_loop_to_first_direct/request", kBroken, "used, status untouched, length 0, untouched",
     kChainGoesOn},
    {"chain_loop_to_self_indirect/request", kBroken, "used, status untouched, length 0, untouched",
     kChainGoesOn},
    {"chain_loop_to_self_direct/request", kBroken, "used, status untouched, length 0, untouched",
     kChainGoesOn},
    {"chain_next_out_of_range_indirect/request", kBroken,
     "used, status untouched, length 0, untouched", kChainGoesOn},
    {"chain_next_out_of_range_direct/request", kBroken,
     "used, status untouched, length 0, untouched", kChainGoesOn},
    {"chain_huge_length_indirect/request", kBroken, kErr, kChainGoesOn},
    {"chain_huge_length_direct/request", kBroken, kErr, kChainGoesOn},
    {"chain_writable_first_indirect/request", kBroken, kErr, kChainGoesOn},
    {"chain_writable_first_direct/request", kBroken, kErr, kChainGoesOn},
    {"chain_nested_indirect_indirect/request", kBroken,
     "used, status untouched, length 0, untouched", kChainGoesOn},
    {"chain_nested_indirect_direct/request", kBroken, "used, status untouched, length 0, untouched",
     kChainGoesOn},
    {"dst_longer_than_src/request", kBroken, "used, status 0, length 65, openssl", kLongerDst},
    {"dst_room_shorter_than_dst_len/request", "needs reset, status 0, length -, other", kErr,
     kShortDst},
    {"no_status/request", "needs reset, status 0, length -, other", kErr, kShortDst},
    {"status_alone/request", "needs reset, status 0, length -, untouched", kErr, kShortDst},
    {"iv_len_0/request", "used, status 0, length 65, other", kErr, kIvMissing},
    {"decrypt_with_encrypting_session/request", "used, status 0, length 65, other", kErr,
     kWrongWay},
    {"encrypt_with_decrypting_session/request", "used, status 0, length 65, other", kErr,
     kWrongWay},
    {"opcode_0x0400/request", "qemu ended, status untouched, length -, untouched", kErr, kQemuEnds},
    {"opcode_0x0401/request", "qemu ended, status untouched, length -, untouched", kErr, kQemuEnds},
    {"opcode_0x0402/request", "qemu ended, status untouched, length -, untouched", kErr, kQemuEnds},
    {"opcode_0x0403/request", "qemu ended, status untouched, length -, untouched", kErr, kQemuEnds},
    {"chain_address_beyond_ram_indirect/request", "used, status 0, length 65, other", kErr,
     kOutsideRam},
    {"chain_address_beyond_ram_direct/request", "used, status 0, length 65, other", kErr,
     kOutsideRam},
    {"chain_address_wraps_indirect/request", "used, status 0, length 65, other", kErr, kOutsideRam},
    {"chain_address_wraps_direct/request", "used, status 0, length 65, other", kErr, kOutsideRam},
    {"chain_destination_beyond_ram_indirect/request", "used, status 0, length 65, untouched", kErr,
     kOutsideRam},
    {"chain_destination_beyond_ram_direct/request", "used, status 0, length 65, untouched", kErr,
     kOutsideRam},
});

}  // namespace

std::span<const Difference> KnownDifferences() { return kDifferences; }

}  // namespace sealane::testing
