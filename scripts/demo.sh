#!/usr/bin/env bash
# Shows what a Palena node does, through TCP and on a fresh data directory: two rate-limit recipes,
# one limit taken by many clients at once, and a restart. Every figure that it prints is counted
# from answers; exits with 1 when one is not what the limit says. Called by `make demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

limit=${LIMIT:-10}
readonly tries=12
readonly takes=2000 take_limit=100 connections=64
readonly window_ms=60000

if ! [[ $limit =~ ^[1-9][0-9]{0,8}$ ]]; then
  echo "demo: LIMIT must be a number from 1 to 999999999, not \"$limit\"" >&2
  exit 2
fi

source scripts/dev/node.sh
failed=0

palena() { "$bin/palena" --connect "$address" "$@"; }

# The type of a JSON result on standard input, or the text of its first value.
result_type() { sed -n 's/^{"type": *"\([a-z_]*\)".*/\1/p'; }
first_value() { sed -n 's/^[^[]*\[{[^}]*"value": *"\([^"]*\)".*/\1/p'; }

count_of() { # a palena-bench JSON report on standard input; $1: a first value
  python3 -c 'import json, sys; print(json.load(sys.stdin)["first_values"].get(sys.argv[1], 0))' "$1"
}

# The line as promised, and whether its figures are what they should be.
conclude() { # what allowed denied expected_allowed expected_denied
  echo "$1: $2 allowed, $3 denied"
  if [[ $2 -ne $4 || $3 -ne $5 ]]; then
    echo "demo: expected $4 allowed, $5 denied" >&2
    failed=1
  fi
}

run_recipe() { # title recipe name-of-its-time-parameter
  local allowed=0 denied=0 answer i
  echo
  echo "$tries runs of scripts/recipes/$2.pal with limit $limit"
  for ((i = 1; i <= tries; ++i)); do
    answer=$(palena run "scripts/recipes/$2.pal" --json -p counter_key="demo/$2" \
      -p limit="$limit" -p "$3=$window_ms" | first_value)
    case $answer in
      1) allowed=$((allowed + 1)) ;;
      0) denied=$((denied + 1)) ;;
      *) echo "demo: request $i was answered \"$answer\", not 1 or 0" >&2 && exit 1 ;;
    esac
    echo "  request $i: $answer"
  done
  local may=$((limit < tries ? limit : tries))
  conclude "$1" "$allowed" "$denied" "$may" "$((tries - may))"
}

run_concurrently() {
  local report
  echo
  echo "$takes takes of a limit of $take_limit from $connections connections at once"
  report=$("$bin/palena-bench" --connect "$address" --script scripts/recipes/fixed_window.pal \
    -p counter_key=demo/concurrent -p limit="$take_limit" -p expires_ms="$window_ms" \
    --requests "$takes" --connections "$connections" --pipeline 1 --json)
  conclude "concurrent" "$(count_of 1 <<<"$report")" "$(count_of 0 <<<"$report")" \
    "$take_limit" "$((takes - take_limit))"
}

# Sets `fate` to what became of a key over the restart: kept or gone.
find_fate() { # reading-script expected-value
  local answer
  answer=$(palena eval "$1" --json)
  echo "  $1: $answer"
  case $(result_type <<<"$answer") in
    does_not_exist) fate=gone ;;
    get) if [[ $(first_value <<<"$answer") == "$2" ]]; then fate=kept; else fate=changed; fi ;;
    *) fate=unknown ;;
  esac
}

survive_restart() {
  local fate persistent ephemeral
  echo
  echo "a persistent and an ephemeral key, then a restart"
  echo "  set persistent_key 'on disk': $(palena eval "set persistent_key 'on disk'")"
  echo "  eset ephemeral_key 'in memory': $(palena eval "eset ephemeral_key 'in memory'")"
  stop_node
  echo "  stopped"
  start_node
  echo "  $ready"
  find_fate "get persistent_key" "on disk"
  persistent=$fate
  find_fate "eget ephemeral_key" "in memory"
  ephemeral=$fate
  echo "after restart: persistent key $persistent, ephemeral key $ephemeral"
  if [[ $persistent != kept || $ephemeral != gone ]]; then failed=1; fi
}

echo "a node on a free port, with a fresh data directory"
start_node
echo "  $ready"
run_recipe "fixed window" fixed_window expires_ms
run_recipe "sliding expiration" sliding_expiration ttl_ms
run_concurrently
survive_restart
echo
if [[ $failed -ne 0 ]]; then
  echo "demo: not everything is as promised" >&2
  exit 1
fi
echo "all is as promised"
