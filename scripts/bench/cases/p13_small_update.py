"""Updating a large pack of which few files have changed: how many bytes the client receives."""

import hashlib
import json
import os
import random
import zipfile

import inputs
from measure import Wrong, run
from servers import Delay, Home, Nginx

WHAT = "update a pack of 300 images, 4 changed, from a plain file server: bytes received"
IMAGES, CHANGED = 300, 4
IDENTIFIER = "org.example.pack"
# Bytes that an update may receive: MARGIN times the changed bytes, the entry table, and OVERHEAD for HTTP headers.
MARGIN, OVERHEAD = 1.05, 2048
# The number of bytes should be the same in each home; with fewer homes a difference could go unnoticed.
FEWEST_HOMES = 3


def measure_case(bench):
    store, old, new = os.path.join(bench.folder, "store"), *make_packs(bench)
    public = os.path.join(store, "public")
    run(bench.program("storehouse"), "init", store)
    publish(bench, store, old)
    with (Nginx(public, bench.place("nginx")) as server,
          Delay(bench, server, round_trip=0) as proxy):
        old_archive = only_new(public, "zip", ())
        old_documents = set(files(public, "json"))
        homes = [home_with_pack(bench, proxy, f"home-{number}")
                 for number in range(1 if bench.is_side else max(bench.rounds, FEWEST_HOMES))]
        publish(bench, store, new)
        archive = only_new(public, "zip", {old_archive})
        table = only_new(os.path.join(public, "tables"), "json", old_documents)
        received = [updated(home, proxy, new) for home in homes]
    allowance = MARGIN * changed_bytes(old_archive, archive) + OVERHEAD + os.path.getsize(table)
    bench.find("bytes received", received, None, note=f"of an archive of {os.path.getsize(archive):,}")
    bench.find("bytes received : 1.05 of the changed bytes + 2 KB + the entry table",
               [count / allowance for count in received], "allowance", note=f"{received[0]:,} : {allowance:,.0f}")
    if bench.is_side:
        return
    patch = patch_size(bench, old_archive, archive)
    bench.find("bytes of a prepared patch (zstd -19 --patch-from)", [patch], None)
    bench.find("bytes received : prepared patch", [count / patch for count in received], None)


def make_packs(bench):
    """Makes the directories of both versions, and returns their paths."""
    generator = random.Random(13)
    pictures = [inputs.png(generator, 20_000) for _ in range(bench.sized(IMAGES, 50))]
    paths = []
    for version in ("1.0.0", "2.0.0"):
        paths.append(os.path.join(bench.place(version), IDENTIFIER))
        inputs.sticker_folder(paths[-1], IDENTIFIER, pictures, version)
        for number in generator.sample(range(len(pictures)), CHANGED):
            pictures[number] = inputs.png(generator, 20_000)
    return paths


def publish(bench, store, pack):
    run(bench.program("storehouse"), "add", store, pack)
    run(bench.program("storehouse"), "publish", store)


def files(folder, extension):
    return [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
            if name.endswith(f".{extension}")]


def only_new(folder, extension, known):
    """Returns the path of the only file with an extension that is not among the known paths."""
    found = [path for path in files(folder, extension) if path not in known]
    if len(found) != 1:
        raise Wrong(f"the store has {len(found)} new {extension} files in {folder}")
    return found[0]


def home_with_pack(bench, proxy, name):
    """Returns a home in which the first version is installed; updates use the catalogue that it has."""
    home = bench.until_end(Home(bench, bench.place(name), UPDATES_REFRESH_AFTER=3600))
    home.storectl("store", "add", "bench", proxy.address, "--unsigned")
    home.storectl("install", "--quiet", IDENTIFIER)
    if installed(home)["version"] != "1.0.0":
        raise Wrong(f"version {installed(home)['version']} is installed")
    return home


def installed(home):
    """Returns the only installed pack as 'storectl list' describes it."""
    pack, = json.loads(home.storectl("list", "--json"))["packs"]
    return pack


def updated(home, proxy, new):
    """Updates the pack, and returns how many bytes the client received, the catalogue aside."""
    home.storectl("refresh")
    before = proxy.passed_on().to_clients
    home.storectl("update", "--quiet")
    count = proxy.passed_on().to_clients - before
    pack = installed(home)
    if pack["version"] != "2.0.0":
        raise Wrong(f"version {pack['version']} is installed after the update")
    expected, found = hashes(new), hashes(pack["path"])
    if {name: found.get(name) for name in expected} != expected:
        raise Wrong("the installed files are not those of the new version")
    return count


def hashes(folder):
    """Returns the SHA-256 of each file of a directory, by name."""
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.sha256(file.read()).digest()
    return found


def changed_bytes(old, new):
    """Returns the size of the changed and new files of an archive, as they are stored in it."""
    with zipfile.ZipFile(old) as before, zipfile.ZipFile(new) as after:
        known = {name: before.read(name) for name in before.namelist()}
        changed = [entry for entry in after.infolist() if after.read(entry) != known.get(entry.filename)]
        # The images, and the manifest with the version.
        if len(changed) != CHANGED + 1:
            raise Wrong(f"{len(changed)} files differ between the archives")
        return sum(entry.compress_size for entry in changed)


def patch_size(bench, old, new):
    """Returns the size of a patch from the old to the new archive, which a publisher would have to prepare."""
    folder = bench.place("patch")
    patch, result = os.path.join(folder, "patch"), os.path.join(folder, "result")
    run("zstd", "-q", "-19", "--long=27", "--patch-from", old, new, "-o", patch)
    run("zstd", "-q", "-d", "--long=27", "--patch-from", old, patch, "-o", result)
    run("cmp", new, result)
    return os.path.getsize(patch)
