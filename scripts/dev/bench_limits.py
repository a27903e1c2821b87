#!/usr/bin/env python3
"""Measures every limiter of scripts/limits over TCP beside the recipe of the seed, alternating in
every round, and writes build/bench/limits.json.

ROUNDS=5 SECONDS_EACH=2 CONNECTIONS=50 KEYS=100000 DEPTHS=1,16 BIN=build/release/bin OUT=build/bench
are the defaults, from the environment. The node has one core, the generator another. `cost` is how
many times as long as the recipe a take keeps the node: by the rate that both reached, and by the
CPU time that the node spent, which says more where the generator is the bottleneck or the machine
is busy. Figures are medians of the rounds.
"""

import json
import os
import pathlib
import statistics
import sys

os.environ.setdefault("DEPTHS", "1,16")
import bench_compare
import bench_servers as servers
from bench_compare import CONNECTIONS, DEPTHS, EXPIRES_MS, LIMIT, ROUNDS, SECONDS, per_second, step

RECIPE = "recipes/fixed_window"
LOG_LIMIT = 100  # the most that a log may have
TAKES = {
    RECIPE: {"counter_key": "", "limit": LIMIT, "expires_ms": EXPIRES_MS},
    "recipes/redis_fixed_window": {"key": "", "window": EXPIRES_MS // 1000, "maxRequests": LIMIT},
    "limits/fixed_window": {"key": "", "limit": LIMIT, "window_ms": EXPIRES_MS, "cost": 1},
    "limits/first_hit_window": {"key": "", "limit": LIMIT, "window_ms": EXPIRES_MS, "cost": 1},
    "limits/sliding_window": {"key": "", "limit": LIMIT, "window_ms": EXPIRES_MS, "segments": 10,
                              "cost": 1},
    "limits/sliding_log": {"key": "", "limit": LOG_LIMIT, "window_ms": EXPIRES_MS, "cost": 1},
    "limits/token_bucket": {"key": "", "capacity": LIMIT, "refill_tokens": 10,
                            "refill_ms": EXPIRES_MS, "cost": 1},
    "limits/gcra": {"key": "", "max_burst": LIMIT - 1, "count": 10, "period_ms": EXPIRES_MS,
                    "cost": 1},
    "limits/concurrency_acquire": {"key": "", "limit": 10, "lease_ms": EXPIRES_MS,
                                   "owner": "worker-1"},
}


def take(script, key):
    """Flags of palena-bench; each limiter has keys of its own."""
    flags = ["--script", servers.ROOT / f"scripts/{script}.pal"]
    for name, value in TAKES[script].items():
        flags += ["-p", f"{name}={value if value != '' else f'{script}:{key}'}"]
    return flags


def preload(node, script):
    servers.palena_bench(node, take(script, "{i}"), "--requests", servers.KEYS, "--connections",
                         CONNECTIONS, "--pipeline", 64)


def measure(node, script, depth):
    before = node.cpu_seconds()
    run = servers.palena_bench(node, take(script, "{n}"), "--connections", CONNECTIONS,
                               "--pipeline", depth, "--warmup", 0, "--seconds", SECONDS)
    cpu_us = 1e6 * (node.cpu_seconds() - before) / run["answers"]
    return {"per_second": run["per_second"], "cpu_us": cpu_us}


def compare_depth(node, depth):
    runs = {script: [] for script in TAKES}
    for number, turns in bench_compare.alternating(list(TAKES)):
        for script in turns:
            runs[script].append(measure(node, script, depth))
        step(f"  depth {depth} round {number}/{ROUNDS}")
    return [row(script, depth, runs) for script in TAKES]


def row(script, depth, runs):
    """Of each round the ratio to the recipe in the same round."""
    figures = {"script": script, "depth": depth}
    for name, digits in (("per_second", 0), ("cpu_us", 3)):
        figures[name] = round(statistics.median(run[name] for run in runs[script]), digits)
    pairs = list(zip(runs[script], runs[RECIPE]))
    figures["cost_by_rate"] = round(statistics.median(
        recipe["per_second"] / run["per_second"] for run, recipe in pairs), 3)
    figures["cost_by_cpu"] = round(statistics.median(
        run["cpu_us"] / recipe["cpu_us"] for run, recipe in pairs), 3)
    return figures


def show(rows):
    print("| | depth | takes | CPU of the node | cost by rate | by CPU |")
    print("|---|---|---|---|---|---|")
    for figures in rows:
        print(f"| {figures['script']} | {figures['depth']} | {per_second(figures['per_second'])} | "
              f"{figures['cpu_us']:.2f} µs | {figures['cost_by_rate']:.2f} | "
              f"{figures['cost_by_cpu']:.2f} |")


def limits():
    with servers.scratch() as folder, servers.Palena(folder, CONNECTIONS) as node:
        for script in TAKES:
            preload(node, script)
        return [figures for depth in DEPTHS for figures in compare_depth(node, depth)]


def main():
    servers.stop_at_signals()
    try:
        rows = limits()
    except servers.BenchError as error:
        return servers.complain(error)
    except KeyboardInterrupt:
        return 130
    show(rows)
    file = pathlib.Path(servers.BENCH) / "limits.json"
    file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"\nmedians of {ROUNDS} rounds of {SECONDS} s, {CONNECTIONS} connections, "
          f"{servers.KEYS:,} keys: {os.path.relpath(file)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
