"""examples/limited_service/ as it is: two instances that share a node."""

import concurrent.futures
import subprocess
import sys
import time
import unittest

import servers

EXAMPLE = servers.ROOT / "examples/limited_service"
USER_REFUSAL = "Dear user, you've reached your limit. Take a breath!"
GUEST_REFUSAL = "Guest limit reached. Please sign up for more quota!"
WINDOW_S = 10


class LimitedServiceTest(servers.ServersTest):
    def setUp(self):
        super().setUp()
        self.palena = self.start_palena("--limits", EXAMPLE / "limits.toml")
        self.service = self.start_service()

    def start_service(self, *flags):
        service = self.start(
            [sys.executable, EXAMPLE / "service.py", "--listen", "127.0.0.1:0",
             "--palena", self.palena.http, *flags],
            stdout=subprocess.PIPE,
        )
        return service.stdout.readline().split("listen=")[1].strip()

    def limited(self, headers=None, service=None):
        return servers.ask(service or self.service, "GET", "/Test/limited", headers)

    def assert_refused(self, answer, text):
        self.assertEqual(answer.status, 429)
        self.assertEqual(answer.body, text)
        self.assertIn(int(answer.headers["Retry-After"]), range(1, WINDOW_S + 1))

    def test_a_guest_gets_two_in_ten_seconds(self):
        for _ in range(2):
            self.assertEqual(self.limited().body, "This is a limited endpoint!")
        self.assert_refused(self.limited(), GUEST_REFUSAL)

    def test_a_user_has_a_count_of_their_own_and_another_text(self):
        for headers in ({"X-User-Id": "abc-123"}, {"Authorization": "Bearer secret"}):
            self.assertEqual([self.limited(headers).status for _ in range(2)], [200, 200])
            self.assert_refused(self.limited(headers), USER_REFUSAL)
        self.assertEqual(self.limited().status, 200)

    def test_the_unlimited_stays_so(self):
        for _ in range(20):
            answer = servers.ask(self.service, "GET", "/Test/unlimited")
            self.assertEqual(answer.body, "This is unlimited! Sky is the limit.")

    def test_the_count_has_the_key_of_its_parts(self):
        self.limited({"X-User-Id": "a:b/{c}%"})
        key = "rate_limit:user:a%3Ab/%7Bc%7D%25:/Test/limited"
        script = {"script": "eget @key", "params": {"key": key}}
        stored = servers.ask(self.palena.http, "POST", "/v1/execute", body=servers.json.dumps(script))
        self.assertEqual(stored.json()["type"], "get", stored.body)

    def test_two_instances_at_once_share_the_count(self):
        instances = [self.service, self.start_service()]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = pool.map(
                lambda i: self.limited({"X-User-Id": "shared"}, instances[i % 2]).status, range(40)
            )
        self.assertEqual(sorted(answers), [200] * 2 + [429] * 38)

    def test_whoever_waits_as_told_is_let_in(self):
        headers = {"X-User-Id": "patient"}
        while (answer := self.limited(headers)).status == 200:
            pass
        time.sleep(int(answer.headers["Retry-After"]))
        self.assertEqual(self.limited(headers).status, 200)

    def test_without_palena_it_does_as_it_was_told(self):
        is_open = self.start_service("--on-failure", "open")
        self.stop(self.palena)
        self.assertEqual(self.limited().status, 503)
        self.assertEqual(self.limited(service=is_open).status, 200)
        self.assertEqual(servers.ask(self.service, "GET", "/Test/unlimited").status, 200)


if __name__ == "__main__":
    unittest.main()
