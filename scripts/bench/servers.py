"""What is asked while a case runs: a web server for packs, and the daemon of a home."""

import contextlib
import json
import os
import re
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
        except OSError:
            return False

    def ask(self, method, path):
        with self.connect() as connection:
            status, body = exchange(connection, method, path)
        if status >= 300:
            raise Wrong(f"{method} {path}: {status} {body.decode(errors='replace')}")
        return json.loads(body) if body else {}

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        # An address holds 108 bytes, and a link to the folder any number.
        folder = os.open(os.path.join(self.path, "run"), os.O_PATH)
        try:
            connection.connect(f"/proc/self/fd/{folder}/stored.sock")
        except OSError:
            connection.close()
            raise
        finally:
            os.close(folder)
        return connection

    def storectl(self, *words):
        return output(self.bench.program("storectl"), "--home", self.path, *words)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.terminate()
        self.daemon.wait()


def exchange(connection, method, path):
    """One request and its answer, without a library that would take as long as the daemon."""
    connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: stored\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += more(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
    while len(body) < length:
        body += more(connection)
    return int(head.split()[1]), body


def more(connection):
    bytes_read = connection.recv(1 << 20)
    if not bytes_read:
        raise OSError("the daemon hung up")
    return bytes_read
