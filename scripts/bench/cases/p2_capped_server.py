"""Fetching a large file from a server that limits each connection, so that several connections are faster."""

import os

import inputs
from cases import p1_large_file
from measure import Contestant, Wrong, run
from servers import Delay, Nginx

WHAT = "fetch 256 MB from a server that gives each connection 20 MB/s, four connections at most"
RATE = 20_000_000
CONNECTIONS = 4


def measure_case(bench):
    size = bench.sized(256_000_000, 32_000_000)
    root = bench.place("root")
    digest = inputs.noise(os.path.join(root, "large"), size)
    at_once, opened = [], []
    # The proxy limits each connection over its whole life. The limit_rate of nginx applies to each request anew and
    # sends the first bytes of each without a limit, so that a client would gain by requesting smaller ranges.
    with (Nginx(root, bench.place("nginx")) as server,
          Delay(bench, server, round_trip=0, rate=RATE) as proxy):
        address = f"{proxy.address}large"
        ours, *peers = p1_large_file.contestants(bench, root, address, digest, aria2=("-x4", "-s4", "-k1M"))
        series = bench.in_turn([
            counting_connections(ours, proxy, at_once, opened), *peers,
            p1_large_file.file_contestant(
                root, "axel -n4", lambda path: run("axel", "-q", "-n", CONNECTIONS, "-o", path, address)),
        ])
    check_limit(series, size)
    bench.compare_with_best(series, "ours", ["aria2", "axel -n4"], "best")
    bench.compare(series, "ours", "curl", None)
    # Without the warm-up.
    bench.find("connections of ours, at once", at_once[-bench.rounds:], None)
    bench.find("connections of ours, one after another included", opened[-bench.rounds:], None)


def counting_connections(contestant, proxy, at_once, opened):
    """Returns the same contestant, which also appends the numbers of its connections to the two lists in each round."""
    earlier = []

    def before(folder):
        contestant.before(folder)
        earlier[:] = [proxy.passed_on()]

    def after(folder):
        traffic = proxy.passed_on()
        contestant.after(folder)
        if traffic.at_once > CONNECTIONS:
            raise Wrong(f"{contestant.name} had {traffic.at_once} connections at once")
        at_once.append(traffic.at_once)
        opened.append(traffic.connections - earlier[0].connections)

    return Contestant(contestant.name, contestant.work, before, after)


def check_limit(series, size):
    """Raises Wrong if a contestant was faster than the rate of its connections allows; curl has one connection."""
    for name, took in series.items():
        least = 0.95 * size / RATE / (1 if name == "curl" else CONNECTIONS)
        if min(took) < least:
            raise Wrong(f"{name} took {min(took):.3f} s, but at the server's rate it takes at least {least:.3f} s")
