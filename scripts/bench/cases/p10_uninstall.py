"""Uninstalling a large pack: how soon the call returns, and when the space is back."""

import os
import random
import time

import inputs
from measure import Contestant, Wrong, run
from servers import Home, exchange

WHAT = "uninstall a pack of 10,000 files, 100 MB"
COUNT = 10_000
IDENTIFIER = "org.example.large"
# What the call has to do at least: the pack is out of the way, and stays so after a power cut.
FLOOR = "floor: moved and synced"


def measure_case(bench):
    generator = random.Random(10)
    archive = os.path.join(bench.folder, "input.zip")
    inputs.stickers(archive, IDENTIFIER, (inputs.png(generator, 10_000) for _ in range(COUNT)))

    with Home(bench, bench.place("home")) as home:
        def install(_):
            home.storectl("install", "--unsigned", "--quiet", archive)

        def uninstall(_):
            with home.connect() as connection:
                start = time.perf_counter()
                status, body = exchange(connection, "DELETE", f"/v1/packs/{IDENTIFIER}")
                called = time.perf_counter()
            if status != 200:
                raise Wrong(f"it was not removed: {status} {body}")
            while os.listdir(home.trash):
                time.sleep(0.0005)
            return {"call": called - start, "space": time.perf_counter() - start}

        def gone(_):
            if os.listdir(home.packs) or os.listdir(home.trash):
                raise Wrong("something of the pack is left")

        def unpack(folder):
            run("bsdtar", "-xf", archive, "-C", folder)
            if inputs.count_and_size(folder)[0] != COUNT + 1:
                raise Wrong("there is something missing to remove")

        def unpack_durably(folder):
            os.mkdir(os.path.join(folder, "pack"))
            unpack(os.path.join(folder, "pack"))
            os.sync()

        def move(folder):
            descriptor = os.open(folder, os.O_RDONLY)
            os.rename("pack", "trash", src_dir_fd=descriptor, dst_dir_fd=descriptor)
            os.fsync(descriptor)
            os.close(descriptor)

        series = bench.in_turn([
            Contestant("ours", uninstall, before=install, after=gone),
            Contestant("rm -rf", lambda folder: run("rm", "-rf", folder), before=unpack),
            Contestant(FLOOR, move, before=unpack_durably),
        ])
    bench.compare(series, "ours: call", "rm -rf", "call")
    bench.compare(series, "ours: call", FLOOR, None)
    bench.compare(series, "ours: space", "rm -rf", "space")
