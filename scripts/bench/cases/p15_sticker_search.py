"""Searching the stickers of many packs as a picker does, through the daemon's API, beside one full-text table."""

import json
import os
import random
import sqlite3
import time
import urllib.parse

import inputs
from cases import p3_install
from measure import Contestant, Wrong, seconds
from servers import Home, Nginx, exchange

WHAT = "search 50,000 stickers in 1,000 packs: words, beginnings of words, emoji"
PACKS, STICKERS = 1_000, 50
# Queries of each kind in a round; there are seven kinds.
QUERIES = 300
LIMIT = 100
# Pictographs that the tokenizer of the peer knows: it has the character classes of Unicode 6.1.
EMOJI = [chr(code) for code in (*range(0x1F600, 0x1F641), *range(0x1F400, 0x1F43E))]


def measure_case(bench):
    packs = make_packs(bench.sized(PACKS, 20), bench.sized(STICKERS, 10))
    store = make_store(bench, packs)
    path = bench.place("home")
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server, Home(bench, path) as home:
        home.storectl("store", "add", "bench", server.address, "--unsigned")
        home.storectl("install", "--quiet", *packs)
        use(home, packs)
    queries = make_queries(packs, bench.sized(QUERIES, 20))
    table = make_table(packs)
    with Home(bench, path) as home, home.connect() as connection:
        start = time.perf_counter()
        ask(connection, ["zzzz"])
        first = time.perf_counter() - start
        reads = home.read_calls()
        check_results(connection, table, queries)
        series = bench.in_turn([
            Contestant("ours", lambda _: timed(lambda query: ask(connection, query), queries)),
            Contestant("FTS5", lambda _: timed(lambda query: look_up(table, query), queries)),
        ])
    bench.find("a search through the API, p99", [value * 1000 for value in series["ours: p99"]], "p99", unit=" ms")
    bench.compare(series, "ours: median", "FTS5: median", "fts5")
    bench.compare(series, "ours: p99", "FTS5: p99", "fts5")
    for kind in queries:
        bench.compare(series, f"ours: {kind}", f"FTS5: {kind}", None)
    # It would be more than the number of stickers if the images were read.
    bench.find("read calls of the daemon's start and first search", [reads], "reads")
    print(f"  the first search after a start took {seconds(first)}")


def make_packs(count, stickers):
    """Returns the stickers of each pack, by its identifier: for each an emoji, three keywords and a description."""
    generator = random.Random(15)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    # As in a language, some letters and some words are much more frequent than others.
    words = list({
        "".join(generator.choices(letters, weights=range(30, 4, -1), k=generator.randint(3, 9))) for _ in range(4000)
    })
    words.sort()
    generator.shuffle(words)
    weights = [1 / (10 + number) for number in range(len(words))]

    def sticker(number):
        some = generator.choices(words, weights, k=9)
        return {"id": f"{some[0]}-{number}", "file": f"{number:05}.png", "emoji": [generator.choice(EMOJI)],
                "keywords": some[1:4], "description": " ".join(some[4:])}

    return {identifier: [sticker(number) for number in range(stickers)] for identifier in p3_install.names(count)}


def make_store(bench, packs):
    generator = random.Random(16)
    pictures = [inputs.png(generator, 500) for _ in range(100)]
    folders = []
    for identifier, stickers in packs.items():
        folder = os.path.join(bench.folder, "packs", identifier)
        inputs.sticker_folder(folder, identifier, generator.choices(pictures, k=len(stickers)))
        with open(os.path.join(folder, "pack.json"), "w", encoding="utf-8") as file:
            json.dump(json.loads(inputs.information(identifier)) | {"stickers": stickers}, file)
        folders.append(folder)
    return p3_install.publish(bench, folders)


def use(home, packs):
    """The user has sent some stickers, marked some, and arranged some packs, all of which counts in the ranking."""
    generator = random.Random(17)
    some = generator.sample(list(packs), min(len(packs), 50))
    names = [(pack, generator.choice(packs[pack])["id"]) for pack in some]
    sent = [{"productIdentifier": pack, "sticker": sticker} for pack, sticker in names]
    with home.connect() as connection:
        for method, path, body in [
            ("POST", "/v1/stickers/sent", {"stickers": sent}), ("PUT", "/v1/stickers/order", {"packs": some[:20]}),
            *(("PUT", f"/v1/stickers/favourites/{pack}/{sticker}", None) for pack, sticker in names[:25]),
        ]:
            status, answer = exchange(connection, method, path, json.dumps(body) if body else "")
            if status >= 300:
                raise Wrong(f"{method} {path}: {status} {answer.decode(errors='replace')}")


def make_queries(packs, count):
    """Returns queries by their kind, each a list of beginnings of words and of emoji."""
    generator = random.Random(18)
    stickers = [sticker for some in packs.values() for sticker in some]

    def word(sticker, letters=None):
        return generator.choice(sticker["keywords"] + sticker["description"].split())[:letters]

    kinds = {
        "a word": lambda sticker: [word(sticker)],
        "the first letter": lambda sticker: [word(sticker, 1)],
        "the first three letters": lambda sticker: [word(sticker, 3)],
        "two beginnings of words": lambda sticker: [word(sticker, 2), word(sticker, 2)],
        "an emoji": lambda sticker: [sticker["emoji"][0]],
        "an emoji and a word": lambda sticker: [sticker["emoji"][0], word(sticker, 4)],
        "no match": lambda sticker: [word(sticker) + "zzz"],
    }
    return {kind: [make(generator.choice(stickers)) for _ in range(count)] for kind, make in kinds.items()}


def make_table(packs):
    """One table in memory with an index of beginnings, and with the weights that the program has for its fields."""
    table = sqlite3.connect(":memory:")
    table.execute("""
        CREATE VIRTUAL TABLE stickers USING fts5(
            product UNINDEXED, file UNINDEXED, packName, description, identifier, keywords, emoji, prefix='1 2 3',
            tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co So'")""")
    table.execute("INSERT INTO stickers(stickers, rank) VALUES ('rank', 'bm25(0, 0, 2, 6, 8, 10, 12)')")
    table.executemany("INSERT INTO stickers VALUES (?, ?, ?, ?, ?, ?, ?)", (
        (identifier, sticker["file"], identifier, sticker["description"], sticker["id"], " ".join(sticker["keywords"]),
         " ".join(sticker["emoji"]))
        for identifier, stickers in packs.items() for sticker in stickers))
    table.execute("INSERT INTO stickers(stickers) VALUES ('optimize')")
    table.commit()
    return table


def ask(connection, query):
    """Sends a search to the daemon, and reads the whole answer."""
    words = urllib.parse.quote(" ".join(query))
    status, body = exchange(connection, "GET", f"/v1/stickers/search?words={words}&limit={LIMIT}")
    if status != 200:
        raise Wrong(f"the search for {query}: {status}")
    return body


def look_up(table, query):
    """The same of the table: the best stickers with all that is known of them, and how many there are in all."""
    match = " ".join(f'"{term}"' if term in EMOJI else f'"{term}"*' for term in query)
    (total,), = table.execute("SELECT count(*) FROM stickers WHERE stickers MATCH ?", (match,)).fetchall()
    best = table.execute("SELECT * FROM stickers WHERE stickers MATCH ? ORDER BY rank LIMIT ?", (match, LIMIT))
    return total, best.fetchall()


def check_results(connection, table, queries):
    """Both find as many stickers for each query, and the same where all of them are in the answer."""
    found_any = 0
    for query in (query for some in queries.values() for query in some):
        answer = json.loads(ask(connection, query))
        ours = {(found["productIdentifier"], found["sticker"]["file"]) for found in answer["stickers"]}
        total, best = look_up(table, query)
        if answer["total"] != total or len(ours) != min(total, LIMIT):
            raise Wrong(f"{query}: {answer['total']} stickers are found, and {total} are in the table")
        if total <= LIMIT and ours != {row[:2] for row in best}:
            raise Wrong(f"{query}: other stickers are found than are in the table")
        found_any += total > 0
    if not found_any:
        raise Wrong("no query finds anything")


def timed(search, queries):
    """The median and the 99th percentile of all queries, which are mixed, and the median of each kind."""
    mixed = [(kind, query) for kind, some in queries.items() for query in some]
    random.Random(19).shuffle(mixed)
    times = {kind: [] for kind in queries}
    for kind, query in mixed:
        start = time.perf_counter()
        search(query)
        times[kind].append(time.perf_counter() - start)
    every = sorted(value for some in times.values() for value in some)
    return {"median": every[len(every) // 2], "p99": every[len(every) * 99 // 100],
            **{kind: sorted(some)[len(some) // 2] for kind, some in times.items()}}
