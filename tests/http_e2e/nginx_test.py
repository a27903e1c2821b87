"""examples/nginx/ as it is, but for the ports: a real nginx that asks a real node."""

import shutil
import time
import unittest

import servers

EXAMPLE = servers.ROOT / "examples/nginx"


class NginxTest(servers.ServersTest):
    def start_nginx(self, palena_address, on_failure="closed"):
        prefix = self.folder / "nginx"
        shutil.copytree(EXAMPLE, prefix)
        self.folder.chmod(0o755)  # for nginx's worker, which is nobody when we are root
        (prefix / "logs").mkdir()  # where nginx wants to complain before it knows better
        address = f"127.0.0.1:{servers.free_port()}"
        conf = (prefix / "nginx.conf").read_text()
        for old, new in (
            ("127.0.0.1:7480", palena_address),
            ("127.0.0.1:8080", address),
            ("include fail_closed.conf;", f"include fail_{on_failure}.conf;"),
        ):
            self.assertEqual(conf.count(old), 1, old)
            conf = conf.replace(old, new)
        for scratch in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
            conf = conf.replace("http {", f"http {{ {scratch}_temp_path {scratch};", 1)
        (prefix / "nginx.conf").write_text("daemon off;\n" + conf)
        self.start([shutil.which("nginx") or "/usr/sbin/nginx", "-p", prefix, "-c", "nginx.conf"])
        self.wait_for_port(address)
        return address

    def start_palena(self):
        return super().start_palena("--limits", EXAMPLE / "limits.toml")

    def test_ten_requests_pass_and_the_eleventh_is_told_when_to_come_again(self):
        nginx = self.start_nginx(self.start_palena().http)
        self.wait_for_window(60, margin_s=10)
        for left in range(9, -1, -1):
            passed = servers.ask(nginx, "GET", "/")
            self.assertEqual(passed.status, 200, passed.body)
            self.assertIn("This page is limited.", passed.body)
            self.assertEqual(passed.headers["RateLimit-Policy"], '"page";q=10;w=60')
            self.assertRegex(passed.headers["RateLimit"], rf'^"page";r={left};t=[1-9]\d?$')
        left_s = 60 - time.time() % 60
        refused = servers.ask(nginx, "GET", "/")
        self.assertEqual(refused.status, 429)
        self.assertEqual(refused.body, "Too many requests.\n")
        self.assertRegex(refused.headers["RateLimit"], r'^"page";r=0;t=\d+$')
        wait_s = int(refused.headers["Retry-After"])
        self.assertLessEqual(abs(wait_s - left_s), 2)

    def test_a_client_cannot_write_itself_another_limit(self):
        nginx = self.start_nginx(self.start_palena().http)
        self.wait_for_window(60, margin_s=10)
        statuses = [
            servers.ask(nginx, "GET", f"/?subject=x{i}&cost=0",
                        {"Palena-Part-subject": f"x{i}", "X-Forwarded-For": f"10.0.0.{i}"}).status
            for i in range(11)
        ]
        self.assertEqual(statuses, [200] * 10 + [429])

    def test_a_page_that_is_forbidden_is_not_too_much(self):
        nginx = self.start_nginx(self.start_palena().http)
        secret = self.folder / "nginx/html/secret.html"
        secret.write_text("not for nginx")
        secret.chmod(0)
        self.assertEqual(servers.ask(nginx, "GET", "/secret.html").status, 403)

    def test_closed_means_that_nobody_passes_without_palena(self):
        palena = self.start_palena()
        nginx = self.start_nginx(palena.http, on_failure="closed")
        self.assertEqual(servers.ask(nginx, "GET", "/").status, 200)
        self.stop(palena)
        refused = servers.ask(nginx, "GET", "/")
        self.assertEqual(refused.status, 503)
        self.assertIn("Cannot tell", refused.body)

    def test_open_means_that_everybody_passes_without_palena(self):
        palena = self.start_palena()
        nginx = self.start_nginx(palena.http, on_failure="open")
        self.assertEqual(servers.ask(nginx, "GET", "/").status, 200)
        self.stop(palena)
        for _ in range(12):
            self.assertEqual(servers.ask(nginx, "GET", "/").status, 200)


if __name__ == "__main__":
    unittest.main()
