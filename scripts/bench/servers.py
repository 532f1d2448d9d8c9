"""The servers of the cases: nginx with the files of a store, a proxy that is distant or slow, and the daemon."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import typing

from measure import Wrong, output


def until(condition, what, limit=30):
    """Waits until a condition is true; raises Wrong after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Wrong(f"{what} took more than {limit} s")
        time.sleep(0.01)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Nginx:
    """A context manager that runs nginx on loopback and serves a directory; `address` is its URL."""

    def __init__(self, root, place, rate=None, tls=False, own_limits=False):
        """
        - rate: bytes a second for each request (nginx's `limit_rate`). `Delay` can limit a connection.
        - tls: HTTP/2 over TLS, with a self-signed certificate (`certificate`).
        - own_limits: nginx's default limit of requests on one connection, instead of a limit that is never reached.
        """
        self.place, self.port, self.log = place, free_port(), os.path.join(place, "access.log")
        self.certificate = os.path.join(place, "certificate.pem") if tls else None
        self.address = self.address_at(self.port)
        listen = f"{self.port} ssl http2" if tls else str(self.port)
        options = [f"limit_rate {rate};" if rate else "", "" if own_limits else "keepalive_requests 100000;"]
        if tls:
            self.make_certificate()
            options.append(f"ssl_certificate {self.certificate}; ssl_certificate_key {place}/key.pem;")
        user = "user root;" if os.getuid() == 0 else ""
        self.configuration = os.path.join(place, "nginx.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(f"""
                daemon off; {user} pid {place}/pid; error_log {place}/error.log; worker_processes 1;
                events {{ worker_connections 1024; }}
                http {{
                  log_format short "$status $request_uri $server_protocol";
                  access_log {self.log} short; sendfile on; client_body_temp_path {place}/b;
                  proxy_temp_path {place}/p; fastcgi_temp_path {place}/f; uwsgi_temp_path {place}/u;
                  scgi_temp_path {place}/s; types {{ application/json json; application/zip zip; text/html html; text/css css;
                    image/svg+xml svg; }}
                  server {{ listen 127.0.0.1:{listen}; root {root}; {" ".join(options)} }}
                }}""")

    def address_at(self, port):
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{port}/"

    def make_certificate(self):
        output("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
               "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
               "-keyout", f"{self.place}/key.pem", "-out", self.certificate)

    def requests(self):
        """Returns the requests so far, each as status, path and protocol."""
        with open(self.log, encoding="utf-8") as file:
            return [tuple(line.split()) for line in file]

    def __enter__(self):
        self.server = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", self.place, "-e", f"{self.place}/error.log", "-c", self.configuration])

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers, "the start of nginx")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


class Traffic(typing.NamedTuple):
    """What a proxy has passed on since its start; `at_once` is the only number that counts from the call before."""

    connections: int
    from_clients: int
    to_clients: int
    # The largest number of connections that were open at the same time.
    at_once: int


class Delay:
    """A context manager that runs a proxy in front of a server, with a round trip or a rate; `address` is its URL."""

    def __init__(self, bench, server, round_trip=100, rate=None):
        """
        - round_trip: in milliseconds.
        - rate: bytes a second that each connection receives at most, over its whole life.
        """
        self.program = [bench.peer("delay"), str(server.port), str(round_trip), *([str(rate)] if rate else [])]
        self.server = server

    def passed_on(self):
        """Returns the traffic so far."""
        self.process.send_signal(signal.SIGUSR1)
        return Traffic(*(int(word) for word in self.process.stdout.readline().split()))

    def __enter__(self):
        self.process = subprocess.Popen(self.program, stdout=subprocess.PIPE)
        self.address = self.server.address_at(int(self.process.stdout.readline()))
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Home:
    """A context manager for a home directory with a running daemon."""

    def __init__(self, bench, path, **settings):
        """- settings: named as their environment variables, without the prefix `STORECTL_`."""
        self.bench, self.path = bench, path
        self.environment = os.environ | {f"STORECTL_{name}": str(value) for name, value in settings.items()}
        self.trash = os.path.join(path, "data/trash")
        self.packs = os.path.join(path, "data/packs")
        self.start()

    def start(self):
        self.daemon = subprocess.Popen(
            [self.bench.program("stored"), "--home", self.path, "--idle-timeout", "0", "--log-level", "error"],
            env=self.environment)
        until(self.answers, "the start of the daemon")
        self.profile = self.bench.profile(self.daemon.pid, self.path)

    def end(self):
        profile, self.profile = self.profile, None
        if profile:
            profile.stop()
        self.daemon.terminate()
        self.daemon.wait()

    def restart(self):
        """Starts another daemon in place of the present one, without its open connections and its memory."""
        self.end()
        self.start()

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
        return unix_connection(os.path.join(self.path, "run"))

    def storectl(self, *words):
        return output(self.bench.program("storectl"), "--home", self.path, *words)

    def memory(self, name):
        """Returns a value of /proc/PID/status in bytes: `RssAnon` is the present memory, `VmHWM` the peak so far."""
        with open(f"/proc/{self.daemon.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(f"{name}:"))

    def read_calls(self):
        """Returns how many system calls the daemon has made so far to read from files and sockets."""
        with open(f"/proc/{self.daemon.pid}/io", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("syscr:"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def unix_connection(run_folder):
    connection = socket.socket(socket.AF_UNIX)
    try:
        # The path in a socket's address has at most 108 bytes; the path through the descriptor is always short enough.
        folder = os.open(run_folder, os.O_PATH)
        try:
            connection.connect(f"/proc/self/fd/{folder}/stored.sock")
        finally:
            os.close(folder)
    except OSError:
        connection.close()
        raise
    return connection


def exchange(connection, method, path, body=""):
    """Sends a request and returns its response; an HTTP library would take as long as the daemon itself."""
    request(connection, method, path, body)
    return answer(connection)


def request(connection, method, path, body=""):
    length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: stored\r\n{length}\r\n{body}".encode())


def answer(connection):
    """Reads a response and returns its status and its body."""
    read = b""
    while b"\r\n\r\n" not in read:
        read += more(connection)
    head, _, body = read.partition(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: *(\d+)", head)
    # A response with the status 204 has no length.
    length = int(found.group(1)) if found else 0
    while len(body) < length:
        body += more(connection)
    return int(head.split()[1]), body


def more(connection):
    bytes_read = connection.recv(1 << 20)
    if not bytes_read:
        raise OSError("the daemon hung up")
    return bytes_read
