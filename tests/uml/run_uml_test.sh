#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Boots a User Mode Linux kernel whose own virtio_crypto driver has a whole device behind
# vhost-user, control queue included, served by sealaned; checks what the kernel saw and what the
# daemon says that it served. No QEMU and no KVM.
#
#   run_uml_test.sh SEALANED CACHE PROGRAMS
#
# CACHE is what tools/build_uml.sh filled, PROGRAMS the folder with alg_vectors and alg_sectors.
# Exit status: 0 passed, 1 failed, 77 skipped (the kernel is not built).
set -euo pipefail

if [[ $# -ne 3 ]]; then
  echo "usage: $0 SEALANED CACHE PROGRAMS" >&2
  exit 2
fi
readonly sealaned=$1 cache=$2 programs=$3
here=$(cd "$(dirname "$0")" && pwd)
readonly boot_seconds=120 crypto_device_id=20
# shellcheck source=tests/guest/harness.sh
. "$here/../guest/harness.sh"

boot() {
  timeout --kill-after=5 "$boot_seconds" "$cache/uml/linux" mem=128M initrd="$work/initramfs" \
    virtio_uml.device="$socket:$crypto_device_id" con0=fd:0,fd:1 con=null \
    </dev/null 2>&1 | tr -d '\r' >"$guest_log"
}

expect_guest() {
  expect "the guest ran to its end" guest_says '^TESTS-DONE'
  expect "no step in the guest failed" guest_never_says '^CHECK FAILED|^FAIL '
  expect "the kernel's self-test passed" guest_says '^CHECK ok selftest'
  expect "the driver is virtio_crypto_aes_cbc" guest_says '^driver *: virtio_crypto_aes_cbc'
  expect "the twelve vectors passed by driver name" \
    guest_says_times '^PASS .* on virtio_crypto_aes_cbc$' 12
  expect "the twelve vectors passed by algorithm name" guest_says_times '^PASS .* on cbc(aes)$' 12
  expect "the software cipher agrees" guest_says_times '^CHECK ok software-agrees' 2
  expect "no algorithm failed a self-test" guest_never_says 'alg: .*failed'
  expect "the kernel has no complaint" guest_never_says 'BUG:|WARNING:|Oops|Call Trace|panic'
}

main() {
  local status=0
  [[ -x $cache/uml/linux ]] || skip "no kernel in $cache/uml (tools/build_uml.sh builds it)"
  "$here/../guest/make_initramfs.sh" "$work/initramfs" "$cache/uml/rootfs" "$here/init" \
    "$here/../guest/steps.sh" "$programs/alg_vectors" "$programs/alg_sectors"
  start_daemon "$sealaned" --mode auto
  boot || status=$?
  expect "the kernel ended well" test "$status" -eq 0
  expect_guest
  expect "the daemon ended well when its front-end left" daemon_ends_well
  expect_summary "queue 0"
  # Each vector sets a key, and Linux makes two sessions of a key: one for each direction.
  expect "sessions came by the control ring" summary_is control requests -ge 48
  expect "the daemon refused no session" summary_is control errors -eq 0
  finish
}

main
