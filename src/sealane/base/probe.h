// SPDX-License-Identifier: Apache-2.0
//
// Probes for bpftrace, perf and SystemTap (USDT): a nop in the program where nobody traces.
// Provider "sealane"; `bpftrace -l 'usdt:/usr/bin/sealaned:*'` lists them. Without <sys/sdt.h>
// (Debian's systemtap-sdt-dev) there are none.
#pragma once

#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define SL_PROBE3(name, first, second, third) DTRACE_PROBE3(sealane, name, first, second, third)
#else
#define SL_PROBE3(name, first, second, third) \
  static_cast<void>(first), static_cast<void>(second), static_cast<void>(third)
#endif
