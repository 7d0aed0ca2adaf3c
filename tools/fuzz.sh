#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of build/fuzz for FUZZ_SECONDS (60), starting from its corpus in the tree. What is
# found goes to build/fuzz/found/TARGET, an input that fails to build/fuzz/failed.
#
#   tools/fuzz.sh [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
  mapfile -t targets < <(find build/fuzz/fuzz -maxdepth 1 -type f -executable -printf '%f\n' | sort)
fi
if [[ ${#targets[@]} -eq 0 ]]; then
  echo "fuzz: no target was built" >&2
  exit 1
fi

mkdir -p build/fuzz/failed
for target in "${targets[@]}"; do
  echo "=== $target"
  mkdir -p "build/fuzz/found/$target"
  "build/fuzz/fuzz/$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 \
    -verbosity=0 -print_final_stats=1 -artifact_prefix="build/fuzz/failed/$target-" \
    "build/fuzz/found/$target" "fuzz/corpus/$target"
done
