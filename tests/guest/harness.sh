# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the test runners of tests/guest and tests/uml share: a work folder, a daemon with a life of
# its own, and expectations that are counted. Sourced, not run.
#
# Every runner ends in `finish`: exit status 0 if each expectation held, else 1 after showing the
# logs. `skip` ends it with 77, which CTest reports as "skipped".

failures=0
daemon_pid=
work=$(mktemp -d "${TMPDIR:-/tmp}/sealane-guest.XXXXXX")
guest_log=$work/guest.log
daemon_log=$work/daemon.log
socket=$work/vhost-user.sock

clean_up() {
  [[ -z $daemon_pid ]] || kill "$daemon_pid" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
touch "$guest_log" "$daemon_log"

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# expect WHAT COMMAND...: runs the command; a failure is printed and counted, and the test goes on.
expect() {
  local what=$1
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "FAILED: $what"
    failures=$((failures + 1))
  fi
}

finish() {
  if [[ $failures -eq 0 ]]; then
    exit 0
  fi
  echo "----- guest -----"
  cat "$guest_log"
  echo "----- daemon -----"
  cat "$daemon_log"
  echo "$failures expectations failed"
  exit 1
}

# True when a process listens on $socket. The file alone is not enough: it is there from bind() on,
# and a front-end that connects before listen() gives up. (Flags 00010000 is a listening socket.)
socket_listens() {
  awk -v path="$socket" '$8 == path && $4 == "00010000" { found = 1 } END { exit !found }' \
    /proc/net/unix
}

# start_daemon PROGRAM OPTION...: starts the back-end on $socket for one front-end and waits, at
# most 20 s, until it listens.
start_daemon() {
  local tries
  "$1" --socket-path="$socket" --once "${@:2}" >"$daemon_log" 2>&1 &
  daemon_pid=$!
  for ((tries = 0; tries < 400; tries++)); do
    if socket_listens; then return; fi
    kill -0 "$daemon_pid" 2>/dev/null || break
    sleep 0.05
  done
  echo "FAILED: the daemon does not listen on its socket"
  failures=$((failures + 1))
  finish
}

# True when the daemon, whose front-end has gone, ends by itself within 10 s and with status 0.
daemon_ends_well() {
  local tries status=0
  for ((tries = 0; tries < 200; tries++)); do
    if ! kill -0 "$daemon_pid" 2>/dev/null; then
      wait "$daemon_pid" || status=$?
      daemon_pid=
      [[ $status -eq 0 ]] && return
      echo "the daemon's exit status is $status"
      return 1
    fi
    sleep 0.05
  done
  echo "the daemon is still running"
  return 1
}

# summary_field LINE FIELD: a number from the daemon's summary, for example `summary_field "queue 0"
# requests` of "queue 0: requests=120 bytes=12345 errors=0 kicks=100 interrupts=90"; -1 if absent.
summary_field() {
  local number
  number=$(sed -nE "s/.*$1:( .*)? $2=([0-9]+).*/\2/p" "$daemon_log" | tail -n 1)
  echo "${number:--1}"
}

# summary_is LINE FIELD OPERATOR NUMBER, for example `summary_is "queue 0" errors -eq 0`.
summary_is() {
  local number
  number=$(summary_field "$1" "$2")
  test "$number" "$3" "$4" && return
  echo "the daemon's summary says $1 $2=$number"
  return 1
}

guest_says() {
  grep -q -- "$1" "$guest_log"
}

guest_says_times() {
  [[ $(grep -c -- "$1" "$guest_log") -eq $2 ]]
}

guest_never_says() {
  ! grep -E -- "$1" "$guest_log"
}

# How many crypto requests the guest counted itself.
guest_requests() {
  awk '$1 == "REQUESTS" { sum += $2 } END { print sum + 0 }' "$guest_log"
}

# expect_summary LINE: what holds for a data queue that served this guest. The kernel's self-tests
# add requests that the guest's programs did not count, hence "more than".
expect_summary() {
  local counted
  counted=$(guest_requests)
  grep -E '(queue [0-9]+|control): ' "$daemon_log" || true
  expect "the daemon served more than the $counted requests that the guest counted" \
    summary_is "$1" requests -gt "$counted"
  expect "the daemon encrypted or decrypted at least a block for each" \
    summary_is "$1" bytes -ge $((16 * counted))
  expect "the daemon refused none" summary_is "$1" errors -eq 0
  expect "the daemon was kicked" summary_is "$1" kicks -gt 0
  expect "the daemon interrupted the guest" summary_is "$1" interrupts -gt 0
}
