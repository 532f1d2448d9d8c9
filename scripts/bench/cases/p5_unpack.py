"""Unpacking a ZIP. No contestant syncs, and none restores times, owners or permissions, which ours does not do either.

Ours also computes the SHA-256 of each file, which the receipt of a pack has, as does the floor in C.
"""

import os
import zipfile

import inputs
from measure import Contestant, Wrong, run

WHAT = "unpack 10,000 files, 100 MB, deflated"
FOLDERS, FILES, SIZE = 10, 1000, 10_000
FLOOR = "floor: the same in C"


def measure_case(bench):
    archive = os.path.join(bench.folder, "input.zip")
    inputs.texts(archive, FOLDERS, FILES, SIZE)
    with zipfile.ZipFile(archive) as opened:
        expected = {entry.filename.removeprefix("pack/"): entry.CRC for entry in opened.infolist()}

    def whole(folder):
        # The pack's folder is left out by ours.
        inner = os.path.join(folder, "pack")
        if inputs.checksums(inner if os.path.isdir(inner) else folder) != expected:
            raise Wrong("not every file came out as it went in")

    def made(folder):
        if inputs.count_and_size(folder)[0] != len(expected):
            raise Wrong("the floor made other files")

    series = bench.in_turn([
        Contestant("ours", lambda folder: run(bench.program("bench-unpack"), archive, folder), after=whole),
        Contestant("ours, one thread", lambda folder: run(bench.program("bench-unpack"), archive, folder, 1),
                   after=whole),
        Contestant("bsdtar", lambda folder: run(
            "bsdtar", "-xmf", archive, "--no-same-owner", "--no-same-permissions", "-C", folder), after=whole),
        Contestant("unzip", lambda folder: run("unzip", "-qq", "-DD", archive, "-d", folder), after=whole),
        Contestant("7z", lambda folder: run("7z", "x", "-bd", f"-o{folder}", archive), after=whole),
        Contestant(FLOOR, lambda folder: run(bench.peer("unpack-checked"), archive, folder), after=whole),
        Contestant("floor: files only", lambda folder: run(bench.peer("make-files"), folder, FOLDERS, FILES, SIZE), after=made),
    ])
    # The peers unpack a ZIP with one thread.
    bench.compare(series, "ours, one thread", "bsdtar", "bsdtar")
    for peer in ("unzip", "7z", FLOOR, "floor: files only"):
        bench.compare(series, "ours, one thread", peer, None)
    bench.compare(series, FLOOR, "bsdtar", None)
    bench.compare(series, "ours", "bsdtar", None)
