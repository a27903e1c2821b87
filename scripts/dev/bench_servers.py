"""The two servers that are compared, and the clients that measure them. Server and client each run
on a core of their own. Whatever ends the script, Ctrl-C included, ends the servers too."""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("BIN", ROOT / "build/release/bin"))
BENCH = pathlib.Path(os.environ.get("OUT", ROOT / "build/bench"))
KEYS = int(os.environ.get("KEYS", "100000"))
START_SECONDS_MAX = 60


class BenchError(Exception):
    """A measurement that must not be reported: says why."""


def cores():
    """(server's, client's): two different ones where there are two."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[min(1, len(usable) - 1)]


SERVER_CPU, CLIENT_CPU = cores()


def pinned(cpu, command):
    return ["taskset", "--cpu-list", str(cpu), *map(str, command)]


def raise_open_files():
    """Ten thousand connections need as many descriptors on either side."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def stop_at_signals():
    """Ctrl-C raises KeyboardInterrupt by itself; TERM and HUP shall clean up as well."""

    def stop(number, _frame):
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


@contextlib.contextmanager
def scratch():
    """A folder beside the build, so that both servers' data are on its file system."""
    BENCH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="data.", dir=BENCH) as folder:
        yield pathlib.Path(folder)


def run(command):
    """Standard output of a client that must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        what = (done.stderr.strip() or done.stdout.strip())[-2000:]
        raise BenchError(f"{' '.join(map(str, command))}\nended with {done.returncode}: {what}")
    return done.stdout


class Server:
    """One server process; `address` is HOST:PORT."""

    name = "?"
    address = ""

    def __init__(self, command, log):
        self._log = log
        with open(log, "w", encoding="utf-8") as said:
            self._process = subprocess.Popen(
                pinned(SERVER_CPU, command), stdout=said, stderr=subprocess.STDOUT)

    def __enter__(self):
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def cpu_seconds(self):
        """What the process has used so far, in steps of the kernel's clock tick."""
        fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _said(self):
        return pathlib.Path(self._log).read_text(encoding="utf-8", errors="replace")

    def _wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise BenchError(f"{self.name} did not start:\n{self._said()[-2000:]}")
            time.sleep(0.02)

    def _is_ready(self):
        raise NotImplementedError


class Palena(Server):
    name = "palena"

    def __init__(self, folder, connections_max):
        super().__init__(
            [BIN / "palenad", "--listen", "127.0.0.1:0", "--data-dir", folder / "palena",
             "--shards", 1, "--max-connections", connections_max + 10], folder / "palena.log")

    def _is_ready(self):
        found = re.search(r"^ready listen=(\S+) .*\n", self._said(), re.M)
        self.address = found.group(1) if found else ""
        return bool(found)


def free_port():
    """Redis takes no port 0. Another program may take this one first: then Redis says so."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis(Server):
    name = "redis"

    def __init__(self, folder, connections_max, is_durable=False):
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        data = folder / "redis"
        data.mkdir()
        # A rewrite of the log in the middle of a run would be Redis's loss for nothing.
        durable = ["--appendonly", "yes", "--appendfsync", "always",
                   "--auto-aof-rewrite-percentage", 0]
        super().__init__(
            ["redis-server", "--port", self.port, "--bind", "127.0.0.1", "--dir", data,
             "--save", "", "--maxclients", connections_max + 10, "--daemonize", "no",
             *(durable if is_durable else ["--appendonly", "no"])], folder / "redis.log")

    def _is_ready(self):
        return "Ready to accept connections" in self._said()


def palena_bench(server, what, *flags):
    """One run of our generator; `what` are the flags that say what to ask."""
    command = pinned(CLIENT_CPU, [BIN / "palena-bench", "--connect", server.address, "--target",
                                  server.name, *what, "--keys", KEYS, "--json", *flags])
    result = json.loads(run(command))
    if result["failed"] or result["lost"]:
        raise BenchError(f"{server.name}: {result['failed']} failed, {result['lost']} lost: "
                         f"{result['first_failure']}")
    return result


def redis_benchmark(server, command, *flags):
    """Requests a second that Redis's own generator sees, with keys of another database, so that
    its keys, which are longer, are no burden to ours."""
    said = run(pinned(CLIENT_CPU, ["redis-benchmark", "-h", "127.0.0.1", "-p", server.port,
                                   "--dbnum", 1, "-r", KEYS, "--csv", *flags, *command]))
    rows = list(csv.DictReader(io.StringIO(said)))
    if len(rows) != 1:
        raise BenchError(f"redis-benchmark said: {said}")
    return float(rows[0]["rps"])


def script_sha(server, file):
    """The name under which Redis knows the script from now on."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    return run(["redis-cli", "-h", "127.0.0.1", "-p", server.port, "SCRIPT", "LOAD", text]).strip()


def complain(error):
    print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
    return 1
