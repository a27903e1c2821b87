"""What the tests of this folder start: programs as children, on ports that were free, in a folder
of the test. Each is stopped by its own process id."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("PALENA_BIN", ROOT / "build/release/bin"))
PATIENCE_S = 60


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.read().decode()

    def json(self):
        return json.loads(self.body)


def ask(address, method, target, headers=None, body=None):
    connection = http.client.HTTPConnection(address, timeout=PATIENCE_S)
    try:
        connection.request(method, target, body=body, headers=headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ServersTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="palena-http-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, command, **options):
        process = subprocess.Popen([str(word) for word in command], text=True, **options)
        self.addCleanup(self.stop, process)
        return process

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout:
            process.stdout.close()

    def start_palena(self, *flags):
        """A node with HTTP; `palena.http` is where."""
        folder = tempfile.mkdtemp(dir=self.folder)
        palena = self.start(
            [BIN / "palenad", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
             "--data-dir", folder, *flags],
            stdout=subprocess.PIPE,
        )
        ready = palena.stdout.readline()
        palena.http = re.search(r" http=(\S+)", ready)[1]
        palena.listen = re.search(r" listen=(\S+)", ready)[1]
        return palena

    def wait_for_port(self, address):
        """Until somebody accepts there."""
        host, port = address.split(":")
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                return socket.create_connection((host, int(port)), timeout=1).close()
            except OSError:
                time.sleep(0.02)
        self.fail(f"nobody accepts at {address}")

    def wait_for_window(self, window_s, margin_s):
        """Until at least `margin_s` of a fixed window are left."""
        left_s = window_s - time.time() % window_s
        if left_s < margin_s:
            time.sleep(left_s + 0.05)
