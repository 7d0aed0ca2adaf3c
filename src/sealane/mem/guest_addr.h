// SPDX-License-Identifier: Apache-2.0
//
// The two address spaces that a front-end speaks in. They are numbers without operators, so that
// one is never taken for the other: descriptors carry guest-physical addresses, SET_VRING_ADDR the
// front-end's own.
#pragma once

#include <cstdint>

namespace sealane::mem {

enum class GuestAddr : uint64_t {};
enum class FrontendAddr : uint64_t {};

constexpr uint64_t Raw(GuestAddr addr) { return static_cast<uint64_t>(addr); }
constexpr uint64_t Raw(FrontendAddr addr) { return static_cast<uint64_t>(addr); }

}  // namespace sealane::mem
