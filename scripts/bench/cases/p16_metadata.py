"""Verifying the signed metadata of a large store, as each client does every day, and what the next day costs."""

import copy
import hashlib
import json
import os
import random
import shutil
import subprocess
import time

import inputs
from measure import Contestant, Wrong, output, run, seconds, spread
from servers import Nginx

WHAT = "update the signed metadata of a catalogue of 100,000 products; the next day, 100 of them changed"
COUNT, CHANGED = 100_000, 100
# The specification's reference implementation. Importing it takes most of its time, which says nothing about metadata: it
# prints the nanoseconds that it takes after that. Loading our program is measured apart.
PYTHON = """
import sys, time
from tuf.ngclient import Updater
start = time.perf_counter_ns()
trusted, url, files = sys.argv[1:]
updater = Updater(trusted, url + "metadata/", files, url, bootstrap=None)
updater.refresh()
updater.download_target(updater.get_targetinfo("catalogue.json"))
print(time.perf_counter_ns() - start)
"""


LOADED, IMPORTED = "ours: loaded, and nothing done", "after its imports"
# Our program loads libcurl with its first request. What python-tuf fetches with is imported before it does anything.
LIBCURL = "libcurl"
FLOOR, FLOOR_LOADED = "floor: fetched and synced in C", "floor: loaded, and nothing done"


def measure_case(bench):
    python = os.path.join(bench.peers.parent, "tuf-interop/bin/python")
    if not bench.is_side and not os.path.exists(python):
        raise Wrong("python-tuf is missing; scripts/tuf-interop installs it")
    store = Store(bench, bench.sized(COUNT, 1000))
    store.publish()
    public = os.path.join(store.path, "public")
    root = os.path.join(public, "metadata/1.root.json")
    with Nginx(public, bench.place("nginx")) as server:
        def before(folder):
            for name in ("trusted", "files"):
                os.makedirs(os.path.join(folder, name))
            shutil.copy(root, os.path.join(folder, "trusted/root.json"))

        def ours(folder):
            run(bench.program("tuf-client"), "--metadata-dir", os.path.join(folder, "trusted"), "--metadata-url",
                f"{server.address}metadata", "--target-base-url", server.address, "--target-dir",
                os.path.join(folder, "files"), "--target-name", "catalogue.json", "download")

        def python_tuf(folder):
            start = time.perf_counter()
            took = output(python, "-c", PYTHON, os.path.join(folder, "trusted"), server.address, os.path.join(folder, "files"))
            return {"": time.perf_counter() - start, IMPORTED: int(took.split()[-1]) / 1e9}

        def after(folder):
            with open(os.path.join(folder, "files/catalogue.json"), "rb") as fetched, \
                    open(os.path.join(public, "catalogue.json"), "rb") as published:
                if fetched.read() != published.read():
                    raise Wrong("another catalogue was fetched")

        # What a client asks for in turn, from the root after the one that it has.
        metadata = [f"{server.address}metadata/{name}.json" for name in ("2.root", "timestamp", "1.snapshot", "1.targets")]
        requested = [*metadata, f"{server.address}{store.hashed_catalogue()}"]
        series = bench.in_turn([
            Contestant("ours", ours, before, after),
            Contestant("python-tuf", python_tuf, before, after),
            Contestant(LOADED, lambda _: run(bench.program("tuf-client"), "--help")),
            Contestant(LIBCURL, lambda _: {"loaded": int(output(bench.peer("load-library"), "libcurl.so.4")) / 1e9}),
            Contestant(FLOOR, lambda folder: run(bench.peer("fetch-in-turn"), os.path.join(folder, "files"), *requested), before),
            Contestant(FLOOR_LOADED, lambda folder: run(bench.peer("fetch-in-turn"), folder)),
        ])
        if not bench.is_side:
            # Medians: one slow loading would count as work that was not done.
            loading = sum(spread(series[name])[1] for name in (LOADED, f"{LIBCURL}: loaded"))
            own = [whole - loading for whole in series["ours"]]
            theirs = series[f"python-tuf: {IMPORTED}"]
            bench.find(
                "ours : python-tuf, without loading the programs", [a / b for a, b in zip(own, theirs)], "verify",
                note=f"{seconds(spread(own)[1])} : {seconds(spread(theirs)[1])}")
            bench.compare(series, "ours", "python-tuf", None)
            loaded = spread(series[FLOOR_LOADED])[1]
            least = [whole - loaded for whole in series[FLOOR]]
            bench.find(
                f"ours : {FLOOR}, without loading the programs", [a / b for a, b in zip(own, least)], None,
                note=f"{seconds(spread(own)[1])} : {seconds(spread(least)[1])}")

        client = bench.place("client")
        before(client)
        ours(client)
        old = store.catalogue()
        store.change(bench.sized(CHANGED, 1))
        store.publish()
        asked = len(server.requests())
        ours(client)
        after(client)
        # The server notes a request when it has answered.
        time.sleep(0.1)
        paths = [path for status, path, _ in server.requests()[asked:] if status == "200"]
        sizes = {path: os.path.getsize(public + path) for path in paths}
        metadata = sum(size for path, size in sizes.items() if path.startswith("/metadata/"))
        new = store.catalogue()
        shards = sum(size for path, size in new.items() if path not in old)
        index = sum(size for path, size in sizes.items() if not path.startswith("/metadata/"))
        bench.find("metadata of the second day", [metadata / 1000], "metadata", unit=" KB")
        bench.find("index of the second day", [index / 1000], None, unit=" KB")
        bench.find(f"changed shards of the second day ({len(set(new) - set(old))} of {len(new)})", [shards / 1000],
                   None, unit=" KB")


class Store:
    """A signed store in which all products have the files of one, so that it need not have as many archives."""

    def __init__(self, bench, count):
        self.bench, self.path = bench, os.path.join(bench.folder, "store")
        pack = os.path.join(bench.folder, "pack")
        inputs.sticker_folder(pack, "org.example.pack", [inputs.png(random.Random(1), 500)])
        self.storehouse("init", self.path, "--sign")
        self.storehouse("add", self.path, pack)
        state = self.state()
        product = state["products"][0]
        state["products"] = []
        for number in range(count):
            product = copy.deepcopy(product)
            product["productIdentifier"] = f"org.example.pack{number:06}"
            product["releases"][0]["tags"] = [hashlib.sha256(str(number).encode()).hexdigest()[:16]]
            state["products"].append(product)
        self.write(state)

    def storehouse(self, *words):
        environment = {"PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": "secret words"}
        subprocess.run([self.bench.program("storehouse"), *words], env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL)

    def state(self):
        with open(os.path.join(self.path, "store.json"), encoding="utf-8") as file:
            return json.load(file)

    def write(self, state):
        with open(os.path.join(self.path, "store.json"), "w", encoding="utf-8") as file:
            json.dump(state, file)

    def publish(self):
        self.storehouse("publish", self.path)

    def change(self, count):
        """Changes a word of products that lie evenly over the list."""
        state = self.state()
        products = state["products"]
        for product in products[:: max(1, len(products) // count)][:count]:
            product["releases"][0]["tags"] = ["changed"]
        self.write(state)

    def hashed_catalogue(self):
        """The path of the published catalogue with its hash."""
        found, = (name for name in os.listdir(os.path.join(self.path, "public")) if name.endswith(".catalogue.json"))
        return found

    def catalogue(self):
        """The published shards with their sizes."""
        with open(os.path.join(self.path, "public/catalogue.json"), encoding="utf-8") as file:
            return {shard["url"]: shard["size"] for shard in json.load(file)["shards"]}
