#!/usr/bin/env bash
# Runs every fuzz target of build/fuzz for FUZZ_SECONDS, FUZZ_JOBS (2) at a time, and tells how many
# inputs each tried and how many places of the code they reached. FUZZ_TARGETS names fewer of them.
# What is found new is kept in build/fuzz/corpus and tried again first the next time.
#
# Fails when a target finds something, with the input and the command that shows it again, and when
# the canary, whose bug is planted, finds nothing.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${FUZZ_SECONDS:-60}
targets=${FUZZ_TARGETS:-frame request reply compile run engine bytecode http}
jobs=${FUZZ_JOBS:-2}
folder=build/fuzz
# Less bookkeeping per allocation: twice as many inputs in the same time.
export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=16:max_malloc_fill_size=256

python3 -B tests/fuzz/seeds.py "$folder/seeds"
mkdir -p "$folder/log" "$folder/findings"

# Longer inputs find nothing that shorter ones do not, only later.
options_of() {
  case $1 in
    frame | canary) echo "-max_len=256" ;;
    request | reply) echo "-max_len=512" ;;
    http) echo "-max_len=2048" ;;
    bytecode) echo "-max_len=512 -dict=$folder/seeds/script.dict" ;;
    *) echo "-max_len=1024 -dict=$folder/seeds/script.dict" ;;
  esac
}

# Its output goes to a log; the last word is the exit status.
start() {
  local target=$1 known=("$folder/seeds/$1")
  mkdir -p "$folder/corpus/$target"
  for inputs in tests/fuzz/{corpus,findings}/"$target"; do
    # The canary's finding is for the replay: here it has to be found.
    if [[ -d $inputs && $target != canary ]]; then known+=("$inputs"); fi
  done
  # The timeout is wall-clock: a busy machine must not look like a slow input.
  # shellcheck disable=SC2046 # the options are words
  "$folder/bin/fuzz_$target" $(options_of "$target") -max_total_time="$2" -timeout=30 \
    -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$folder/findings/$target-" \
    "$folder/corpus/$target" "${known[@]}" >"$folder/log/$target.log" 2>&1
}

# "1234 inputs, 567 places": from the last line of the log that tells them.
reached() {
  sed -n 's/^#\([0-9]*\)\t[A-Za-z]* *cov: \([0-9]*\).*/\1 inputs, \2 places of the code/p' \
    "$folder/log/$1.log" | tail -1
}

complain() {
  local input
  input=$(sed -n 's/.*Test unit written to //p' "$folder/log/$1.log" | tail -1)
  echo "fuzz: $1 FOUND something: ${input:-no input, see $folder/log/$1.log}" >&2
  grep -hE 'does not hold|runtime error:|ERROR: |SUMMARY: ' "$folder/log/$1.log" | head -5 >&2
  if [[ -n $input ]]; then echo "  again: $folder/bin/fuzz_$1 $input" >&2; fi
}

fuzz_one() {
  local target=$1 since=$SECONDS next=15
  start "$target" "$seconds" &
  local running=$!
  while kill -0 "$running" 2>/dev/null; do
    sleep 1
    if ((SECONDS - since >= next)); then
      echo "fuzz: $target … $(reached "$target")"
      next=$((next + 15))
    fi
  done
  if ! wait "$running"; then
    complain "$target"
    return 1
  fi
  echo "fuzz: $target: nothing found in $((SECONDS - since)) s, $(reached "$target")"
}

# A target that could not even start fails too: only an input that crashes it is a finding.
check_canary() {
  rm -f "$folder"/findings/canary-*
  start canary 60
  if ! compgen -G "$folder/findings/canary-crash-*" >/dev/null; then
    echo "fuzz: the canary's planted bug was NOT found: this machinery finds nothing" \
      "(see $folder/log/canary.log)" >&2
    return 1
  fi
  rm -f "$folder"/findings/canary-*
  rm -rf "$folder/corpus/canary"
  echo "fuzz: the canary's planted bug was found, $(reached canary)"
}

check_canary || exit 1
export seconds folder
export -f fuzz_one start options_of reached complain
# shellcheck disable=SC2086 # the targets are words
printf '%s\n' $targets | xargs -P "$jobs" -I{} bash -c 'fuzz_one {}'
