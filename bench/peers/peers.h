// SPDX-License-Identifier: Apache-2.0
//
// The back-ends that are compared: how each is started, as it ships. Functions.
#pragma once

#include <string>

#include "peer_process.h"

namespace sealane::bench {

// DPDK's example, with the ipsec-mb engine. Its main and its worker core poll all the time; its
// messages have a thread of their own.
PeerCommand DpdkCommand(const std::string& program);

// Its default options: a queue is polled for 50 us before it sleeps.
PeerCommand SealanedCommand(const std::string& program);

}  // namespace sealane::bench
