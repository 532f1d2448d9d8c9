"""Loading a skin: compiled, from XML, and libxml2 alone on the same file; how that grows; and many objects."""

import math
import os

from measure import Contestant, Wrong, output

WHAT = "load a skin of 2,000 values; of 10 to 100,000; change the skin of 10,000 objects"
VALUES = 2_000
FLOOR = "floor: each value copied in C"
GROWTH = [10, 100, 1_000, 10_000, 100_000]


def write_skin(folder, identifier, values, shade=0):
    """Four values an identifier: a colour and a font of its own, a number and a reference from a class."""
    path = os.path.join(folder, f"{identifier}.theme")
    os.makedirs(path)
    with open(os.path.join(path, "skin.xml"), "w", encoding="utf-8") as file:
        file.write(f'<skin identifier="{identifier}" name="Bench" version="1"/>')
    lines = [
        "<theme>", '<constants><constant name="accent" type="color">#102030</constant></constants>', "<classes>",
        *(f'<class id="c{radius}"><operation name="cornerRadius"><param name="radius" type="float">{radius}</param>'
          '</operation><operation name="textColor"><param name="color" type="color" ref="accent"/></operation></class>'
          for radius in range(16)),
        # The last identifier may have fewer than four.
        '<class id="one"><operation name="cornerRadius"><param name="radius" type="float">1</param></operation></class>',
        "</classes>", "<instances>",
    ]
    written = 0
    for number in range(math.ceil(values / 4)):
        rest = min(4, values - written)
        written += rest
        operations = [
            f'<operation name="backgroundColor"><param name="color" type="color">#{(number * 7919 + shade) % 0xffffff:06x}'
            "</param></operation>",
            f'<operation name="font"><param name="font" type="font">Sans; {10 + number % 8}; bold</param></operation>',
        ][:rest]
        style = {4: f' class="c{number % 16}"', 3: ' class="one"'}.get(rest, "")
        lines += [f'<uilabel id="part_{number}"{style}>', *operations, "</uilabel>"]
    lines += ["</instances>", "</theme>"]
    file = os.path.join(path, "theme.xml")
    with open(file, "w", encoding="utf-8") as opened:
        opened.write("\n".join(lines))
    return file


def measure_case(bench):
    skins, cache = bench.place("skins"), bench.place("cache")
    file = write_skin(skins, "skin", VALUES)
    print(f"  {os.path.getsize(file) / 1e3:.0f} KB of XML")

    def ours(mode, identifier="skin", expected=VALUES, times=bench.sized(400, 20)):
        took, values, memory = map(
            int, output(bench.program("bench-skins"), mode, skins, cache, identifier, times).split())
        if values != expected:
            raise Wrong(f"{values} values were loaded and not {expected}")
        return took / 1e9, memory

    def peer(mode):
        return int(output(bench.peer("parse-xml"), mode, file, bench.sized(400, 20))) / 1e9

    def floor():
        compiled, = (os.path.join(cache, name) for name in os.listdir(cache))
        took, values = map(int, output(bench.peer("read-skin"), compiled, bench.sized(400, 20)).split())
        if values != VALUES:
            raise Wrong(f"the floor read {values} values")
        return took / 1e9

    series = bench.in_turn([
        Contestant("load", lambda _: {
            "compiled": ours("compiled")[0], "compiled, each value read": ours("values")[0], "XML": ours("xml")[0],
            "libxml2, tree": peer("tree"), "libxml2, events": peer("events"), FLOOR: floor(),
        }),
    ])
    # Events without a listener are the least work of a parser.
    for ours_too, bar in (("compiled", "compiled"), ("compiled, each value read", "values"), ("XML", "xml")):
        bench.compare(series, f"load: {ours_too}", "load: libxml2, events", bar)
    bench.compare(series, "load: compiled", "load: libxml2, tree", None)
    bench.compare(series, "load: compiled, each value read", f"load: {FLOOR}", None)
    grow(bench, skins, ours)
    change_objects(bench, skins, cache)


def grow(bench, skins, ours):
    counts = bench.sized(GROWTH, GROWTH[:3])
    times = {"xml": [], "compiled": []}
    for count in counts:
        write_skin(skins, f"grown-{count}", count)
        for mode, series in times.items():
            took, memory = ours(mode, f"grown-{count}", count, max(3, 20_000 // count))
            series.append(took)
            print(f"  {count:>7,} values  {mode:<8}  {took * 1e6:>12,.1f} us  {memory / 1e6:.1f} MB", flush=True)
    for mode, series in times.items():
        exponent = math.log(series[-1] / series[-2]) / math.log(counts[-1] / counts[-2])
        bench.find(f"exponent of the time, {counts[-2]:,} to {counts[-1]:,} values, {mode}", [exponent],
                   "growth" if mode == "xml" else None)


def change_objects(bench, skins, cache):
    write_skin(skins, "other", VALUES, shade=1)
    count = bench.sized(10_000, 100)
    took = []
    for _ in range(bench.rounds):
        nanoseconds, objects = map(int, output(
            bench.program("bench-skins"), "objects", skins, cache, "skin", "other", count, bench.sized(20, 3)).split())
        if objects != count:
            raise Wrong(f"{objects} of {count} objects are left")
        took.append(nanoseconds / 1e6)
    bench.find(f"another skin for {count:,} objects", took, "objects", unit=" ms")
