#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fetches QEMU 10 from this Debian release's backports, once: a second run returns at once and
# needs no network.
#
#   tools/fetch_guest_qemu10.sh CACHE     leaves CACHE/qemu10/qemu-system-x86_64, a start script
#
# The backports suite is looked for on the Debian mirror that the machine is set up to use, with a
# package index of our own; nothing is installed and no system setting is touched. Where it cannot
# be had, the reason goes to CACHE/qemu10/unavailable and the exit status is 77 ("skipped").
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 CACHE" >&2
  exit 2
fi
tools=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/fetch_guest_lib.sh
. "$tools/fetch_guest_lib.sh"

readonly package=qemu-system-x86

unavailable() {
  echo "QEMU 10 cannot be had: $*" | tee "$cache/unavailable"
  exit 77
}

# mirror_of CODENAME APT_OPTION...: the address from which this machine gets that release.
mirror_of() {
  apt-get "${@:2}" indextargets --format "\$(RELEASE) \$(REPO_URI)" "Created-By: Packages" |
    awk -v release="$1" '$1 == release && !found { print $2; found = 1 }'
}

# update_index CODENAME: a private index of the release and its backports; sets apt_options.
update_index() {
  local mirror suite
  private_apt_options
  mirror=$(mirror_of "$1")
  if [[ -z $mirror ]]; then # apt only names sources whose index it has
    apt-get "${apt_options[@]}" update || true
    mirror=$(mirror_of "$1" "${apt_options[@]}")
  fi
  [[ -n $mirror ]] || unavailable "apt has no source for $1"
  apt_options+=(
    -o Dir::Etc::sourcelist="$cache/apt/sources.list"
    -o Dir::Etc::sourceparts=/dev/null
    -o Acquire::Retries=1
    -o Acquire::http::Timeout=20
  )
  for suite in "$1" "$1-backports"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$cache/apt/sources.list"
  apt-get "${apt_options[@]}" update --error-on=any || unavailable "no index of $1-backports"
}

# Downloads the emulator and those of its libraries that the machine lacks.
download_emulator() {
  local suite=$1-backports
  apt-get "${apt_options[@]}" install --yes --download-only --reinstall --no-install-recommends \
    -t "$suite" "$package" || unavailable "apt cannot resolve $package from $suite"
}

write_start_script() {
  cat >"$cache/qemu-system-x86_64" <<'SCRIPT'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
lib=$root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$lib" QEMU_MODULE_DIR="$lib/qemu"
exec "$root/usr/bin/qemu-system-x86_64" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" "$@"
SCRIPT
  chmod +x "$cache/qemu-system-x86_64"
}

fetch() {
  local codename
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -rf "$cache"/{root,apt,unavailable,qemu-system-x86_64}
  update_index "$codename"
  download_emulator "$codename"
  unpack_packages "$cache/apt/archives" "$cache/root"
  write_start_script
  "$cache/qemu-system-x86_64" --version | grep -q 'version 1[0-9]\.' ||
    unavailable "$codename-backports has another version, or it does not start"
  rm -rf "$cache/apt"
}

open_cache "$1/qemu10"
stamp=$(stamp_of "$0" "$tools/fetch_guest_lib.sh")
if is_fresh "$stamp" "$cache/qemu-system-x86_64"; then
  echo "$cache is up to date"
  exit 0
fi
need_tools apt-get dpkg
mark_stale
fetch
mark_fresh "$stamp"
echo "fetched $cache"
