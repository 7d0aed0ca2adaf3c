#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every Google Benchmark program of build/release, with any options given (--benchmark_filter=...).
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t programs < <(find build/release/bench -maxdepth 1 -type f -executable 2>/dev/null | sort)
if [[ ${#programs[@]} -eq 0 ]]; then
  echo "bench: no benchmark was built" >&2
  exit 1
fi
for program in "${programs[@]}"; do
  echo "=== ${program##*/}"
  "$program" "$@"
done
