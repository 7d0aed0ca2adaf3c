#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every C++ file is as clang-format 19 writes it. `make fmt` (this script with --fix) rewrites them.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} == --fix ]]; then
  python3 tools/source_files.py .h .cc | xargs -0r clang-format-19 -i
  exit
fi

if ! output=$(python3 tools/source_files.py .h .cc | xargs -0r clang-format-19 --dry-run -Werror 2>&1); then
  # One line a file; the places do not matter to a person who lets the tool rewrite it.
  sed -n 's/^\([^:]*\):[0-9].*error: .*/\1: not formatted; make fmt/p; /^xargs:/p' <<<"$output" | sort -u
  exit 1
fi
