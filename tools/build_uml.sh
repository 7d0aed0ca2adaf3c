#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the User Mode Linux kernel for tests/uml, once: a second run with the same Kconfig
# fragment returns at once and needs no network.
#
#   tools/build_uml.sh CACHE      leaves, in CACHE/uml:
#     linux             the kernel, an ordinary program
#     config            its whole configuration
#     rootfs/           busybox
#
# The source is Debian's linux-source-6.1, downloaded and unpacked but never installed, as is
# busybox. It takes some minutes and 2 GB, which are freed afterwards.
# Needs: apt dpkg gcc make flex bison bc xz-utils.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 CACHE" >&2
  exit 2
fi
source_dir=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/fetch_guest_lib.sh
. "$source_dir/tools/fetch_guest_lib.sh"

readonly fragment=$source_dir/tests/uml/kernel.config
readonly source_package=linux-source-6.1

# make_kernel TREE TARGET...: one quiet, polite run of the kernel's own make.
make_kernel() {
  local tree=$1
  shift
  nice -n 10 make -C "$tree" ARCH=um -s -j2 "$@"
}

# check_config CONFIG: a line of the fragment that kconfig dropped (an unmet dependency) is an error
# here, not a puzzle when the kernel boots.
check_config() {
  local line
  while read -r line; do
    grep -qxF -- "$line" "$1" || die "kconfig did not keep: $line"
  done < <(grep -E '^(CONFIG_|# CONFIG_)' "$fragment")
}

build() {
  local tree=$cache/tree
  rm -rf "$tree" "$cache/unpacked"
  mkdir -p "$tree"
  download_packages "$cache/deb" "$source_package" busybox-static
  unpack_packages "$cache/deb" "$cache/unpacked"
  echo "unpacking the kernel source"
  tar -C "$tree" --strip-components=1 -xJf "$cache/unpacked/usr/src/$source_package.tar.xz"

  make_kernel "$tree" KCONFIG_ALLCONFIG="$fragment" allnoconfig
  check_config "$tree/.config"
  echo "building the kernel (some minutes)"
  make_kernel "$tree" linux
  strip -o "$cache/linux" "$tree/linux"
  cp "$tree/.config" "$cache/config"
  mkdir -p "$cache/rootfs/bin"
  cp "$cache/unpacked/bin/busybox" "$cache/rootfs/bin/"
  rm -rf "$tree" "$cache/unpacked" "$cache/deb"
}

open_cache "$1/uml"
stamp=$(stamp_of "$fragment" "$source_package")
if is_fresh "$stamp" "$cache/linux" "$cache/rootfs/bin/busybox"; then
  echo "$cache is up to date"
  exit 0
fi
need_tools apt-get dpkg gcc make flex bison bc xz
mark_stale
build
mark_fresh "$stamp"
echo "built $cache/linux"
