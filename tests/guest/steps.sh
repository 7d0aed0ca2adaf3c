# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# What the init scripts of the test guests share. It is /bin/steps.sh in an initramfs and is sourced
# by /init, under busybox's shell.
#
# A guest prints what the test outside reads: "CHECK ok NAME" or "CHECK FAILED NAME" per step,
# "REQUESTS n" for crypto requests made, and TESTS-DONE at the end.

readonly driver=virtio_crypto_aes_cbc
# shellcheck disable=SC2034
readonly key=603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4

prepare_system() {
  mount -t proc none /proc
  mount -t sysfs none /sys
  mount -t devtmpfs none /dev
}

# check NAME COMMAND...: runs the command and reports.
check() {
  local name="$1"
  shift
  if "$@"; then
    echo "CHECK ok $name"
  else
    echo "CHECK FAILED $name"
  fi
}

# The driver's paragraph of /proc/crypto.
stanza() {
  awk -v RS= "/driver *: $driver\n/" /proc/crypto
}

# True once the kernel's self-test of the driver has passed; gives it 5 s.
selftest_passed() {
  local tries=0
  until stanza | grep -q '^selftest *: passed$'; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || return 1
    usleep 100000
  done
}

# random_file FILE KIB
random_file() {
  dd if=/dev/urandom of="$1" bs=1k count="$2" 2>/dev/null
}

end_tests() {
  echo "INTERRUPTS"
  grep virtio /proc/interrupts
  echo "UPTIME $(cut -d' ' -f1 /proc/uptime)"
  echo TESTS-DONE
  poweroff -f
}
