#!/usr/bin/env bash
# scripts/dev/count_syncs.sh [BIN] [COMMITS]
#
# No answer before its commit is on disk: one client that makes one persistent commit after the
# other needs at least one fdatasync each. Counts both, the syncs by strace, and fails when there
# are fewer. BIN is where the programs are (build/release/bin). Exit status 77: no strace here.
set -euo pipefail
programs=$(realpath "${1:-build/release/bin}")
commits=${2:-200}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v strace >/dev/null; then
  echo "count_syncs: skipped, strace is not installed"
  exit 77
fi
source scripts/dev/node.sh

# The node under strace. With -D the tracer is the child: the process to stop is the node itself.
# (Leaks cannot be looked for in a traced process.)
bin=$scratch/traced
mkdir "$bin"
cat >"$bin/palenad" <<WRAPPER
#!/bin/sh
ASAN_OPTIONS=\${ASAN_OPTIONS:+\$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
exec strace -D -f -qq -e trace=fdatasync -o "$scratch/trace" "$programs/palenad" "\$@"
WRAPPER
chmod +x "$bin/palenad"

# Calls that ended well; one that another thread interrupted is "resumed".
count_syncs() { grep -cE 'fdatasync.*= 0$' "$scratch/trace" || true; }

start_node --shards 1
before=$(count_syncs)
for ((i = 0; i < commits; i++)); do
  printf '{"script":"set @k @v","params":{"k":"sync:%d","v":%d}}\n' $((i % 10)) "$i"
done | "$programs/palena" --connect "$address" batch >"$scratch/answers"
answered=$(grep -c '^{"type":"set"' "$scratch/answers" || true)
syncs=$(($(count_syncs) - before))
stop_node

echo "count_syncs: $answered persistent commits, $syncs fdatasyncs"
if ((answered != commits)); then
  echo "count_syncs: $commits commits were asked for" >&2
  exit 1
fi
if ((syncs < answered)); then
  echo "count_syncs: answers came before their syncs" >&2
  exit 1
fi
