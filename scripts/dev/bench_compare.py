#!/usr/bin/env python3
"""Compares Palena with Redis, both driven by palena-bench, alternating in every round.

    bench_compare.py                 throughput at depths 1, 16, 64  build/bench/compare.json
    bench_compare.py --latency       open loop at half the peak      build/bench/latency.json
    bench_compare.py --connections   1 to 10,000 connections         build/bench/connections.json

ROUNDS=5 SECONDS_EACH=2 CONNECTIONS=50 KEYS=100000 DEPTHS=1,16,64 CONNECTIONS_MAX=10000
BIN=build/release/bin OUT=build/bench are the defaults, from the environment.
One server thread on one core, the generator on another; figures are medians of the rounds. A row
is marked where the generator had no time left: then the server might have done more. A failed
answer fails the run. redis-benchmark's own figures, of the same rounds, stand beside ours.
"""

import argparse
import dataclasses
import json
import os
import statistics
import sys

import bench_servers as servers
from bench_servers import ROOT

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = float(os.environ.get("SECONDS_EACH", "2"))
WARMUP = min(0.4, SECONDS / 2)
CONNECTIONS = int(os.environ.get("CONNECTIONS", "50"))
DEPTHS = [int(depth) for depth in os.environ.get("DEPTHS", "1,16,64").split(",")]
CLIENT_BOUND = 0.95
# An open loop says little when the generator itself makes more than this part of the latency, or
# when fewer answers than this part of the rate came.
LATE, BEHIND = 0.1, 0.98
SERVERS = ("palena", "redis")
KEY = "rl:{n}"
# Never reached: every decision takes the path that updates the counter.
LIMIT, EXPIRES_MS = 1_000_000_000, 60_000


def step(text):
    print(text, file=sys.stderr, flush=True)


def per_second(value):
    return f"{value:,.0f}/s"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What each server is asked, with one key template of our generator in it."""

    name: str
    palena: object  # key -> flags of palena-bench
    redis: object
    benchmark: object  # server -> the command as redis-benchmark takes it
    fill: bool = False  # reads: the keys are written before, with the same value
    is_durable: bool = False


def recipe(*flags):
    return lambda key: ["--script", ROOT / "scripts/recipes/fixed_window.pal", "-p",
                        f"counter_key={key}", "-p", f"limit={LIMIT}", "-p",
                        f"expires_ms={EXPIRES_MS}", *flags]


def evalsha(name, window):
    """As our generator sends it, and as redis-benchmark does."""
    file = ROOT / "bench" / name

    def ours(key):
        return ["--evalsha", file, "-p", f"key={key}", "-p", f"limit={LIMIT}", "-p",
                f"window={window}"]

    def theirs(server):
        return ["evalsha", servers.script_sha(server, file), 1, "rl:__rand_int__", LIMIT, window]

    return ours, theirs


def comparisons():
    get_set = evalsha("fixed_window_get_set.lua", EXPIRES_MS)
    return [
        Comparison("fixed_window_vs_evalsha_get_set", recipe(), *get_set),
        Comparison("fixed_window_vs_evalsha_incr", recipe(),
                   *evalsha("fixed_window_incr.lua", EXPIRES_MS // 1000)),
        Comparison("eget_vs_get",
                   lambda key: ["--script", ROOT / "bench/eget.pal", "-p", f"key={key}"],
                   lambda key: ["--command", f"GET {key}"],
                   lambda server: ["get", "rl:__rand_int__"], fill=True),
        Comparison("durable_vs_aof_always", recipe("--persistent"), *get_set, is_durable=True),
    ]


def preload(comparison, palena, redis):
    """Both begin with every key there, so that nothing is measured that happens once."""
    once = ["--requests", servers.KEYS, "--connections", CONNECTIONS, "--pipeline", 64]
    ours, theirs = comparison.palena, comparison.redis
    if comparison.fill:
        ours = lambda key: ["--script", ROOT / "bench/fill.pal", "-p", f"key={key}"]
        theirs = lambda key: ["--command", f"SET {key} 1"]
        many = ["-n", 10 * servers.KEYS, "-P", 64, "-c", CONNECTIONS]
        servers.redis_benchmark(redis, ["set", "rl:__rand_int__", 1], *many)
    servers.palena_bench(palena, ours("rl:{i}"), *once)
    servers.palena_bench(redis, theirs("rl:{i}"), *once)


def measure(server, what, depth, *flags, connections=CONNECTIONS):
    return servers.palena_bench(server, what(KEY), "--connections", connections, "--pipeline",
                                depth, "--warmup", WARMUP, "--seconds", SECONDS, *flags)


def alternating(subjects):
    """(number from 1, the subjects in their turn) for each round. Who goes first changes: neither
    always follows the other."""
    for number in range(ROUNDS):
        yield number + 1, subjects if number % 2 == 0 else subjects[::-1]


def subjects_of(comparison, palena, redis):
    return [(palena, comparison.palena), (redis, comparison.redis)]


def latest(runs):
    """What the last run of each server came to."""
    return ", ".join(f"{name} {per_second(runs[name][-1]['per_second'])}" for name in SERVERS)


def median_of(runs, *path):
    values = []
    for run in runs:
        for name in path:
            run = run[name]
        values.append(run)
    return statistics.median(values)


def figures(runs):
    """The medians of each server's runs and their ratio, as fields of a row."""
    row = {name: round(median_of(runs[name], "per_second")) for name in SERVERS}
    row["ratio"] = round(row["palena"] / row["redis"], 3)
    for name in SERVERS:
        share = round(median_of(runs[name], "client_cpu_share"), 3)
        row[f"{name}_client_cpu_share"] = share
        row[f"{name}_client_cpu_us"] = round(
            median_of(runs[name], "client_cpu_us_per_answer"), 3)
        row[f"{name}_client_bound"] = share >= CLIENT_BOUND
    return row


def compare_depth(comparison, palena, redis, depth):
    command = comparison.benchmark(redis)
    runs = {name: [] for name in SERVERS}
    benchmark = []
    for number, turns in alternating(subjects_of(comparison, palena, redis)):
        for server, what in turns:
            runs[server.name].append(measure(server, what, depth))
        requests = max(1000, int(runs["redis"][-1]["per_second"] * SECONDS))
        benchmark.append(servers.redis_benchmark(redis, command, "-n", requests, "-c", CONNECTIONS,
                                                 "-P", depth))
        step(f"  {comparison.name} depth {depth} round {number}/{ROUNDS}: {latest(runs)}, "
             f"redis-benchmark {per_second(benchmark[-1])}")
    row = {"depth": depth, **figures(runs)}
    row["redis_benchmark"] = round(statistics.median(benchmark))
    row["redis_to_redis_benchmark"] = round(row["redis"] / row["redis_benchmark"], 3)
    return row


def mark(row):
    bound = [name for name in SERVERS if row[f"{name}_client_bound"]]
    return f"client is the limit: {', '.join(bound)}" if bound else ""


def shares(row):
    return (f"{row['palena_client_cpu_share']:.2f} / {row['redis_client_cpu_share']:.2f} | "
            f"{row['palena_client_cpu_us']:.2f} / {row['redis_client_cpu_us']:.2f} µs")


def compare():
    report = {}
    with servers.scratch() as folder:
        for comparison in comparisons():
            step(f"{comparison.name}: starting both servers, {servers.KEYS:,} keys each")
            place = folder / comparison.name
            place.mkdir()
            with servers.Palena(place, CONNECTIONS) as palena, \
                    servers.Redis(place, CONNECTIONS, comparison.is_durable) as redis:
                preload(comparison, palena, redis)
                report[comparison.name] = [compare_depth(comparison, palena, redis, depth)
                                           for depth in DEPTHS]
    print("| | depth | palena | redis | ratio | redis-benchmark | ours to it | client CPU share |"
          " client CPU per answer | |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, rows in report.items():
        for row in rows:
            print(f"| {name} | {row['depth']} | {per_second(row['palena'])} | "
                  f"{per_second(row['redis'])} | {row['ratio']:.2f} | "
                  f"{per_second(row['redis_benchmark'])} | {row['redis_to_redis_benchmark']:.2f} | "
                  f"{shares(row)} | {mark(row)} |")
    return report


PERCENTILES = ("p50", "p99", "p99.9")


def latency_row(name, rate, runs):
    row = {"name": name, "rate": round(rate)}
    for percentile in PERCENTILES:
        row[percentile] = round(median_of(runs, "latency_us", percentile), 1)
    for percentile in ("p50", "p99", "max"):
        row[f"lateness_{percentile}"] = round(median_of(runs, "lateness_us", percentile), 1)
    row["answers_per_second"] = round(median_of(runs, "per_second"))
    row["client_cpu_share"] = round(median_of(runs, "client_cpu_share"), 3)
    row["generator_late"] = row["lateness_p99"] > LATE * row["p99"]
    row["server_behind"] = row["answers_per_second"] < BEHIND * row["rate"]
    return row


def latency_mark(row):
    """What stands between these figures and a reader's trust."""
    return ", ".join(
        ["the generator was late"] * row["generator_late"] + ["could not keep up"] *
        row["server_behind"])


def peak(server, what):
    """Of one request in flight a connection: what an open loop's requests are, each on its own."""
    runs = [measure(server, what, 1) for _ in range(3)]
    value = median_of(runs, "per_second")
    step(f"  {server.name}: peak at depth 1 {per_second(value)}")
    return value


def latency_rounds(subjects):
    runs = {name: [] for name, *_ in subjects}
    for number, turns in alternating(subjects):
        for name, server, what, rate in turns:
            runs[name].append(measure(server, what, 64, "--rate", rate))
            latency = runs[name][-1]["latency_us"]
            step(f"  round {number}/{ROUNDS}: {name} at {per_second(rate)}: " +
                 ", ".join(f"{p} {latency[p]:,.0f} µs" for p in PERCENTILES))
    return [latency_row(name, rate, runs[name]) for name, _, _, rate in subjects]


def latency():
    with servers.scratch() as folder:
        comparison = comparisons()[0]
        step("latency: starting both servers")
        with servers.Palena(folder, CONNECTIONS) as palena, \
                servers.Redis(folder, CONNECTIONS) as redis:
            preload(comparison, palena, redis)
            redis_half = peak(redis, comparison.redis) / 2
            palena_half = peak(palena, comparison.palena) / 2
            rows = latency_rounds([
                ("palena at half of redis's peak", palena, comparison.palena, redis_half),
                ("redis at half of its peak", redis, comparison.redis, redis_half),
                ("palena at half of its peak", palena, comparison.palena, palena_half)])
    print("| open loop | rate | p50 | p99 | p99.9 | the generator's own lateness p50 / p99 / max |"
          " client CPU share | |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['name']} | {per_second(row['rate'])} | " +
              " | ".join(f"{row[p]:,.0f} µs" for p in PERCENTILES) +
              f" | {row['lateness_p50']:,.1f} / {row['lateness_p99']:,.1f} / "
              f"{row['lateness_max']:,.0f} µs | {row['client_cpu_share']:.2f} | {latency_mark(row)} |")
    return {"fixed_window_vs_evalsha_get_set": rows}


def connection_counts():
    most = int(os.environ.get("CONNECTIONS_MAX", "10000"))
    files = servers.raise_open_files()
    if files < most + 200:
        step(f"connections: at most {files - 200}, since ulimit -Hn is {files}")
        most = files - 200
    return [count for count in (1, 10, 100, 1000, 10_000) if count < most] + [most]


def compare_connections(comparison, palena, redis, count):
    runs = {name: [] for name in SERVERS}
    for number, turns in alternating(subjects_of(comparison, palena, redis)):
        for server, what in turns:
            runs[server.name].append(measure(server, what, 1, connections=count))
        step(f"  {count:,} connections round {number}/{ROUNDS}: {latest(runs)}")
    row = {"connections": count, **figures(runs)}
    for name in SERVERS:
        for percentile in PERCENTILES:
            row[f"{name}_{percentile}"] = round(
                median_of(runs[name], "latency_us", percentile), 1)
    return row


def connections():
    counts = connection_counts()
    with servers.scratch() as folder:
        comparison = comparisons()[0]
        step("connections: starting both servers")
        with servers.Palena(folder, counts[-1]) as palena, \
                servers.Redis(folder, counts[-1]) as redis:
            preload(comparison, palena, redis)
            rows = [compare_connections(comparison, palena, redis, count) for count in counts]
    print("| connections | palena | redis | ratio | p99.9 palena / redis | client CPU share |"
          " client CPU per answer | |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['connections']:,} | {per_second(row['palena'])} | "
              f"{per_second(row['redis'])} | {row['ratio']:.2f} | {row['palena_p99.9']:,.0f} / "
              f"{row['redis_p99.9']:,.0f} µs | {shares(row)} | {mark(row)} |")
    return {"fixed_window_vs_evalsha_get_set": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", dest="part", action="store_const", const=latency)
    parser.add_argument("--connections", dest="part", action="store_const", const=connections)
    part = parser.parse_args().part or compare
    servers.stop_at_signals()
    servers.raise_open_files()
    if servers.SERVER_CPU == servers.CLIENT_CPU:
        step("one core only: server and generator share it, figures say little")
    try:
        report = part()
    except servers.BenchError as error:
        return servers.complain(error)
    except KeyboardInterrupt:
        return 130
    file = servers.BENCH / f"{part.__name__}.json"
    file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"\nmedians of {ROUNDS} rounds of {SECONDS} s, {servers.KEYS:,} keys: "
          f"{os.path.relpath(file)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
