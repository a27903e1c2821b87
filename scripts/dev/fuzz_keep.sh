#!/usr/bin/env bash
# Makes tests/fuzz/corpus anew: of the kept inputs, the seeds and what `make fuzz` has found, few
# that together reach every place of the code that all of them reach, and of those the 20 largest,
# which reach most: the repository stays small, and the seeds are there anyway.
#   scripts/dev/fuzz_keep.sh [TARGET…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=build/fuzz
if [[ $# -eq 0 ]]; then set -- frame request reply compile run engine bytecode; fi
for target in "$@"; do
  kept=tests/fuzz/corpus/$target
  merged=$folder/merged/$target
  rm -rf "$merged"
  mkdir -p "$merged" "$kept" "$folder/corpus/$target"
  # Places, not how often each was passed: a tenth of the inputs.
  "$folder/bin/fuzz_$target" -set_cover_merge=1 -use_counters=0 -max_len=1024 -timeout=10 "$merged" \
    "$kept" "$folder/seeds/$target" "$folder/corpus/$target" 2>"$folder/log/merge-$target.log"
  find "$merged" -type f -printf '%s %p\n' | sort -rn | tail -n +21 | cut -d' ' -f2 | xargs -r rm
  rm -rf "$kept"
  mv "$merged" "$kept"
  echo "$target: $(find "$kept" -type f | wc -l) inputs, $(cat "$kept"/* | wc -c) bytes"
done
