// SPDX-License-Identifier: Apache-2.0
//
// sealaned: a virtio-crypto device behind a vhost-user socket.
#include "daemon.h"
#include "options.h"

int main(int argc, char** argv) {
  const auto options = sealaned::ParseOptions(argc, argv);
  if (!options.has_value()) return options.error();
  sealane::SetLogName("sealaned");
  sealane::SetLogLevel(options->log_level);
  return sealaned::RunDaemon(*options);
}
