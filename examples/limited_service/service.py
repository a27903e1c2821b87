"""A web service that limits /Test/limited to 2 requests per 10 seconds and caller, and leaves
/Test/unlimited alone. The count is in Palena, so any number of instances share it.

    build/release/bin/palenad --http 127.0.0.1:7480 --limits examples/limited_service/limits.toml
    python3 examples/limited_service/service.py --listen 127.0.0.1:8081 --palena 127.0.0.1:7480
"""

import argparse
import hashlib
import http.client
import json
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Where a limited path finds its limit, and what it answers.
LIMITED = {"/Test/limited": ("limited", "This is a limited endpoint!")}
UNLIMITED = {"/Test/unlimited": "This is unlimited! Sky is the limit."}

REFUSALS = {
    "user": "Dear user, you've reached your limit. Take a breath!",
    "guest": "Guest limit reached. Please sign up for more quota!",
}


class Palena:
    """Asks a node over HTTP."""

    def __init__(self, address, timeout_s=1.0):
        self.address, self.timeout_s = address, timeout_s

    def take(self, limit, parts):
        """(allowed, seconds to wait or None). OSError or HTTPException: nobody knows. A take that
        failed is not sent again, since it may have been counted."""
        connection = http.client.HTTPConnection(self.address, timeout=self.timeout_s)
        try:
            connection.request("POST", f"/v1/limits/{limit}/take?" + urllib.parse.urlencode(parts))
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        if response.status not in (200, 429):
            raise http.client.HTTPException(f"{response.status}: {body!r}")
        return json.loads(body)["allowed"], response.headers["Retry-After"]


def caller_of(handler):
    """Who asks: (user_type, identity). A real service checks credentials first; what it then
    knows of the user stands here. Credentials themselves never become part of a key."""
    if user := handler.headers.get("X-User-Id"):
        return "user", user
    if credentials := handler.headers.get("Authorization"):
        return "user", hashlib.sha256(credentials.encode()).hexdigest()[:32]
    return "guest", handler.client_address[0]


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path in UNLIMITED:
            return self.answer(200, UNLIMITED[path])
        if path not in LIMITED:
            return self.answer(404, "There is no such page.")
        limit, text = LIMITED[path]
        user_type, identity = caller_of(self)
        try:
            allowed, wait_s = self.server.palena.take(
                limit, {"user_type": user_type, "subject": identity, "path": path}
            )
        except (OSError, http.client.HTTPException):
            if self.server.fails_open:
                return self.answer(200, text)
            return self.answer(503, "Cannot tell now whether this is too much.")
        if allowed:
            return self.answer(200, text)
        headers = {"Retry-After": wait_s} if wait_s else {}
        return self.answer(429, REFUSALS[user_type], headers)

    def answer(self, status, text, headers=None):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--listen", default="127.0.0.1:8081", help="port 0 picks a free one")
    parser.add_argument("--palena", default="127.0.0.1:7480", help="the node's --http address")
    parser.add_argument("--on-failure", choices=("open", "closed"), default="closed",
                        help="what is done with callers while the node cannot be asked")
    flags = parser.parse_args()
    host, _, port = flags.listen.rpartition(":")
    server = ThreadingHTTPServer((host, int(port)), Service)
    server.palena = Palena(flags.palena)
    server.fails_open = flags.on_failure == "open"
    print(f"ready listen={host}:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
