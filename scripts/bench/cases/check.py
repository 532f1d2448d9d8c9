"""`storehouse check` over a folder of small archives."""

import json
import os
import random

import inputs
from measure import Contestant, Wrong, output

WHAT = "storehouse check over 10,000 sticker packs of 26 KB, and 7z t, on one processor each"
COUNT = 10_000
# 7z tests a ZIP with one thread, and ours has one for each processor that it may use.
PROCESSOR = ("taskset", "-c", "0")


def measure_case(bench):
    generator = random.Random(9)
    pictures = [inputs.png(generator, 8_500) for _ in range(300)]
    folder = bench.place("archives")
    files = [os.path.join(folder, f"{number:05}.zip") for number in range(COUNT)]
    for number, file in enumerate(files):
        inputs.stickers(file, f"org.example.pack{number}", generator.sample(pictures, 3))

    def check(name, *options):
        printed = []

        def work(_):
            printed[:] = [output(*PROCESSOR, bench.program("storehouse"), "check", "--json", *options, *files)]

        def after(_):
            verdicts = [json.loads(line) for line in printed[0].splitlines()]
            if [verdict["file"] for verdict in verdicts] != files:
                raise Wrong("not every archive has its verdict, in order")
            if any(verdict["verdict"] != "accepted" for verdict in verdicts):
                raise Wrong("not every archive was accepted")
        return Contestant(name, work, after=after)

    def seven_zip(_):
        # Of several names, the first is that of the archive and the others are names of files in it.
        if f"OK archives: {COUNT}".encode() not in output(
                *PROCESSOR, "7z", "t", "-bd", os.path.join(folder, "*.zip")):
            raise Wrong("7z did not take every archive")

    series = bench.in_turn([
        check("ours"), check("ours, --kind sticker", "--kind", "sticker"),
        Contestant("7z t", seven_zip),
    ])
    bench.find("archives a second", [COUNT / value for value in series["ours"]], "archives", larger_is_better=True)
    bench.find("archives a second, --kind sticker", [COUNT / value for value in series["ours, --kind sticker"]],
               "stickers", larger_is_better=True)
    bench.compare(series, "ours", "7z t", "7z")
    bench.compare(series, "ours, --kind sticker", "7z t", None)
