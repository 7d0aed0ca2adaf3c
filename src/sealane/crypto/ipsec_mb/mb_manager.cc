// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/ipsec_mb/mb_manager.h"

#include <intel-ipsec-mb.h>

namespace sealane::crypto {

void MbManagerDeleter::operator()(IMB_MGR* manager) const {
  imb_clear_mem(manager, imb_get_mb_mgr_size());
  free_mb_mgr(manager);
}

MbManagerPtr MakeMbManager() {
  IMB_MGR* const manager = alloc_mb_mgr(0);
  if (manager == nullptr) return nullptr;
  IMB_ARCH arch = IMB_ARCH_NONE;
  init_mb_mgr_auto(manager, &arch);
  if (imb_get_errno(manager) != 0 || arch == IMB_ARCH_NONE || arch == IMB_ARCH_NOAESNI) {
    free_mb_mgr(manager);
    return nullptr;
  }
  return MbManagerPtr(manager);
}

}  // namespace sealane::crypto
