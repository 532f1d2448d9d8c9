"""Fetching one large file over loopback, which is faster than the disk; only ours verifies it meanwhile."""

import os

import inputs
from measure import Contestant, run
from servers import Nginx

WHAT = "fetch one file of 1 GiB, verified on the way (by the peers not)"


def measure_case(bench):
    size = bench.sized(1 << 30, 16 << 20)
    root = bench.place("root")
    digest = inputs.noise(os.path.join(root, "large"), size)
    with Nginx(root, bench.place("nginx")) as server:
        address = f"{server.address}large"
        series = bench.in_turn(contestants(bench, root, address, digest) + [
            file_contestant(root, "wget2", lambda path: run("wget2", "-q", "-O", path, address)),
            file_contestant(root, "floor: cp", lambda path: run("cp", os.path.join(root, "large"), path)),
        ])
    bench.compare_with_best(series, "ours", ["curl", "aria2", "wget2"], "fastest")
    bench.compare(series, "ours", "floor: cp", None)


def contestants(bench, root, address, digest, aria2=()):
    """Returns ours, curl and aria2, which fetch `address`, the file `large` in `root`.

    - digest: SHA-256 of the file.
    - aria2: additional options of aria2.
    """
    return [
        file_contestant(root, "ours", lambda path: run(
            bench.program("storectl"), "fetch", "--quiet", "--sha256", digest, "--output", path, address)),
        file_contestant(root, "curl", lambda path: run("curl", "-sS", "--fail", "-o", path, address)),
        file_contestant(root, "aria2", lambda path: run(
            "aria2c", "-q", *aria2, "-d", os.path.dirname(path), "-o", os.path.basename(path), address)),
    ]


def file_contestant(root, name, work):
    """Returns a contestant that creates a copy of the file `large` in `root`; the copy is compared, then removed.

    - work: is called with the path of the copy.
    """
    def path(folder):
        return os.path.join(folder, "file")

    def check(folder):
        run("cmp", os.path.join(root, "large"), path(folder))
        os.remove(path(folder))

    return Contestant(name, lambda folder: work(path(folder)), after=check)
