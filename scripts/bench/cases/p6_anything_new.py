"""Checking for updates when there are none, which is what most of the daily checks find."""

import json
import os
import time

from cases import p3_install
from measure import Contestant, Wrong, run
from servers import Delay, Home, Nginx, until

WHAT = "is there anything new, for 1,000 installed packs, when there is nothing; also 100 ms away"


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    public = os.path.join(store, "public")
    with Nginx(public, bench.place("nginx")) as server:
        compare(bench, server, server.address, identifiers, "here", "near")
        with Delay(bench, server) as far:
            compare(bench, server, far.address, identifiers, "100 ms away", "far", far)


def compare(bench, server, address, identifiers, where, bar, far=None):
    with Home(bench, bench.place(f"home {where}"), CATALOGUE_REFRESH_AFTER=0) as home:
        home.storectl("store", "add", "bench", address, "--unsigned")
        home.storectl("install", "--quiet", *identifiers)
        installed = len(json.loads(home.storectl("list", "--json"))["packs"])
        if installed != len(identifiers):
            raise Wrong(f"{installed} packs are installed")
        copy = os.path.join(bench.folder, "catalogue.json")
        run("curl", "-sS", "--fail", "-R", "-o", copy, f"{address}catalogue.json")

        def asking(name, work):
            asked = []

            def before(_):
                asked[:] = [len(server.requests())]

            def after(_):
                new = asked_since(server, asked[0])
                if [status for status, *_ in new] != ["304"]:
                    raise Wrong(f"{name} did not send one request with the response 304, but {new}")
            return Contestant(name, work, before, after)

        ours, curl = f"ours, {where}", f"curl -z, {where}"
        series = bench.in_turn([
            asking(ours, lambda _: home.storectl("update", "--check")),
            asking(curl, lambda folder: run(
                "curl", "-sS", "--fail", "-z", copy, "-o", os.path.join(folder, "new"), f"{address}catalogue.json")),
        ], name=f"runs {where}")
        bench.compare(series, ours, curl, bar)

        requests = len(server.requests())
        before = far.passed_on() if far else None
        home.storectl("update", "--check")
        after = far.passed_on() if far else None
        bench.find(f"requests, {where}", [len(asked_since(server, requests))], "requests")
        if far:
            bench.find("bytes, both ways", [
                after.from_clients - before.from_clients + after.to_clients - before.to_clients], "bytes")
            bench.find("connections", [after.connections - before.connections], "connections")


def asked_since(server, count):
    """Returns the requests after the first `count`; nginx logs a request a moment after it has sent the response."""
    until(lambda: len(server.requests()) > count, "a request")
    time.sleep(0.02)
    return server.requests()[count:]
