"""Opening a picker of all emoji of Unicode 15 and drawing 50: one compiled file, one file each, one SQLite file."""

import os
import sqlite3

from measure import Contestant, Wrong, output

WHAT = "open a picker of 3,600 emoji, then draw 50; look one up in a new process"
FONT = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
LIST = "/usr/share/unicode/emoji/emoji-test.txt"
DRAWN = 50


def measure_case(bench):
    folder = bench.place("emoji")
    compiled, images, database = (os.path.join(folder, name) for name in ("set", "images", "set.sqlite"))
    ours, peer = bench.program("bench-emoji"), bench.peer("emoji-pictures")
    total = int(output(ours, "compile", FONT, LIST, compiled, images))
    names = sorted(os.listdir(images))
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE emoji (name TEXT PRIMARY KEY, image BLOB NOT NULL)")
        for name in names:
            with open(os.path.join(images, name), "rb") as file:
                connection.execute("INSERT INTO emoji VALUES (?, ?)", (name, file.read()))
    connection.close()
    print(f"  {total:,} emoji, {os.path.getsize(compiled) / 1e6:.1f} MB compiled")
    memory = {}

    def measured(who, program, *arguments):
        took, emoji, drawn, used = map(int, output(program, *arguments).split())
        if emoji != total or drawn <= 0:
            raise Wrong(f"{who}: {emoji} emoji of {total}, {drawn} bytes drawn")
        memory[who] = used
        return took / 1e9

    times = bench.sized(200, 5)
    series = bench.in_turn([
        Contestant("open and draw", lambda _: {
            "compiled": measured("compiled", ours, "open", compiled, DRAWN, times),
            "one file each": measured("one file each", peer, "files", images, DRAWN, bench.sized(20, 2)),
            "one file each, listed only": measured("listed", peer, "listed", images, DRAWN, times),
            "SQLite": measured("SQLite", peer, "sqlite", database, DRAWN, times),
        }),
        # A new process each time; the files are in the page cache.
        Contestant("first lookup", lambda _: {
            "compiled": int(output(ours, "first", compiled, "1F468 200D 1F33E").split()[0]) / 1e9,
            "SQLite": measured("SQLite, first", peer, "sqlite", database, 1, 1),
        }),
    ])
    bench.compare(series, "open and draw: compiled", "open and draw: one file each", "files")
    bench.compare(series, "open and draw: compiled", "open and draw: SQLite", "sqlite")
    bench.compare(series, "open and draw: compiled", "open and draw: one file each, listed only", None)
    bench.compare(series, "first lookup: compiled", "first lookup: SQLite", None)
    for who, used in memory.items():
        print(f"  {who:<16} {used / 1e6:.1f} MB of memory of its own")
