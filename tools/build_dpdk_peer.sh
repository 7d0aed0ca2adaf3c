#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds DPDK's vhost_crypto example, unchanged, from Debian's packages dpdk-doc (its source) and
# libdpdk-dev. A second run returns at once.
#
#   tools/build_dpdk_peer.sh CACHE      leaves CACHE/dpdk-peer/build/vhost-crypto
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 CACHE" >&2
  exit 2
fi
readonly peer=$1/dpdk-peer
readonly source=/usr/share/dpdk/examples/vhost_crypto

if [[ -x $peer/build/vhost-crypto ]]; then
  exit 0
fi
if [[ ! -d $source ]]; then
  echo "build_dpdk_peer: no $source; install dpdk-doc" >&2
  exit 1
fi
mkdir -p "$peer"
cp "$source"/* "$peer/"
make -s -C "$peer"
