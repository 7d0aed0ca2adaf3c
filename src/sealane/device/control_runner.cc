// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/control_runner.h"

#include "sealane/device/control_request.h"

namespace sealane::device {

size_t ControlRunner::RunOnce() {
  if (!port_) return 0;
  std::array<ring::DescriptorChain*, kBatch> chains;
  for (size_t i = 0; i < kBatch; ++i) chains[i] = &chains_[i];
  const size_t popped = port_->Pop(chains);
  const ControlContext context{
      .engine = engine_, .sessions = sessions_, .compatibility = compatibility_};
  for (size_t i = 0; i < popped; ++i) {
    const ControlResult result = RunControlRequest(chains_[i], context, port_->framing());
    if (result.status != crypto::Status::kOk) ++port_->stats().errors;
    port_->Finish(chains_[i].head(), result.used_len);
    chains_[i].Clear();
  }
  port_->Publish();
  return popped;
}

void ControlRunner::Disarm() {
  if (!port_) return;
  port_->DrainKick();
  port_->Disarm();
}

}  // namespace sealane::device
