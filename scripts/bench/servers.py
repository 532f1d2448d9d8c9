"""What is asked while a case runs: a web server for packs, and the daemon of a home."""

import contextlib
import http.client
import json
import os
import socket
import subprocess
import time

from measure import Wrong, output


def until(condition, what, limit=30):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Wrong(f"{what} took more than {limit} s")
        time.sleep(0.01)


@contextlib.contextmanager
def nginx(root, place):
    """Serves a folder on loopback; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    user = "user root;" if os.getuid() == 0 else ""
    configuration = os.path.join(place, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(f"""
            daemon off; {user} pid {place}/pid; error_log {place}/error.log; worker_processes 1;
            events {{ worker_connections 1024; }}
            http {{
              access_log off; sendfile on; keepalive_requests 100000; client_body_temp_path {place}/b;
              proxy_temp_path {place}/p; fastcgi_temp_path {place}/f; uwsgi_temp_path {place}/u;
              scgi_temp_path {place}/s; types {{ application/json json; application/zip zip; }}
              server {{ listen 127.0.0.1:{port}; root {root}; }}
            }}""")
    server = subprocess.Popen(["/usr/sbin/nginx", "-p", place, "-e", f"{place}/error.log", "-c", configuration])

    def answers():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(answers, "the start of nginx")
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


class Home:
    """A home of its own with its daemon."""

    def __init__(self, bench, path):
        self.bench, self.path = bench, path
        self.trash = os.path.join(path, "data/trash")
        self.packs = os.path.join(path, "data/packs")
        self.daemon = subprocess.Popen(
            [bench.program("stored"), "--home", path, "--idle-timeout", "0", "--log-level", "error"])
        until(self.answers, "the start of the daemon")

    def answers(self):
        try:
            return self.ask("GET", "/v1/status") is not None
        except (OSError, http.client.HTTPException):
            return False

    def ask(self, method, path):
        connection = UnixConnection(os.path.join(self.path, "run/stored.sock"))
        try:
            connection.request(method, path)
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        if response.status >= 300:
            raise Wrong(f"{method} {path}: {response.status} {body.decode(errors='replace')}")
        return json.loads(body) if body else {}

    def storectl(self, *words):
        return output(self.bench.program("storectl"), "--home", self.path, *words)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.terminate()
        self.daemon.wait()


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("stored")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        # An address holds 108 bytes, and a link to the folder any number.
        folder = os.open(os.path.dirname(self.path), os.O_PATH)
        try:
            self.sock.connect(f"/proc/self/fd/{folder}/{os.path.basename(self.path)}")
        finally:
            os.close(folder)
