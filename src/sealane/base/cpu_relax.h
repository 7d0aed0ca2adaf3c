// SPDX-License-Identifier: Apache-2.0
//
// CpuRelax: what a thread does between two looks at a word that another thread will change. Any
// thread.
#pragma once

namespace sealane {

inline void CpuRelax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace sealane
