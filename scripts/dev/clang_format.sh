#!/usr/bin/env bash
# Runs clang-format over every tracked source with the given options, two files at a time:
#   clang_format.sh --dry-run --Werror     complains
#   clang_format.sh -i                     rewrites
# The format is that of version 14: another version lays some lines out differently, so where
# only another is to be had, a check is skipped and says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

formatter=$(command -v clang-format-14 || command -v clang-format)
if [[ $("$formatter" --version) != *" version 14."* ]]; then
  echo "format: skipped, needs clang-format 14, found: $("$formatter" --version)" >&2
  exit 0
fi
# A file that is deleted but still tracked is not there to be formatted.
git ls-files -z -- '*.h' '*.cc' | while IFS= read -r -d '' file; do
  if [[ -f $file ]]; then printf '%s\0' "$file"; fi
done | xargs -0 -r -n 20 -P 2 "$formatter" --style=file "$@"
