#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches the published cipher test vectors that the tests labelled `vectors` run:
#   CACHE_DIR/cavp       NIST CAVP and RFC vectors, from Debian's python3-cryptography-vectors
#   CACHE_DIR/cryptopp   Crypto++'s vectors, from Debian's libcrypto++-utils
# The packages are unpacked, not installed (the first one conflicts with python3-cryptography). A folder appears
# in one rename when it is complete; one that is there is left alone. Removing CACHE_DIR starts afresh.
set -euo pipefail

usage() {
  echo "usage: ${0##*/} CACHE_DIR" >&2
  exit 2
}

# download PACKAGE: into the current directory. A machine whose package lists are missing gets them, if we may.
download() {
  local package=$1
  local -a options=(-q)
  if [[ ${EUID} -eq 0 ]]; then
    # Without this apt warns that its own user cannot write here.
    options+=(-o APT::Sandbox::User=root)
  fi
  if apt-get "${options[@]}" download "${package}"; then
    return 0
  fi
  if [[ ${EUID} -ne 0 ]]; then
    echo "${0##*/}: cannot download ${package}; 'apt-get update' as root may help" >&2
    return 1
  fi
  apt-get -q update && apt-get "${options[@]}" download "${package}"
}

# fetch PACKAGE FOLDER NAME: FOLDER of the package becomes CACHE_DIR/NAME.
fetch() {
  local package=$1 folder=$2 name=$3
  if [[ -d ${cache}/${name} ]]; then
    return 0
  fi
  local work=${scratch}/${name}
  mkdir -p "${work}/deb" "${work}/tree"
  (cd "${work}/deb" && download "${package}")
  dpkg-deb --extract "${work}"/deb/*.deb "${work}/tree"
  dpkg-deb --field "${work}"/deb/*.deb Package Version >"${work}/tree/${folder}/PACKAGE"
  mv "${work}/tree/${folder}" "${cache}/${name}"
}

[[ $# -eq 1 && -n $1 ]] || usage
mkdir -p -- "$1"
cache=$(cd -- "$1" && pwd)

# Two build directories may share a cache.
exec 9>"${cache}/.lock"
flock 9

rm -rf -- "${cache}"/.fetch.*
scratch=$(mktemp -d "${cache}/.fetch.XXXXXX")
trap 'rm -rf -- "${scratch}"' EXIT

fetch python3-cryptography-vectors usr/lib/python3/dist-packages/cryptography_vectors cavp
fetch libcrypto++-utils usr/share/crypto++ cryptopp
