// SPDX-License-Identifier: Apache-2.0
//
// Split virtqueue layout and the ring feature bits (virtio 1.3, sections 2.7 and 6). Plain data,
// little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sealane/base/le.h"

namespace sealane::wire {

// Feature bits (bit numbers).
inline constexpr unsigned VIRTIO_F_NOTIFY_ON_EMPTY = 24;
inline constexpr unsigned VHOST_F_LOG_ALL = 26;
inline constexpr unsigned VIRTIO_RING_F_INDIRECT_DESC = 28;
inline constexpr unsigned VIRTIO_RING_F_EVENT_IDX = 29;
inline constexpr unsigned VHOST_USER_F_PROTOCOL_FEATURES = 30;
inline constexpr unsigned VIRTIO_F_VERSION_1 = 32;
inline constexpr unsigned VIRTIO_F_RING_PACKED = 34;
inline constexpr unsigned VIRTIO_F_RING_RESET = 40;

constexpr uint64_t FeatureMask(unsigned bit) { return uint64_t{1} << bit; }
constexpr bool HasFeature(uint64_t features, unsigned bit) {
  return (features & FeatureMask(bit)) != 0;
}

// Device status bits (2.1).
inline constexpr uint8_t VIRTIO_CONFIG_S_ACKNOWLEDGE = 1;
inline constexpr uint8_t VIRTIO_CONFIG_S_DRIVER = 2;
inline constexpr uint8_t VIRTIO_CONFIG_S_DRIVER_OK = 4;
inline constexpr uint8_t VIRTIO_CONFIG_S_FEATURES_OK = 8;
inline constexpr uint8_t VIRTIO_CONFIG_S_NEEDS_RESET = 0x40;
inline constexpr uint8_t VIRTIO_CONFIG_S_FAILED = 0x80;

// Descriptor flags (2.7.5).
inline constexpr uint16_t VRING_DESC_F_NEXT = 1;
inline constexpr uint16_t VRING_DESC_F_WRITE = 2;
inline constexpr uint16_t VRING_DESC_F_INDIRECT = 4;

// Ring flags (2.7.6, 2.7.8).
inline constexpr uint16_t VRING_AVAIL_F_NO_INTERRUPT = 1;
inline constexpr uint16_t VRING_USED_F_NO_NOTIFY = 1;

// A queue size is a power of two up to this (2.7).
inline constexpr uint32_t kMaxQueueSize = 32768;
constexpr bool IsValidQueueSize(uint32_t size) {
  return size != 0 && size <= kMaxQueueSize && (size & (size - 1)) == 0;
}

struct vring_desc {
  Le64 addr;
  Le32 len;
  Le16 flags;
  Le16 next;
};
static_assert(sizeof(vring_desc) == 16);
static_assert(std::has_unique_object_representations_v<vring_desc>);

struct vring_used_elem {
  Le32 id;
  Le32 len;
};
static_assert(sizeof(vring_used_elem) == 8);
static_assert(std::has_unique_object_representations_v<vring_used_elem>);

// Offsets inside the avail ring: flags, idx, ring[size], used_event; and inside the used ring:
// flags, idx, ring[size], avail_event.
inline constexpr size_t kRingFlagsOffset = 0;
inline constexpr size_t kRingIdxOffset = 2;
inline constexpr size_t kRingEntriesOffset = 4;
constexpr size_t AvailEntryOffset(size_t i) { return kRingEntriesOffset + 2 * i; }
constexpr size_t UsedEntryOffset(size_t i) {
  return kRingEntriesOffset + sizeof(vring_used_elem) * i;
}
constexpr size_t UsedEventOffset(size_t queue_size) { return AvailEntryOffset(queue_size); }
constexpr size_t AvailEventOffset(size_t queue_size) { return UsedEntryOffset(queue_size); }

// Bytes and alignment of each part (2.7, table of the split virtqueue). The event fields are
// counted in.
constexpr size_t DescTableSize(size_t queue_size) { return sizeof(vring_desc) * queue_size; }
constexpr size_t AvailRingSize(size_t queue_size) { return UsedEventOffset(queue_size) + 2; }
constexpr size_t UsedRingSize(size_t queue_size) { return AvailEventOffset(queue_size) + 2; }
inline constexpr size_t kDescTableAlign = 16;
inline constexpr size_t kAvailRingAlign = 2;
inline constexpr size_t kUsedRingAlign = 4;

// Whether moving an index from `old_idx` to `new_idx` passes `event` (2.7.7.1): notify once it
// does.
constexpr bool NeedsEvent(uint16_t event, uint16_t new_idx, uint16_t old_idx) {
  return static_cast<uint16_t>(new_idx - event - 1) < static_cast<uint16_t>(new_idx - old_idx);
}

}  // namespace sealane::wire
