// SPDX-License-Identifier: Apache-2.0
//
// Error: why an expected failure happened. A value of three words, so that making one never
// allocates; what differs from case to case (a path, an index) is added by whoever logs it.
// Thread-safe as a value.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>

namespace sealane {

enum class ErrorCode : uint8_t {
  kInvalid,      // a peer or a caller gave something that the rules forbid
  kOutOfRange,   // an address or length that nothing stands behind
  kUnsupported,  // well-formed, but not offered here
  kNoSpace,      // a stated limit is reached
  kNotFound,     // no such object
  kBroken,       // the peer or ring can no longer be trusted
  kClosed,       // the peer went away
  kTimeout,      // a deadline passed
  kSystem,       // a system call failed; sys_errno says how
};

struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  const char* what = "";  // a string literal: the rule that was broken or the call that failed
  int sys_errno = 0;      // for kSystem only
};

// Error from the current errno. `what` names the call.
inline Error SystemError(const char* what) { return Error{ErrorCode::kSystem, what, errno}; }

// "what" or "what: No such file or directory".
std::string ToString(const Error& error);

}  // namespace sealane
