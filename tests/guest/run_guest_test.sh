#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Boots an unmodified Debian guest under QEMU (no KVM needed) with its virtio-crypto device served
# by sealaned, and checks what the guest saw and what the daemon says that it served.
#
#   run_guest_test.sh SEALANED  QEMU CACHE PROGRAMS [OPTION...]   options for sealaned
#   run_guest_test.sh --builtin QEMU CACHE PROGRAMS               QEMU's own device: tests this test
#
# QEMU is the emulator, CACHE what tools/fetch_guest.sh filled, PROGRAMS the folder with alg_vectors
# and alg_sectors. Exit status: 0 passed, 1 failed, 77 skipped.
set -euo pipefail

if [[ $# -lt 4 ]]; then
  echo "usage: $0 SEALANED|--builtin QEMU CACHE PROGRAMS [OPTION...]" >&2
  exit 2
fi
readonly server=$1 qemu=$2 cache=$3 programs=$4
readonly daemon_options=("${@:5}")
here=$(cd "$(dirname "$0")" && pwd)
readonly boot_seconds=120 memory=512M
# shellcheck source=tests/guest/harness.sh
. "$here/harness.sh"

# QEMU 7.2 crashes with MSI-X and a vhost-user crypto device when there is no KVM; QEMU 10 does not.
needs_intx() {
  local major
  major=$("$qemu" --version | sed -nE 's/^QEMU emulator version ([0-9]+)\..*/\1/p')
  [[ $major -lt 10 ]]
}

# Sets `device`: the options for the crypto device.
choose_device() {
  if [[ $server == --builtin ]]; then
    device=(
      -object "cryptodev-backend-builtin,id=crypto"
      -device "virtio-crypto-pci,cryptodev=crypto"
    )
    return
  fi
  local vectors_option=
  if needs_intx; then vectors_option=,vectors=0; fi
  device=(
    -chardev "socket,id=daemon,path=$socket"
    -object "cryptodev-vhost-user,id=crypto,chardev=daemon"
    -device "virtio-crypto-pci,cryptodev=crypto$vectors_option"
  )
}

# One CPU: two are slower on a small host. Without the "aes" feature no other driver outranks
# virtio_crypto for cbc(aes). Guest memory is shared, so that the daemon can map it.
boot() {
  timeout "$boot_seconds" "$qemu" -accel tcg -M q35,memory-backend=memory -cpu max,-aes -smp 1 \
    -m "$memory" -object "memory-backend-memfd,id=memory,size=$memory,share=on" \
    -nodefaults -no-reboot -display none -monitor none -serial stdio \
    -kernel "$cache/guest/vmlinux" -initrd "$work/initramfs" \
    -append "console=ttyS0 quiet loglevel=4 panic=-1" "${device[@]}" </dev/null 2>&1 |
    tr -d '\r' >"$guest_log"
}

# Through MSI-X where QEMU can do it, else through the PCI interrupt pin.
expect_interrupt_kind() {
  local kind=PCI-MSI
  if [[ $server != --builtin ]] && needs_intx; then kind=IO-APIC; fi
  expect "the guest's device interrupts by $kind" guest_says "^ *[0-9]*: .*$kind.*virtio"
}

expect_guest() {
  local alg_failures='alg: .*failed'
  # QEMU 7.2's own device has RSA, but not as the kernel's self-test wants it.
  if [[ $server == --builtin ]]; then alg_failures='alg: (skcipher|self-tests for cbc).*failed'; fi

  expect "the guest ran to its end" guest_says '^TESTS-DONE'
  expect "no step in the guest failed" guest_never_says '^CHECK FAILED|^FAIL '
  expect "the kernel's self-test passed, before and after reloading the driver" \
    guest_says_times '^CHECK ok selftest' 2
  expect "the driver is virtio_crypto_aes_cbc" guest_says '^driver *: virtio_crypto_aes_cbc'
  expect "the twelve vectors passed by driver name, twice" \
    guest_says_times '^PASS .* on virtio_crypto_aes_cbc$' 24
  expect "the twelve vectors passed by algorithm name" guest_says_times '^PASS .* on cbc(aes)$' 12
  expect "dm-crypt read back what it wrote" guest_says '^CHECK ok dm-crypt-reads-back'
  expect "the device read what dm-crypt wrote" \
    guest_says '^CHECK ok device-reads-what-dm-crypt-wrote'
  expect "dm-crypt read what the device wrote" \
    guest_says '^CHECK ok dm-crypt-reads-what-device-wrote'
  expect "the disk is encrypted" guest_says '^CHECK ok dm-crypt-really-encrypted'
  expect "no algorithm failed a self-test" guest_never_says "$alg_failures"
  expect "the kernel has no complaint" guest_never_says 'BUG:|WARNING:|Oops|Call Trace|panic'
  expect_interrupt_kind
}

main() {
  local status=0
  if [[ $qemu == "$cache/qemu10/"* && ! -x $qemu ]]; then
    skip "$(cat "$cache/qemu10/unavailable" || echo "QEMU 10 was not fetched")"
  fi
  if ! command -v "$qemu" >/dev/null; then
    echo "FAILED: there is no $qemu (apt-get install qemu-system-x86)"
    exit 1
  fi
  "$here/make_initramfs.sh" "$work/initramfs" "$cache/guest/rootfs" "$here/init" \
    "$here/steps.sh" "$programs/alg_vectors" "$programs/alg_sectors"
  choose_device
  if [[ $server != --builtin ]]; then start_daemon "$server" "${daemon_options[@]}"; fi
  echo "booting under $("$qemu" --version | head -n 1)"
  boot || status=$?
  expect "QEMU ended well" test "$status" -eq 0
  expect_guest
  if [[ $server != --builtin ]]; then
    expect "the daemon ended well when its front-end left" daemon_ends_well
    expect_summary "queue 0"
  fi
  finish
}

main
