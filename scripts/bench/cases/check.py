"""`storehouse check` over a folder of small archives."""

import json
import os
import random

import inputs
from measure import Contestant, Wrong, output

WHAT = "storehouse check over 10,000 sticker packs of 26 KB"
COUNT = 10_000


def measure_case(bench):
    generator = random.Random(9)
    pictures = [inputs.png(generator, 8_500) for _ in range(300)]
    folder = bench.place("archives")
    files = [os.path.join(folder, f"{number:05}.zip") for number in range(COUNT)]
    for number, file in enumerate(files):
        inputs.stickers(file, f"org.example.pack{number}", generator.sample(pictures, 3))

    def check(*options):
        def work(_):
            printed = output(bench.program("storehouse"), "check", "--json", *options, *files)
            verdicts = [json.loads(line) for line in printed.splitlines()]
            if [verdict["file"] for verdict in verdicts] != files:
                raise Wrong("not every archive has its verdict, in order")
            if any(verdict["verdict"] != "accepted" for verdict in verdicts):
                raise Wrong("not every archive was taken")
        return work

    def seven_zip(_):
        # Given several names it takes the first for the archive and the others for files in it.
        if f"OK archives: {COUNT}".encode() not in output("7z", "t", "-bd", os.path.join(folder, "*.zip")):
            raise Wrong("7z did not take every archive")

    series = bench.in_turn([
        Contestant("ours", check()),
        Contestant("ours, --kind sticker", check("--kind", "sticker")),
        Contestant("7z t", seven_zip),
    ])
    bench.find("archives a second", [COUNT / value for value in series["ours"]], "archives", larger_is_better=True)
    bench.find("archives a second, --kind sticker", [COUNT / value for value in series["ours, --kind sticker"]],
               "stickers", larger_is_better=True)
    bench.compare(series, "ours", "7z t", None)
