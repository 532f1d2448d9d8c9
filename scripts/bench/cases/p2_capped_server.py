"""A server that gives each connection less than the link has: who finds out, and asks with more than one?"""

import os

import inputs
from cases import p1_large_file
from measure import run
from servers import Nginx

WHAT = "fetch 256 MB from a server that gives each connection 20 MB/s, four connections at most"
RATE = 20_000_000


def measure_case(bench):
    root = bench.place("root")
    digest = inputs.noise(os.path.join(root, "large"), bench.sized(256_000_000, 32_000_000))
    with Nginx(root, bench.place("nginx"), rate=RATE) as server:
        address = f"{server.address}large"
        series = bench.in_turn(
            p1_large_file.contestants(bench, root, address, digest, aria2=("-x4", "-s4", "-k1M")) + [
                p1_large_file.file_contestant(
                    root, "axel -n4", lambda path: run("axel", "-q", "-n", 4, "-o", path, address)),
            ])
    bench.compare_with_best(series, "ours", ["aria2", "axel -n4"], "best")
    bench.compare(series, "ours", "curl", None)
