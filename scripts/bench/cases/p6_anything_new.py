"""Asking a store whether anything is new, when nothing is: what each installation does every day.

Cold is the first request of a daemon, or of curl; warm is a request over a connection that is open already. On loopback
the opening of a connection costs next to nothing, so that curl is the peer of both there.
"""

import json
import os
import time

from cases import p3_install
from measure import Contestant, Wrong, run
from servers import Delay, Home, Nginx, until
from warm_fetch import WarmFetch

WHAT = "is anything new, for 1,000 installed packs, when nothing is; near and 100 ms away, cold and warm"


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    public = os.path.join(store, "public")
    with Nginx(public, bench.place("nginx")) as server:
        compare(bench, server, server.address, identifiers, "near")
        with Delay(bench, server) as far:
            compare(bench, server, far.address, identifiers, "100 ms away", far)


def compare(bench, server, address, identifiers, where, far=None):
    catalogue = f"{address}catalogue.json"
    with Home(bench, bench.place(f"home {where}"), CATALOGUE_REFRESH_AFTER=0) as home:
        home.storectl("store", "add", "bench", address, "--unsigned")
        home.storectl("install", "--quiet", *identifiers)
        installed = len(json.loads(home.storectl("list", "--json"))["packs"])
        if installed != len(identifiers):
            raise Wrong(f"{installed} packs are installed")
        copy = os.path.join(bench.folder, "catalogue.json")
        run("curl", "-sS", "--fail", "-R", "-o", copy, catalogue)

        def ask(_):
            home.storectl("update", "--check")

        def asking(name, work, prepare=lambda folder: None):
            """A contestant whose work must be one request with the response that nothing is new."""
            before_it = []

            def before(folder):
                prepare(folder)
                before_it[:] = [settled_count(server)]

            def after(_):
                new = asked_since(server, before_it[0])
                if [status for status, *_ in new] != ["304"]:
                    raise Wrong(f"{name} did not make one request with the response 304: {new}")
            return Contestant(name, work, before, after)

        cold, warm, curl, libcurl, floor = (
            f"{who}, {where}" for who in ("ours cold", "ours warm", "curl -z", "libcurl warm", "floor: asked in C, warm"))
        processes = {}

        def start(folder):
            processes[folder] = WarmFetch(bench, folder, catalogue, [catalogue], modified=os.stat(copy).st_mtime)
            bench.ends.callback(processes[folder].end)

        contestants = [
            asking(cold, ask, lambda _: home.restart()), asking(warm, ask, ask),
            asking(curl, lambda folder: run(
                "curl", "-sS", "--fail", "-z", copy, "-o", os.path.join(folder, "new"), catalogue)),
            asking(libcurl, lambda folder: processes[folder].work(), start),
        ]
        if not far:
            asking_in_c = [bench.peer("ask-daemon"), os.path.join(home.path, "run", "stored.sock"), "/v1/updates"]
            contestants.append(asking(floor, lambda _: run(*asking_in_c), ask))
        series = bench.in_turn(contestants, name=f"runs {where}")
        bench.compare(series, cold, curl, "cold")
        bench.compare(series, warm, libcurl if far else curl, "warm")
        if not far:
            # Ours includes the start of a program and a request to the daemon.
            bench.compare(series, warm, libcurl, None)
            bench.compare(series, warm, floor, None)
        count_one(bench, server, home, where, far)


def count_one(bench, server, home, where, far):
    """Counts what one check transfers, with a new connection."""
    home.restart()
    requests = settled_count(server)
    before = far.passed_on() if far else None
    home.storectl("update", "--check")
    after = far.passed_on() if far else None
    bench.find(f"requests, {where}", [len(asked_since(server, requests))], "requests")
    if far:
        bench.find("bytes, both ways", [
            after.from_clients + after.to_clients - before.from_clients - before.to_clients], "bytes")
        bench.find("connections", [after.connections - before.connections], "connections")


def settled_count(server):
    """Returns the number of requests so far; the server logs a request after its response."""
    time.sleep(0.02)
    return len(server.requests())


def asked_since(server, count):
    """Returns the requests after the first `count`."""
    until(lambda: len(server.requests()) > count, "a request")
    time.sleep(0.02)
    return server.requests()[count:]
