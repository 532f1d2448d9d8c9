"""How time and memory grow with the number of packs, and with the size of a file."""

import collections
import json
import math
import os
import time

import inputs
from cases import p3_install
from measure import Wrong, output, seconds, settle
from servers import Home, Nginx

WHAT = "how time and memory grow: 10 to 10,000 packs installed, files of 1 MB to 4 GB fetched"
PACKS = [10, 100, 1_000, 10_000]
Installed = collections.namedtuple("Installed", ["took", "memory", "listed", "peak"])
SIZES = [10**6, 16 * 10**6, 256 * 10**6, 10**9, 4 * 10**9]


def measure_case(bench):
    grow_packs(bench, bench.sized(PACKS, [5, 10, 20]))
    grow_files(bench, bench.sized(SIZES, [10**6, 4 * 10**6, 16 * 10**6]))


def exponent(amounts, times):
    """Returns the exponent with which the time grows between the two largest amounts, where the cost of a start counts
    little."""
    return math.log(times[-1] / times[-2]) / math.log(amounts[-1] / amounts[-2])


def grow_packs(bench, counts):
    store = p3_install.make_store(bench, p3_install.names(counts[-1]))
    rounds, memory, peak = [], [], []
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server:
        for number in range(bench.sized(3, 1)):
            measured = [install(bench, server.address, count, f"{number}-{count}") for count in counts]
            rounds.append(exponent(counts, [one.took for one in measured]))
            memory.append((measured[-1].memory - measured[0].memory) / 1e6)
            peak.append(measured[-1].peak / 1e6)
    bench.find(f"exponent of the time, {counts[-2]:,} to {counts[-1]:,} packs", rounds, "packs")
    bench.find(f"memory of the daemon at rest with {counts[-1]:,} packs, more than with {counts[0]}", memory, "memory",
               unit=" MB")
    # What the daemon knows of them, as its interface describes it.
    bench.find(f"the list of {counts[-1]:,} packs as JSON", [measured[-1].listed / 1e6], None, unit=" MB")
    bench.find(f"the most while it installs {counts[-1]:,} packs", peak, "installing",
               unit=" MB")


def install(bench, address, count, name):
    """- Returns: the seconds it took; the memory of a daemon that then starts and has listed the packs, and the bytes of that
    list; the most memory of the daemon that has installed them."""
    path = bench.place(f"home-{name}")
    with Home(bench, path) as home:
        home.storectl("store", "add", "bench", address, "--unsigned")
        start = time.perf_counter()
        home.storectl("install", "--quiet", *p3_install.names(count))
        took = time.perf_counter() - start
        peak = home.memory("VmHWM")
        if len(home.ask("GET", "/v1/packs")["packs"]) != count:
            raise Wrong(f"not all of {count} packs are installed")
    with Home(bench, path) as home:
        listed = len(json.dumps(home.ask("GET", "/v1/packs")))
        # At rest: a moment after the last request.
        time.sleep(1)
        memory = home.memory("RssAnon")
    print(f"  {count:>6,} packs  {seconds(took):>10}  {memory / 1e6:.1f} MB at rest, {peak / 1e6:.1f} MB while it"
          " installed", flush=True)
    return Installed(took, memory, listed, peak)


def grow_files(bench, sizes):
    root = bench.place("root")
    # Files of holes: neither the disk nor its cache limits the server.
    digests = [inputs.zeros(os.path.join(root, str(size)), size) for size in sizes]

    def ours(digest, path, url):
        return (bench.program("storectl"), "fetch", "--quiet", "--sha256", digest, "--output", path, url)

    def floor(digest, path, url):
        return (bench.peer("fetch-verified"), url, path, digest)

    # What the disk alone makes of it.
    ways = {"": ours} if bench.is_side else {"": ours, ": floor: verified in C": floor}
    rounds, memory = {name: [] for name in ways}, {name: [] for name in ways}
    with Nginx(root, bench.place("nginx")) as server:
        for _ in range(bench.sized(3, 1)):
            for name, command in ways.items():
                measured = [fetch(bench, name, command, server.address, size, digest) for size, digest in zip(sizes, digests)]
                rounds[name].append(exponent(sizes, [took for took, _ in measured]))
                memory[name].append((measured[-1][1] - measured[1][1]) / 1e6)
    for name in ways:
        is_ours = name == ""
        bench.find(f"exponent of the time, {sizes[-2] / 1e6:,.0f} to {sizes[-1] / 1e6:,.0f} MB{name}", rounds[name],
                   "files" if is_ours else None)
        bench.find(f"memory for {sizes[-1] / 1e6:,.0f} MB, more than for {sizes[1] / 1e6:,.0f}{name}", memory[name],
                   "flat" if is_ours else None, unit=" MB")


def fetch(bench, name, command, address, size, digest):
    """- Returns: the seconds it took, and the most memory."""
    path = os.path.join(bench.folder, "fetched")
    settle(bench.folder)
    start = time.perf_counter()
    printed = output(bench.peer("largest-memory"), *command(digest, path, f"{address}{size}"))
    took = time.perf_counter() - start
    if os.path.getsize(path) != size:
        raise Wrong(f"the file of {size} bytes was not fetched")
    os.remove(path)
    memory = int(printed.splitlines()[-1]) << 10
    print(f"  {size / 1e6:>6,.0f} MB     {seconds(took):>10}  {memory / 1e6:.1f} MB{name}", flush=True)
    return took, memory
