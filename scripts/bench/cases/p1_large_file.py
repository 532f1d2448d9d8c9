"""One large file over loopback, where the disk and the processor decide. Ours verifies its SHA-256 on the way."""

import os

import inputs
from measure import Contestant, Wrong, output, run
from servers import Nginx

WHAT = "fetch one file of 1 GiB, verified on the way; by the peers not, except where sha256sum follows"


def measure_case(bench):
    size = bench.sized(1 << 30, 16 << 20)
    root = bench.place("root")
    digest = inputs.noise(os.path.join(root, "large"), size)
    with Nginx(root, bench.place("nginx")) as server:
        address = f"{server.address}large"
        series = bench.in_turn(contestants(bench, root, address, digest) + [
            file_contestant(root, "wget2", lambda path: run("wget2", "-q", "-O", path, address)),
            file_contestant(root, "wget2, then sha256sum", lambda path: fetch_and_verify(path, address, digest)),
            file_contestant(root, "floor: verified in C", lambda path: run(bench.peer("fetch-verified"), address, path, digest)),
            file_contestant(root, "floor: cp", lambda path: run("cp", os.path.join(root, "large"), path)),
        ])
    bench.compare(series, "ours", "wget2", "wget2")
    bench.compare(series, "ours", "wget2, then sha256sum", "verified")
    for peer in ("curl", "aria2", "floor: verified in C", "floor: cp"):
        bench.compare(series, "ours", peer, None)


def fetch_and_verify(path, address, digest):
    run("wget2", "-q", "-O", path, address)
    if output("sha256sum", path).split()[0].decode() != digest:
        raise Wrong("the file has another hash")


def contestants(bench, root, address, digest, aria2=()):
    return [
        file_contestant(root, "ours", lambda path: run(
            bench.program("storectl"), "fetch", "--quiet", "--sha256", digest, "--output", path, address)),
        file_contestant(root, "curl", lambda path: run("curl", "-sS", "--fail", "-o", path, address)),
        file_contestant(root, "aria2", lambda path: run(
            "aria2c", "-q", "--file-allocation=none", *aria2, "-d", os.path.dirname(path), "-o", os.path.basename(path), address)),
    ]


def file_contestant(root, name, work):
    """A contestant that fetches the file, which is then compared byte by byte with the original, and removed."""
    def path(folder):
        return os.path.join(folder, "file")

    def check(folder):
        run("cmp", os.path.join(root, "large"), path(folder))
        os.remove(path(folder))

    return Contestant(name, lambda folder: work(path(folder)), after=check)
