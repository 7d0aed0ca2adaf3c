#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make check`: all checks that need no test run, the quick ones first; each can be run by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc)
readonly jobs

failed=()

# step NAME COMMAND...: runs it and says how long it took; a failure does not hide those of later steps.
step() {
  local name=$1 start=$SECONDS outcome=ok
  shift
  echo "check: $name"
  "$@" || { failed+=("$name"); outcome=FAILED; }
  echo "check: $name $outcome ($((SECONDS - start)) s)"
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  cmake --preset "$preset" -DSEALANE_WERROR=ON >/dev/null || return 1
  cmake --build --preset "$preset" -j "$jobs" --target "$@"
}

step "format" tools/check_format.sh
step "layers" python3 tools/check_layers.py
step "source text" python3 tools/check_source.py
step "shell scripts" tools/check_shell.sh
step "warnings as errors, $(c++ --version | head -n1)" build release all
step "headers compile alone" build release all_verify_interface_header_sets
# The sanitizers' build, which `make asan` then finds done.
step "warnings as errors, clang 19" build asan all
step "clang-tidy" tools/check_tidy.sh

if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'check: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
