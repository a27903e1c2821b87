"""The page /metrics of a real node passes Prometheus's own checker."""

import subprocess
import unittest

import servers


class MetricsTest(servers.ServersTest):
    def test_promtool_finds_nothing_to_complain_about(self):
        limits = servers.ROOT / "examples/nginx/limits.toml"
        palena = self.start_palena("--limits", limits)
        for _ in range(11):
            servers.ask(palena.http, "POST", "/v1/limits/page/take?subject=a%22b")
        page = servers.ask(palena.http, "GET", "/metrics").body
        self.assertIn('palena_limit_takes_total{limit="page",outcome="denied"} 1\n', page)
        self.assertIn('palena_connections_accepted_total{door="native"} 0\n', page)
        checked = subprocess.run(["promtool", "check", "metrics"], input=page, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
