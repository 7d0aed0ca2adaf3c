#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy 19 over the sources of src and apps (not their tests), with the commands of build/clang-19.
#
#   tools/check_tidy.sh [REGEX]   only files whose path matches
set -euo pipefail
cd "$(dirname "$0")/.."

readonly build=build/clang-19
readonly files=${1:-'/(src/sealane|apps)/.*(?<!_test)\.cc$'}
# Progress and statistics, some lines a file, would bury the findings.
readonly noise='^(\[ *[0-9]+/[0-9]+\]|clang-tidy-19 |[0-9]+ warnings? |Suppressed |Use -header-filter|$)'

# Every time: a list from before would name files that have gone, and miss new ones.
cmake --preset clang-19 >/dev/null
run-clang-tidy-19 -p "$build" -quiet -j "$(nproc)" "$files" 2>&1 | { grep -vE "$noise" || true; }
