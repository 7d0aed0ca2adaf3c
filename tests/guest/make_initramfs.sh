#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packs an initramfs for a test guest.
#
#   make_initramfs.sh OUT ROOTFS INIT PROGRAM...
#
# ROOTFS is what tools/fetch_guest.sh or tools/build_uml.sh left, INIT becomes /init, and each
# PROGRAM (a static executable) /bin/<its name>. Needs: cpio.
set -euo pipefail

if [[ $# -lt 4 ]]; then
  echo "usage: $0 OUT ROOTFS INIT PROGRAM..." >&2
  exit 2
fi
out=$1 rootfs=$2 init=$3
shift 3

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp -a "$rootfs/." "$tree/"
mkdir -p "$tree"/{bin,dev,proc,sys,tmp}
install -m 755 "$init" "$tree/init"
install -m 755 "$@" "$tree/bin/"
(cd "$tree" && find . | cpio --create --format=newc --owner=0:0 --quiet) | gzip -1 >"$out"
