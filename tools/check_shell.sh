#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every shell script, found by its name or its first line, passes shellcheck.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts=()
while IFS= read -r -d '' file; do
  if [[ $file == *.sh ]] || head -n1 -- "$file" | grep -aqE '^#!.*\b(ba|da)?sh\b'; then
    scripts+=("$file")
  fi
done < <(python3 tools/source_files.py)
shellcheck --external-sources -- "${scripts[@]}"
