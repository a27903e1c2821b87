#!/usr/bin/env bash
# Measures: the benchmarks of every room, what a second shard brings, transactions over
# two keys, how long a million expiring keys stall others, then the fixed-window recipe end to end over TCP, as a markdown table of medians
# with the setup they were measured on. Generator and node share the machine, so compare figures of
# one run with each other, not with those of another machine.
#   RUNS=3 SECONDS_EACH=2 CONNECTIONS=50 KEYS=100000 BENCH_MIN_TIME=0.2   are the defaults.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
runs=${RUNS:-3} seconds=${SECONDS_EACH:-2} connections=${CONNECTIONS:-50} keys=${KEYS:-100000}

room_benchmarks() {
  local program
  for program in "$bin"/*_bench; do
    if [[ -x $program ]]; then "$program" --benchmark_min_time="${BENCH_MIN_TIME:-0.2}"; fi
  done
  echo && "$bin/scale" "$runs"
  echo && "$bin/transactions" "$runs"
  echo && "$bin/expiry" "$runs"
}

setup() {
  echo "$(nproc) CPUs ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1))," \
    "$(awk '/^MemTotal/{printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)," \
    "Linux $(uname -r), $("${CXX:-g++}" --version | head -n 1), commit $(git rev-parse --short HEAD)"
  echo "fixed_window.pal, $connections connections, $keys keys, generator on the same machine;" \
    "median of $runs runs of $seconds s"
}

# One line of JSON per run.
measure() { # depth flag...
  local i
  for ((i = 0; i < runs; ++i)); do
    "$bin/palena-bench" --connect "$address" --script scripts/recipes/fixed_window.pal \
      -p counter_key='rl:{n}' -p limit=1000000000 -p expires_ms=60000 --keys "$keys" \
      --connections "$connections" --pipeline "$1" --warmup 0.5 --seconds "$seconds" --json "${@:2}"
  done
}

# Of the runs on standard input the one of median speed, as cells of the table.
median() {
  python3 -c '
import json, sys
runs = sorted((json.loads(line) for line in sys.stdin), key=lambda run: run["per_second"])
run = runs[len(runs) // 2]
if run["failed"] or run["lost"]:
    sys.exit("bench: %d failed, %d lost: %s" % (run["failed"], run["lost"], run["first_failure"]))
latency = run["latency_us"]
print("{:,.0f}/s | {:,.0f} µs | {:,.0f} µs".format(
    run["per_second"], latency["p50"], latency["p99.9"]))'
}

table() {
  local keyspace shards depth cells
  local -a flags
  echo "| keys | shards | depth | decisions | p50 | p99.9 |"
  echo "|---|---|---|---|---|---|"
  for keyspace in ephemeral persistent; do
    flags=()
    if [[ $keyspace == persistent ]]; then flags=(--persistent); fi
    for shards in 1 2; do
      rm -rf "$scratch/data"
      start_node --shards "$shards"
      for depth in 1 16 64; do
        cells=$(measure "$depth" "${flags[@]}" | median)
        echo "| $keyspace | $shards | $depth | $cells |"
      done
      stop_node
    done
  done
}

source scripts/dev/node.sh
room_benchmarks
echo
setup
echo
table
