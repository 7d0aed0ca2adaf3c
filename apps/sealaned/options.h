// SPDX-License-Identifier: Apache-2.0
//
// The command line of sealaned (docs/man/sealaned.1.scd).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "sealane/backend/mode.h"
#include "sealane/base/log.h"

namespace sealaned {

struct Options {
  std::string socket_path;  // empty if --fd is given
  std::optional<int> fd;
  bool once = false;
  std::optional<sealane::backend::Mode> mode;  // nothing: auto
  std::string engine = "auto";
  bool enable_legacy = false;
  bool linux_ecdsa = false;
  uint32_t num_queues = 1;
  uint32_t max_sessions = 8192;
  uint32_t poll_us = 50;
  sealane::LogLevel log_level = sealane::LogLevel::kInfo;
};

// The options, or the exit code after --help, --version, --print-capabilities (0) or a usage error
// (2), with what there was to say already printed.
std::expected<Options, int> ParseOptions(int argc, char** argv);

}  // namespace sealaned
