// SPDX-License-Identifier: Apache-2.0
//
// Standard output, with every failure noticed. One thread.
#pragma once

#include <string_view>

#include "command_result.h"

namespace sealane::cli {

// Writes and flushes. When the reader has gone away (EPIPE) the program is to end without a word
// and with success: whoever stops reading has what he wanted.
CommandResult<void> WriteOut(std::string_view text);

bool OutputIsTerminal();

}  // namespace sealane::cli
