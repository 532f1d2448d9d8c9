"""Installing many small packs: all is on the disk when it ends, on every side."""

import json
import os
import random

import inputs
from measure import Contestant, Wrong, run
from servers import Home, nginx

WHAT = "install 1,000 packs of 26 KB: fetch, verify, unpack, durable commit"
COUNT, PICTURES = 1_000, 3


def measure_case(bench):
    identifiers = [f"org.example.pack{number:04}" for number in range(COUNT)]
    store = make_store(bench, identifiers)
    with nginx(os.path.join(store, "public"), bench.place("nginx")) as address:
        paths = resources(bench, store, address)
        series = bench.in_turn([
            ours(bench, address, identifiers), curl(bench, address, paths), aria2(bench, address, paths)
        ])
    bench.compare(series, "ours", "curl -Z, then unpack-all", "curl")
    bench.compare(series, "ours", "aria2 -j16, then bsdtar each", "aria2")


def make_store(bench, identifiers):
    generator = random.Random(3)
    pictures = [inputs.png(generator, 8_500) for _ in range(300)]
    packs = [os.path.join(bench.folder, "packs", identifier) for identifier in identifiers]
    for path, identifier in zip(packs, identifiers):
        inputs.sticker_folder(path, identifier, generator.sample(pictures, PICTURES))
    store = os.path.join(bench.folder, "store")
    storehouse = bench.program("storehouse")
    run(storehouse, "init", store)
    run(storehouse, "add", store, *packs)
    run(storehouse, "publish", store)
    return store


def resources(bench, store, address):
    """The paths of all archives beneath the address."""
    with Home(bench, bench.place("asking")) as home:
        home.storectl("store", "add", "bench", address, "--unsigned")
    public = os.path.join(store, "public")
    found = [os.path.relpath(os.path.join(path, name), public)
             for path, _, names in os.walk(public) for name in names if name.endswith(".zip")]
    if len(found) != COUNT:
        raise Wrong(f"the store has {len(found)} archives")
    return found


def ours(bench, address, identifiers):
    homes = {}

    def before(folder):
        homes[folder] = Home(bench, folder)
        homes[folder].storectl("store", "add", "bench", address, "--unsigned")

    def work(folder):
        homes[folder].storectl("install", "--quiet", *identifiers)

    def after(folder):
        with homes.pop(folder) as home:
            listed = json.loads(home.storectl("list", "--json"))["packs"]
            found = inputs.count_and_size(home.packs)[0]
        # Each has its information, its pictures and its receipt.
        if len(listed) != COUNT or found != COUNT * (PICTURES + 2):
            raise Wrong(f"{len(listed)} packs with {found} files are installed")

    return Contestant("ours", work, before, after)


def unpacked(folder):
    found = inputs.count_and_size(os.path.join(folder, "packs"))[0]
    if found != COUNT * (PICTURES + 1):
        raise Wrong(f"{found} files came out")


def make_folders(folder):
    for name in ("zips", "packs"):
        os.mkdir(os.path.join(folder, name))


def zips(folder):
    return [os.path.join(folder, "zips", name) for name in os.listdir(os.path.join(folder, "zips"))]


def curl(bench, address, paths):
    def before(folder):
        make_folders(folder)
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as file:
            for number, path in enumerate(paths):
                file.write(f'url = "{address}{path}"\noutput = "{folder}/zips/{number}.zip"\n')

    def work(folder):
        run("curl", "-sS", "--fail", "-Z", "--parallel-max", 100, "-K", os.path.join(folder, "list"))
        run(bench.peer("unpack-all"), os.path.join(folder, "packs"), *zips(folder))

    return Contestant("curl -Z, then unpack-all", work, before, unpacked)


def aria2(bench, address, paths):
    del bench

    def before(folder):
        make_folders(folder)
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as file:
            for number, path in enumerate(paths):
                file.write(f"{address}{path}\n  out={number}.zip\n")

    def work(folder):
        run("aria2c", "-q", "-j16", "-i", os.path.join(folder, "list"), "-d", os.path.join(folder, "zips"))
        for archive in zips(folder):
            target = os.path.join(folder, "packs", os.path.basename(archive))
            os.mkdir(target)
            run("bsdtar", "-xf", archive, "-C", target)
        run("sync", "-f", folder)

    return Contestant("aria2 -j16, then bsdtar each", work, before, unpacked)
