"""How long a user waits for the list of 1,000 packs, with and without a running daemon, and for the help."""

import json
import os
import subprocess
import time

from cases import p3_install
from measure import Contestant, Wrong, output
from servers import Home, Nginx

WHAT = "storectl list with 1,000 packs, daemon running and cold; storectl --help"
# The number of calls that are timed together, because one is too short.
AT_ONCE = 20
FLOOR = "floor: asked in C, not formatted"


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    path = bench.place("home")
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server, Home(bench, path) as home:
        home.storectl("store", "add", "bench", server.address, "--unsigned")
        home.storectl("install", "--quiet", *identifiers)
        storectl = bench.program("storectl")
        asking = [bench.peer("ask-daemon"), os.path.join(path, "run", "stored.sock"), "/v1/packs"]
        series = bench.in_turn([
            often("ours", [storectl, "--home", path, "list"], identifiers),
            often("dpkg-query -W", ["dpkg-query", f"--admindir={packages(bench, identifiers)}", "-W"], identifiers),
            often(FLOOR, asking, identifiers),
            often("ours --help", [storectl, "--help"], ["install"]),
            often("curl --version", ["curl", "--version"]),
        ])
    bench.compare(series, "ours", "dpkg-query -W", "list")
    bench.compare(series, "ours", FLOOR, None)
    bench.compare(series, "ours --help", "curl --version", "help")
    listed = bench.in_turn([cold(bench, path, identifiers)], name="cold")["ours, cold"]
    bench.find("list, cold", [value * 1000 for value in listed], "cold", unit=" ms")


def packages(bench, names):
    """Returns a database of dpkg with as many packages: copies of those of this machine under these names."""
    with open("/var/lib/dpkg/status", encoding="utf-8") as file:
        real = [stanza for stanza in file.read().strip().split("\n\n") if "\nStatus: install ok installed\n" in stanza]
    folder = bench.place("dpkg")
    for name in ("info", "updates"):
        os.mkdir(os.path.join(folder, name))
    with open(os.path.join(folder, "status"), "w", encoding="utf-8") as file:
        for number, name in enumerate(names):
            _, _, rest = real[number % len(real)].partition("\n")
            file.write(f"Package: {name}\n{rest}\n\n")
    return folder


def often(name, command, words=()):
    """A contestant that runs a program many times; its output must contain these words."""
    def work(_):
        start = time.perf_counter()
        for _ in range(AT_ONCE):
            done = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
            if done.returncode != 0 or not done.stdout:
                raise Wrong(f"{name} ended with {done.returncode}")
        return {"": (time.perf_counter() - start) / AT_ONCE}

    def check(_):
        printed = output(*command).decode()
        missing = [word for word in words if word not in printed]
        if missing:
            raise Wrong(f"{name} does not print {missing[:3]}")

    return Contestant(name, work, after=check)


def cold(bench, path, identifiers):
    """The command finds no daemon, and starts one."""
    def storectl(*words):
        return output(bench.program("storectl"), "--home", path, *words)

    def stopped(_):
        storectl("daemon", "stop")
        if json.loads(storectl("daemon", "status", "--json"))["running"]:
            raise Wrong("the daemon runs")

    def after(folder):
        if len(json.loads(storectl("list", "--json"))["packs"]) != len(identifiers):
            raise Wrong("not every pack is listed")
        stopped(folder)

    def work(_):
        storectl("list")

    return Contestant("ours, cold", work, before=stopped, after=after)
