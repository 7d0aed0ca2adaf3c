#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fetches what a Linux guest is made of, once: a second run returns at once and needs no network.
#
#   tools/fetch_guest.sh CACHE      leaves, in CACHE/guest:
#     vmlinux           Debian's kernel as an ELF file, which QEMU starts by its PVH entry point
#     rootfs/           busybox, dmsetup with its libraries, kernel modules (lib/modules/order says
#                       in which order to load them)
#
# Everything is a Debian package, downloaded and unpacked but never installed.
# Needs: apt dpkg kmod xz-utils.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 CACHE" >&2
  exit 2
fi
tools=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/fetch_guest_lib.sh
. "$tools/fetch_guest_lib.sh"

PATH=$PATH:/usr/sbin:/sbin # where kmod's programs are; not everyone's PATH has it

# The "cloud" kernel has no virtio_crypto module; this one has.
readonly kernel=linux-image-amd64
readonly programs=(busybox-static dmsetup)
readonly libraries=(libc6 libdevmapper1.02.1 libselinux1 libudev1 libpcre2-8-0)
# What the guest loads; modprobe finds what these need in turn. The last is the driver under test.
# aesni_intel is left out on purpose, so that cbc(aes) is the virtio driver's.
readonly modules=(virtio_pci cbc aes_generic algif_skcipher brd dm-crypt virtio_crypto)

# extract_vmlinux VMLINUZ OUT: a bzImage tells where its compressed ELF file is (the kernel's
# Documentation/x86/boot.rst: setup_sects, payload_offset, payload_length). Unpacking it here saves
# the guest some four seconds of decompression under emulation.
extract_vmlinux() {
  local sectors offset length
  sectors=$(od -An -tu1 -j $((0x1f1)) -N 1 "$1")
  offset=$(od -An -tu4 -j $((0x248)) -N 4 "$1")
  length=$(od -An -tu4 -j $((0x24c)) -N 4 "$1")
  dd if="$1" iflag=skip_bytes,count_bytes bs=64K status=none \
    skip=$(((sectors + 1) * 512 + offset)) count="$length" | xz -dc --single-stream >"$2"
  [[ $(dd if="$2" bs=1 skip=1 count=3 status=none) == ELF ]] || die "no ELF file in $1"
}

# copy_modules UNPACKED ROOTFS: the modules and all that they depend on, with their load order.
copy_modules() {
  local version module path
  version=$(ls "$1/lib/modules")
  depmod -b "$1" "$version"
  mkdir -p "$2/lib/modules"
  for module in "${modules[@]}"; do
    modprobe -d "$1" -S "$version" --show-depends "$module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$cache/module_paths"
  while read -r path; do
    cp "$path" "$2/lib/modules/"
    basename "$path"
  done <"$cache/module_paths" >"$2/lib/modules/order"
}

# copy_programs UNPACKED ROOTFS: busybox is static; dmsetup's own loader names its libraries.
copy_programs() {
  local loader=lib64/ld-linux-x86-64.so.2 libs=$1/lib/x86_64-linux-gnu:$1/usr/lib/x86_64-linux-gnu
  local library
  mkdir -p "$2"/{bin,sbin,lib64,lib/x86_64-linux-gnu}
  cp "$1/bin/busybox" "$2/bin/"
  cp "$1/sbin/dmsetup" "$2/sbin/"
  cp -L "$1/$loader" "$2/lib64/"
  "$1/$loader" --library-path "$libs" --list "$1/sbin/dmsetup" |
    awk '$3 ~ /^\// { print $3 }' >"$cache/libraries"
  while read -r library; do
    cp -L "$library" "$2/lib/x86_64-linux-gnu/"
  done <"$cache/libraries"
}

fetch() {
  local kernel_image unpacked=$cache/unpacked
  rm -rf "$unpacked" "$cache/rootfs"
  download_packages "$cache/meta" "$kernel"
  # "linux-image-6.1.0-57-amd64 (= 6.1.192-3)" → name=version
  kernel_image=$(dpkg-deb -f "$cache/meta/"*.deb Depends |
    sed -E 's/^([^ ,]+) \(= ([^)]+)\).*/\1=\2/')
  download_packages "$cache/deb" "$kernel_image" "${programs[@]}" "${libraries[@]}"
  unpack_packages "$cache/deb" "$unpacked"

  extract_vmlinux "$unpacked"/boot/vmlinuz-* "$cache/vmlinux"
  copy_modules "$unpacked" "$cache/rootfs"
  copy_programs "$unpacked" "$cache/rootfs"
  rm -rf "$unpacked" "$cache/deb" "$cache/meta"
}

open_cache "$1/guest"
stamp=$(stamp_of "$0" "$tools/fetch_guest_lib.sh")
if is_fresh "$stamp" "$cache/vmlinux" "$cache/rootfs/lib/modules/order"; then
  echo "$cache is up to date"
  exit 0
fi
need_tools apt-get dpkg depmod modprobe xz
mark_stale
fetch
mark_fresh "$stamp"
echo "fetched $cache"
