"""Installing many small packs durably: each contestant has synced everything when it ends. P4 does it far away."""

import contextlib
import json
import os
import random
import sqlite3

import inputs
from measure import Contestant, Wrong, run
from servers import Home, Nginx
from warm_fetch import WarmProcess

WHAT = "install 1,000 packs of 26 KB: fetch, verify, unpack, durable commit"
COUNT, PICTURES = 1_000, 3
FLOOR = "floor: the same in C"
# Not part of it: packs are unpacked and checked in confined processes, of which up to 60 packs share one.
SHARED = 60
CONFINED = f"two confined processes for each {SHARED} packs, without work"


def measure_case(bench):
    identifiers = names(bench.sized(COUNT, 20))
    store = make_store(bench, identifiers)
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server:
        paths = archives(store, len(identifiers))
        series = bench.in_turn([
            ours(bench, server.address, identifiers), curl(bench, server.address, paths),
            aria2(server.address, paths), Floor(bench, server.address, store).contestant(),
            confined(bench, len(identifiers)),
        ])
    bench.compare(series, "ours", "curl -Z, then unpack-all", "curl")
    bench.compare(series, "ours", "aria2 -j16, then bsdtar each", "aria2")
    bench.compare(series, "ours", FLOOR, None)
    bench.compare(series, "ours", CONFINED, None)


def names(count):
    return [f"org.example.pack{number:05}" for number in range(count)]


def make_store(bench, identifiers):
    generator = random.Random(3)
    pictures = [inputs.png(generator, 8_500) for _ in range(300)]
    packs = [os.path.join(bench.folder, "packs", identifier) for identifier in identifiers]
    for path, identifier in zip(packs, identifiers):
        inputs.sticker_folder(path, identifier, generator.sample(pictures, PICTURES))
    return publish(bench, packs)


def publish(bench, packs):
    """A store of the packs in these folders."""
    store = os.path.join(bench.folder, "store")
    storehouse = bench.program("storehouse")
    run(storehouse, "init", store)
    run(storehouse, "add", store, *packs)
    run(storehouse, "publish", store)
    return store


def archives(store, count):
    """The paths of all archives in the store."""
    public = os.path.join(store, "public")
    found = [os.path.relpath(os.path.join(path, name), public)
             for path, _, files in os.walk(public) for name in files if name.endswith(".zip")]
    if len(found) != count:
        raise Wrong(f"the store has {len(found)} archives")
    return found


def ours(bench, address, identifiers, name="ours", is_cold=False, **settings):
    """A contestant that installs the packs; a cold one with a daemon that has no connection to the store yet."""
    homes = {}

    def before(folder):
        homes[folder] = bench.until_end(Home(bench, folder, **settings))
        homes[folder].storectl("store", "add", "bench", address, "--unsigned")
        if is_cold:
            homes[folder].restart()

    def work(folder):
        homes[folder].storectl("install", "--quiet", *identifiers)

    def after(folder):
        with homes.pop(folder) as home:
            require_installed(home, len(identifiers))

    return Contestant(name, work, before, after)


def require_installed(home, count):
    """Checks that a daemon knows so many packs, and that each is complete and has the files of its receipt."""
    listed = json.loads(home.storectl("list", "--json"))["packs"]
    found = inputs.count_and_size(home.packs)[0]
    # Each has its information, its pictures and its receipt.
    if len(listed) != count or found != count * (PICTURES + 2):
        raise Wrong(f"{len(listed)} packs with {found} files are installed")
    # Compares the size and the SHA-256 of each file.
    home.storectl("verify", "--quiet")


class Floor:
    """The peer install-packs: what the daemon does for each pack, in C, and with what a daemon would find afterwards.

    It works in the home of a daemon that has ended, and is as warm as a daemon that has read the catalogue.
    """

    # Of each pack: that it is queued, connecting, transferring, unpacking, saving and finished, and that it is installed.
    EVENTS = 7

    def __init__(self, bench, address, store, certificate=None):
        self.bench, self.address, self.certificate = bench, address, certificate
        self.products, self.homes, self.processes = products(store), {}, {}

    def contestant(self):
        return Contestant(FLOOR, self.work, self.before, self.after)

    def before(self, folder):
        home = self.homes[folder] = self.bench.until_end(Home(self.bench, os.path.join(folder, "home")))
        # Its directories and its database stay.
        home.end()
        packs = os.path.join(folder, "list")
        with open(packs, "w", encoding="utf-8") as file:
            for product in self.products:
                path = os.path.normpath(os.path.join("catalogue", product["productResourceURL"]))
                print(product["productIdentifier"], product["version"], path, product["productResourceSize"],
                      product["productResourceSHA256"], product["filesSHA256"], file=file)
        process = self.processes[folder] = WarmProcess(
            self.bench.peer("install-packs"), home.path, self.address, self.certificate or "-", packs)
        self.bench.ends.callback(process.end)

    def work(self, folder):
        self.processes[folder].work()

    def after(self, folder):
        home, count = self.homes.pop(folder), len(self.products)
        self.processes.pop(folder).end()
        with contextlib.closing(sqlite3.connect(os.path.join(home.path, "data/library.sqlite"))) as database:
            rows = database.execute(
                "SELECT count(*) FROM packs JOIN operations USING (operation) WHERE outcome = 'finished'").fetchone()[0]
        with open(os.path.join(home.path, "events"), encoding="utf-8") as file:
            events = sum(1 for _ in file)
        files = {path: len(os.listdir(os.path.join(home.path, path)))
                 for path in ("cache/archives", "cache/partial", "data/staging")}
        if rows != count or events != self.EVENTS * count or list(files.values()) != [count, 0, 0]:
            raise Wrong(f"{rows} packs are recorded with {events} events, and {files} are the numbers of other files")
        home.start()
        require_installed(home, count)
        home.end()


def products(store):
    """Returns the products of a store as its catalogue has them."""
    shards = os.path.join(store, "public/catalogue")
    found = []
    for name in sorted(os.listdir(shards)):
        with open(os.path.join(shards, name), encoding="utf-8") as file:
            found += json.load(file)["products"]
    return sorted(found, key=lambda product: product["productIdentifier"])


def all_unpacked(count):
    def check(folder):
        found = inputs.count_and_size(os.path.join(folder, "packs"))[0]
        if found != count * (PICTURES + 1):
            raise Wrong(f"{found} files were unpacked")
    return check


def all_fetched(count):
    def check(folder):
        if len(zips(folder)) != count:
            raise Wrong(f"{len(zips(folder))} of {count} archives were fetched")
    return check


def unpack_all(bench, folder):
    run(bench.peer("unpack-all"), os.path.join(folder, "packs"), *zips(folder))


def make_folders(folder):
    for name in ("zips", "packs"):
        os.mkdir(os.path.join(folder, name))


def zips(folder):
    return [os.path.join(folder, "zips", name) for name in os.listdir(os.path.join(folder, "zips"))]


def curl(bench, address, paths, options=("--parallel-max", 100), unpacks=True):
    def before(folder):
        make_folders(folder)
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as file:
            for number, path in enumerate(paths):
                file.write(f'url = "{address}{path}"\noutput = "{folder}/zips/{number}.zip"\n')

    def fetch(folder):
        run("curl", "-sS", "--fail", "-Z", *options, "-K", os.path.join(folder, "list"))

    def work(folder):
        fetch(folder)
        unpack_all(bench, folder)

    if not unpacks:
        return Contestant("curl -Z", fetch, before, all_fetched(len(paths)))
    return Contestant("curl -Z, then unpack-all", work, before, all_unpacked(len(paths)))


def aria2(address, paths, *options):
    def before(folder):
        make_folders(folder)
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as file:
            for number, path in enumerate(paths):
                file.write(f"{address}{path}\n  out={number}.zip\n")

    def work(folder):
        run("aria2c", "-q", "-j16", *options, "-i", os.path.join(folder, "list"), "-d", os.path.join(folder, "zips"))
        for archive in zips(folder):
            target = os.path.join(folder, "packs", os.path.basename(archive))
            os.mkdir(target)
            run("bsdtar", "-xf", archive, "-C", target)
        run("sync", "-f", folder)

    return Contestant("aria2 -j16, then bsdtar each", work, before, all_unpacked(len(paths)))


def confined(bench, packs):
    return Contestant(CONFINED, lambda folder: run(bench.peer("confined-processes"), str(-(-2 * packs // SHARED)), folder))
