#!/usr/bin/env python3
"""A take of a named limit over HTTP beside the same limiter over the native protocol, of one node,
alternating in every round.

    bench_http.py       throughput at depths 1 and 16       build/bench/http.json

ROUNDS=5 SECONDS_EACH=2 CONNECTIONS=50 KEYS=100000 DEPTHS=1,16 BIN=build/release/bin OUT=build/bench
are the defaults, from the environment. One server thread on one core, the generator (wrk, or
palena-bench) on another; figures are medians of the rounds. A refused take fails the run.
"""

import json
import os
import re
import statistics
import sys

import bench_servers as servers
from bench_servers import ROOT

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = float(os.environ.get("SECONDS_EACH", "2"))
CONNECTIONS = int(os.environ.get("CONNECTIONS", "50"))
DEPTHS = [int(depth) for depth in os.environ.get("DEPTHS", "1,16").split(",")]
# Never reached: every decision takes the path that updates the counter.
LIMIT, WINDOW_MS = 1_000_000_000, 3_600_000


class Node(servers.Server):
    """A node with both doors."""

    name = "palena"
    http = ""

    def __init__(self, folder):
        limits = folder / "limits.toml"
        limits.write_text(f'[limits.bench]\nlimiter = "fixed_window"\nkey = "rl:{{subject}}"\n'
                          f"limit = {LIMIT}\nwindow_ms = {WINDOW_MS}\n", encoding="utf-8")
        super().__init__(
            [servers.BIN / "palenad", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
             "--limits", limits, "--data-dir", folder / "palena", "--shards", 1,
             "--max-connections", CONNECTIONS + 10, "--http-max-connections", CONNECTIONS + 10],
            folder / "palena.log")

    def _is_ready(self):
        found = re.search(r"^ready listen=(\S+) .* http=(\S+)", self._said(), re.M)
        self.address, self.http = found.groups() if found else ("", "")
        return bool(found)


def over_http(node, depth):
    """Takes a second."""
    os.environ.update(KEYS=str(servers.KEYS), DEPTH=str(depth))
    # wrk knows whole seconds.
    said = servers.run(servers.pinned(servers.CLIENT_CPU, [
        "wrk", "--threads", 1, "--connections", CONNECTIONS, "--duration",
        f"{max(round(SECONDS), 1)}s", "--script", ROOT / "bench/http_take.lua",
        f"http://{node.http}"]))
    if "Non-2xx" in said or "Socket errors" in said:
        raise servers.BenchError(f"wrk said: {said}")
    return float(re.search(r"Requests/sec:\s*([\d.]+)", said)[1])


def over_native(node, depth):
    script = ["--script", ROOT / "scripts/limits/fixed_window.pal", "-p", "key=rl:{n}", "-p",
              f"limit={LIMIT}", "-p", f"window_ms={WINDOW_MS}", "-p", "cost=1"]
    result = servers.palena_bench(node, script, "--connections", CONNECTIONS, "--pipeline", depth,
                                  "--seconds", SECONDS, "--warmup", min(0.4, SECONDS / 2))
    return result["per_second"]


def measure(node):
    rounds = {depth: {"http": [], "native": []} for depth in DEPTHS}
    for number in range(ROUNDS):
        for depth in DEPTHS:
            print(f"round {number + 1} of {ROUNDS}, depth {depth}", file=sys.stderr, flush=True)
            rounds[depth]["http"].append(over_http(node, depth))
            rounds[depth]["native"].append(over_native(node, depth))
    return [{"depth": depth, **{door: statistics.median(all_of) for door, all_of in doors.items()},
             "rounds": doors} for depth, doors in rounds.items()]


def main():
    servers.stop_at_signals()
    with servers.scratch() as folder, Node(folder) as node:
        rows = measure(node)
    print(f"fixed_window, {CONNECTIONS} connections, {servers.KEYS:,} keys, medians of {ROUNDS} "
          f"rounds of {SECONDS:g} s\n")
    print("| requests in flight per connection | HTTP | native | ratio |\n|---|---|---|---|")
    for row in rows:
        row["ratio"] = row["http"] / row["native"]
        print(f"| {row['depth']} | {row['http']:,.0f}/s | {row['native']:,.0f}/s "
              f"| {row['ratio']:.2f} |")
    (servers.BENCH / "http.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except servers.BenchError as error:
        sys.exit(servers.complain(error))
