# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the fetch and build scripts of the guest tests share: a locked, stamped cache folder, and
# Debian packages that are downloaded and unpacked but not installed. Sourced, not run.

die() {
  echo "error: $*" >&2
  exit 1
}

# need_tools NAME...
need_tools() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || die "$tool is missing"
  done
}

# open_cache DIR: sets `cache` to DIR's absolute path and holds its lock until the script ends, so
# that two test runs at once do not fill it together.
open_cache() {
  mkdir -p "$1"
  cache=$(cd "$1" && pwd)
  exec 9>"$cache/.lock"
  flock 9
}

# stamp_of FILE_OR_WORD...: a short name for the state of a cache's ingredients.
stamp_of() {
  local item
  for item in "$@"; do
    if [[ -f $item ]]; then cat "$item"; else echo "$item"; fi
  done | sha256sum | cut -d' ' -f1
}

# is_fresh STAMP FILE...: all of the files exist and were made from the ingredients STAMP.
is_fresh() {
  local stamp=$1 file
  shift
  for file in "$@"; do
    [[ -e $file ]] || return 1
  done
  [[ -f $cache/stamp && $(<"$cache/stamp") == "$stamp" ]]
}

# Called before the cache is touched: an interrupted run must not look like a finished one.
mark_stale() {
  rm -f "$cache/stamp"
}

mark_fresh() {
  echo "$1" >"$cache/stamp"
}

# Sets apt_options for a private apt index in $cache/apt: works for any user, leaves the system's
# untouched.
private_apt_options() {
  mkdir -p "$cache"/apt/{lists/partial,archives/partial}
  apt_options=(
    -qq
    -o APT::Sandbox::User=root
    -o Debug::NoLocking=1
    -o Dir::State::lists="$cache/apt/lists"
    -o Dir::Cache="$cache/apt"
    -o Dir::Cache::archives="$cache/apt/archives"
  )
}

# download_packages DIR NAME...: fetches the packages' .deb files into DIR; with the machine's
# package index when that will do, else with a fresh private one.
download_packages() {
  local dir=$1
  shift
  rm -rf "$dir"
  mkdir -p "$dir"
  echo "downloading $*"
  if (cd "$dir" && apt-get -qq -o APT::Sandbox::User=root download "$@") 2>"$cache/apt.log"; then
    return
  fi
  private_apt_options
  apt-get "${apt_options[@]}" update || echo "apt-get update reported errors; going on"
  (cd "$dir" && apt-get "${apt_options[@]}" download "$@")
}

# unpack_packages DEB_DIR ROOT: unpacks every .deb of DEB_DIR below ROOT.
unpack_packages() {
  local deb
  mkdir -p "$2"
  for deb in "$1"/*.deb; do
    dpkg -x "$deb" "$2"
  done
}
