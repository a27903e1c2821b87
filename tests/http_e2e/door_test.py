"""The HTTP door of a palenad as a process: curl's view of it, and its end."""

import concurrent.futures
import http.client
import json
import signal
import unittest

import servers


class DoorTest(servers.ServersTest):
    def execute(self, palena, script, **params):
        body = json.dumps({"script": script, "params": params})
        return servers.ask(palena.http, "POST", "/v1/execute", body=body)

    def test_answers_as_the_command_line_does(self):
        palena = self.start_palena("--shards", "2")
        self.execute(palena, "eset @k @v", k="a", v="é")
        over_http = self.execute(palena, "eget @k", k="a").json()
        command = [servers.BIN / "palena", "--connect", palena.listen, "eval", "eget @k", "-p",
                   "k=a", "--json"]
        printed = json.loads(servers.subprocess.check_output(command, text=True))
        for answer in (over_http, printed):
            del answer["stamp"]
        self.assertEqual(over_http, printed)

    def test_while_it_drains_it_is_not_ready_and_refuses_but_finishes(self):
        palena = self.start_palena("--shards", "2")
        probe = http.client.HTTPConnection(palena.http, timeout=servers.PATIENCE_S)
        self.addCleanup(probe.close)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            slow = pool.submit(self.execute, palena, "eset started 1 sleep 3000 return 7")
            while "palena_sleeps_total 1\n" not in self.ask_on(probe, "/metrics")[1]:
                pass
            self.assertEqual(self.ask_on(probe, "/readyz"), (200, "ready\n"))
            palena.send_signal(signal.SIGTERM)
            while (status := self.ask_on(probe, "/readyz")[0]) == 200:
                pass
            self.assertEqual(status, 503)
            self.assertEqual(self.ask_on(probe, "/healthz")[0], 200)
            refused = self.execute(palena, "return 1")
            self.assertEqual((refused.status, refused.json()["code"]), (503, "DRAINING"))
            self.assertEqual(refused.headers["Connection"], "close")
            self.assertEqual(slow.result().json()["values"][0]["value"], "7")
        self.assertEqual(palena.wait(servers.PATIENCE_S), 0)

    @staticmethod
    def ask_on(connection, target):
        connection.request("GET", target)
        response = connection.getresponse()
        return response.status, response.read().decode()


if __name__ == "__main__":
    unittest.main()
