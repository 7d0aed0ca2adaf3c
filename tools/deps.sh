#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the Debian packages in tools/packages.txt; does nothing, quickly,
# when all are there.
#
#   tools/deps.sh [GROUP...]      build, check, test, uml, peers; all groups when none is named
set -euo pipefail

readonly list=${0%/*}/packages.txt

die() {
  echo "deps: $*" >&2
  exit 1
}

# wanted_packages GROUP...: the packages of these groups, one a line.
wanted_packages() {
  awk -v groups=" $* " '
    /^#/ || !NF { next }
    /^\[/ { name = substr($1, 2, length($1) - 2); wanted = groups == "  " || index(groups, " " name " "); next }
    wanted { print $1 }' "$list" | sort -u
}

# missing_packages: those names on stdin that are not installed.
missing_packages() {
  comm -23 - <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u)
}

for group in "$@"; do
  grep -q "^\[$group\]" "$list" || die "unknown group: $group"
done
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  die "this is not a Debian system; install the counterparts of $(wanted_packages "$@" | xargs)"
fi

mapfile -t missing < <(wanted_packages "$@" | missing_packages)
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi
echo "deps: installing ${missing[*]}"

as_root=()
if [[ $EUID -ne 0 ]]; then
  command -v sudo >/dev/null || die "not root and no sudo; as root, run: apt-get install ${missing[*]}"
  as_root=(sudo)
fi
install_missing() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}

# The package index may be absent (a fresh container) or stale: refresh it only if it does not do.
install_missing 2>/dev/null && exit 0
"${as_root[@]}" apt-get update -qq </dev/null || echo "deps: apt-get update reported errors; going on" >&2
install_missing || die "could not install ${missing[*]}; see the messages of apt-get above"
