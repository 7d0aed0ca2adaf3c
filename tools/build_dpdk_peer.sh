#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds DPDK's vhost_crypto example, unchanged, from Debian's packages dpdk-doc (its source) and
# libdpdk-dev. A second run with the same libdpdk returns at once.
#
#   tools/build_dpdk_peer.sh CACHE      leaves, in CACHE/dpdk-peer:
#     build/vhost-crypto   the program
#     version              of libdpdk
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 CACHE" >&2
  exit 2
fi
readonly peer=$1/dpdk-peer
readonly source=/usr/share/dpdk/examples/vhost_crypto

die() {
  echo "build_dpdk_peer: $*" >&2
  exit 1
}

version=$(pkg-config --modversion libdpdk) || die "no libdpdk; install libdpdk-dev"
if [[ -x $peer/build/vhost-crypto && $(cat "$peer/version" 2>/dev/null) == "$version" ]]; then
  exit 0
fi
[[ -d $source ]] || die "no $source; install dpdk-doc"
rm -rf "$peer"
mkdir -p "$peer"
cp "$source"/* "$peer/"
find "$peer" -name '*.gz' -exec gunzip {} +  # as Debian packs longer documents
make -s -C "$peer"
echo "$version" >"$peer/version"  # last: what is here is complete
