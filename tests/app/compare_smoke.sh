#!/usr/bin/env bash
# tests/app/compare_smoke.sh BIN OUT: the comparison with Redis runs from end to end, with times
# that say nothing. Exit status 77: no Redis here; nothing else needs one.
set -euo pipefail
for program in redis-server redis-cli redis-benchmark taskset; do
  if ! command -v "$program" >/dev/null; then
    echo "compare: skipped, $program is not installed"
    exit 77
  fi
done
export BIN=$1 OUT=$2 ROUNDS=1 SECONDS_EACH=0.1 KEYS=200 DEPTHS=4 CONNECTIONS=5
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -rf "$OUT"
scripts/dev/bench_compare.py
CONNECTIONS_MAX=20 scripts/dev/bench_compare.py --connections
python3 - "$OUT" <<'CHECK'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
report = json.loads((out / "compare.json").read_text())
assert list(report) == ["fixed_window_vs_evalsha_get_set", "fixed_window_vs_evalsha_incr",
                        "eget_vs_get", "durable_vs_aof_always"], report
for rows in report.values():
    assert [row["depth"] for row in rows] == [4], rows
    assert all(row["palena"] > 0 and row["redis"] > 0 and row["ratio"] > 0 for row in rows), rows
connections = json.loads((out / "connections.json").read_text())
rows = connections["fixed_window_vs_evalsha_get_set"]
assert [row["connections"] for row in rows] == [1, 10, 20], rows
assert not list(out.glob("data.*")), "data was left behind"
CHECK
