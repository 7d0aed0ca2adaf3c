#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a preset's tests and ends with their counts, those of the cases inside GoogleTest programs.
#
#   tools/run_tests.sh PRESET [CTEST OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

readonly preset=$1
shift
readonly report=build/results/$preset.xml
mkdir -p build/results
rm -f "$report"

status=0
# The end of each output is kept, since a GoogleTest program prints its counts last.
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error --timeout 600 \
  --output-junit "$PWD/$report" --test-output-size-passed 65536 --test-output-truncation head \
  "$@" || status=$?
if [[ -f $report ]]; then
  python3 tools/test_summary.py --list "$report"
fi
exit "$status"
