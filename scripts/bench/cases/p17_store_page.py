"""The store's page in a browser that has never seen it, typing in its search, and its progress bars."""

import contextlib
import hashlib
import http.client
import json
import os
import random
import re
import urllib.parse

from browser import PROGRAM, Browser
from measure import Contestant, Wrong
from servers import Home, Nginx, exchange

WHAT = "the store's page with 10,000 products in a cold browser; typing in its search; 100 downloads at once"
COUNT, DOWNLOADS = 10_000, 100
# The time in which frames are counted, and how many words are typed in a round.
SECONDS, WORDS = 5, 12
# Bytes of each archive, and those that each download gets in a second: they do not end while frames are counted.
ARCHIVE, RATE = 40_000_000, 200_000
TIMES = """
    JSON.stringify((() => {
        const [page] = performance.getEntriesByType("navigation");
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        return {paint: paint.startTime, scripts: page.domContentLoadedEventEnd};
    })())"""
# The list is current when the number of products is announced, which follows the change of the list.
OBSERVE = """
    (() => {
        window.times = [];
        let pressed;
        document.addEventListener("keydown", ({ timeStamp }) => { pressed = timeStamp; }, true);
        new MutationObserver(() => {
            const [key, changed] = [pressed, performance.now() - pressed];
            requestAnimationFrame(() => {
                // A message is delivered after the frame was drawn.
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => window.times.push([changed, performance.now() - key]);
                port2.postMessage(0);
            });
        }).observe(document.getElementById("status"), { childList: true });
        document.querySelector("input[type=search]").focus();
    })()"""
FRAMES = f"""
    new Promise((done) => {{
        const times = [];
        const step = (time) => {{
            times.push(time);
            if (time - times[0] < {SECONDS * 1000}) requestAnimationFrame(step); else done(times);
        }};
        requestAnimationFrame(step);
    }})"""


def measure_case(bench):
    if not os.path.exists(PROGRAM):
        raise Wrong("Chromium is missing")
    count = bench.sized(COUNT, 200)
    root, slow = bench.place("store"), bench.place("archives")
    with open(os.path.join(slow, "a.zip"), "wb") as file:
        file.truncate(ARCHIVE)
    with contextlib.ExitStack() as stack:
        archives = stack.enter_context(Nginx(slow, bench.place("nginx-slow"), rate=RATE))
        names = make_store(root, count, archives.address)
        server = stack.enter_context(Nginx(root, bench.place("nginx")))
        home = stack.enter_context(Home(
            bench, bench.place("home"), WEB_PORT=0, NETWORK_CONNECTIONS_PER_HOST=2 * DOWNLOADS,
            NETWORK_ALLOW_LOCAL_ADDRESSES="true"))
        home.storectl("store", "add", "bench", server.address, "--unsigned")
        page = Session(home)
        open_cold(bench, page)
        type_words(bench, page, names)
        count_frames(bench, page, home)


def make_store(root, count, archives):
    """Writes a store of format 2, and returns the names of its products."""
    generator = random.Random(17)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = sorted({"".join(generator.choices(letters, weights=range(30, 4, -1), k=generator.randint(4, 9)))
                    for _ in range(3000)})
    products = []
    for number in range(count):
        name = " ".join(generator.choices(words, k=2)).title()
        # The downloads end with the daemon, before a hash is compared; archives of the same hash would be fetched once.
        digest = hashlib.sha256(b"%d" % number).hexdigest()
        products.append({
            "productIdentifier": f"org.example.pack{number:05}", "productName": name, "productType": "sticker",
            "productPrice": "free" if generator.random() < 0.9 else "1.99 EUR", "version": "1.0.0",
            "publisher": generator.choice(words).title(), "productResourceURL": f"{archives}a.zip?{number}",
            "productResourceSize": ARCHIVE, "productResourceSHA256": digest,
        })
    shard = json.dumps({"format": 2, "products": products}).encode()
    digest = hashlib.sha256(shard).hexdigest()
    index = {"format": 2, "products": count, "shards": [
        {"url": f"catalogue/{digest}.json", "size": len(shard), "sha256": digest, "products": count}]}
    os.makedirs(os.path.join(root, "catalogue"))
    for path, content in ((f"catalogue/{digest}.json", shard), ("catalogue.json", json.dumps(index).encode())):
        with open(os.path.join(root, path), "wb") as file:
            file.write(content)
    return [product["productName"] for product in products]


class Session:
    """A session of the daemon's pages, which browsers share."""

    def __init__(self, home):
        link = urllib.parse.urlsplit(json.loads(home.storectl("web", "--no-open", "--json"))["link"])
        self.origin, self.host, self.port = f"{link.scheme}://{link.netloc}", link.netloc, link.port
        answer = self.get(f"{link.path}?{link.query}")
        self.name, self.secret = answer.getheader("Set-Cookie").split(";")[0].split("=", 1)

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", path, headers={"Host": self.host, "Accept": "text/html", **headers})
        return connection.getresponse()

    def content(self, path):
        return self.get(path, Cookie=f"{self.name}={self.secret}").read()

    def log_in(self, browser):
        browser.call("Network.setCookie", name=self.name, value=self.secret, url=self.origin)


def open_cold(bench, page):
    """The first visit, beside a copy of the page and of its style that nginx serves."""
    copy = bench.place("copy")
    html = page.content("/store").decode()
    # The copy has nothing to follow.
    html = re.sub(r'<script.*?</script>\n?|<link rel="manifest"[^>]*>\n?', "", html)
    os.makedirs(os.path.join(copy, "assets"))
    for name, content in (("store.html", html.encode()), ("assets/pages.css", page.content("/assets/pages.css")),
                          ("assets/icon.svg", page.content("/assets/icon.svg"))):
        with open(os.path.join(copy, name), "wb") as file:
            file.write(content)
    received = []
    with Nginx(copy, bench.place("nginx-copy")) as server:
        def visit(name, address, is_ours):
            entered = []

            def before(folder):
                entered[:] = [Browser(os.path.join(folder, "browser"))]
                entered[0].__enter__()
                if is_ours:
                    page.log_in(entered[0])

            def work(_):
                browser = entered[0]
                browser.open(address)
                browser.until("performance.getEntriesByName('first-contentful-paint').length")
                times = json.loads(browser.value(TIMES))
                if browser.value("document.querySelectorAll('.card').length") != 60:
                    raise Wrong(f"{address} does not show its products")
                if is_ours:
                    received.append(sum(size for kind, size in browser.bytes_received().items() if kind != "Image"))
                return {"first paint": times["paint"] / 1000,
                        "interactive": max(times["paint"], times["scripts"]) / 1000}

            def after(_):
                entered[0].__exit__()
            return Contestant(name, work, before, after)

        series = bench.in_turn([
            visit("ours", f"{page.origin}/store", True), visit("static", f"{server.address}store.html", False)])
    for part, bar in (("first paint", "paint"), ("interactive", "interactive")):
        bench.find(f"{part} of the store's page", series[f"ours: {part}"], bar, unit=" s")
        bench.compare(series, f"ours: {part}", f"static: {part}", None)
    bench.find("bytes received without pictures", [size / 1000 for size in received], "bytes", unit=" kB")


def type_words(bench, page, names):
    """Each key is pressed when the list has followed the one before."""
    changed, drawn = [], []
    generator = random.Random(18)
    with Browser(bench.place("typing")) as browser:
        page.log_in(browser)
        browser.open(f"{page.origin}/store")
        browser.until("document.getElementById('offline').hidden")
        browser.value(OBSERVE)
        for number in range(bench.rounds + 1):
            times = []
            for name in generator.sample(names, bench.sized(WORDS, 2)):
                clear(browser)
                for key in name.lower().split()[0][:6]:
                    browser.press(key)
                    browser.until("window.times.length")
                    times.append(browser.value("window.times.shift()"))
            # The first round warms the browser and the daemon up.
            if number:
                changed.append(percentile([time for time, _ in times]))
                drawn.append(percentile([time for _, time in times]))
    bench.find("from a key to the changed list, p95", changed, "typing", unit=" ms")
    bench.find("from a key to the list on the screen, p95", drawn, None, unit=" ms")


def clear(browser):
    """Empties the field, and waits until all products are listed."""
    browser.value("""(() => {
        const field = document.querySelector("input[type=search]");
        field.value = "";
        field.dispatchEvent(new Event("input", { bubbles: true }));
    })()""")
    browser.until("window.times.length")
    browser.value("window.times.length = 0")


def percentile(times):
    return sorted(times)[len(times) * 95 // 100]


def count_frames(bench, page, home):
    """Frames in each whole second while all cards of the page show the progress of a download."""
    with Browser(bench.place("frames")) as browser:
        page.log_in(browser)
        browser.open(f"{page.origin}/store?free=true")
        browser.until("document.getElementById('offline').hidden")
        at_rest, _ = frames(browser)
        shown = json.loads(browser.value(
            "JSON.stringify([...document.querySelectorAll('.card')].map(({ dataset }) => dataset.product))"))
        products = shown + [f"org.example.pack{number:05}" for number in range(bench.sized(COUNT, 200))
                            if f"org.example.pack{number:05}" not in shown]
        with home.connect() as connection:
            started = 0
            for product in products:
                status, _ = exchange(
                    connection, "POST", "/v1/downloads", json.dumps({"productIdentifier": product}))
                started += status < 300
                if started == DOWNLOADS:
                    break
        moving = "[...document.querySelectorAll('.card progress')].filter(({ value }) => value > 0).length === 60"
        browser.until(moving)
        counts, gaps = [], []
        for _ in range(bench.rounds):
            some, gap = frames(browser)
            counts += some
            gaps.append(gap)
        running = [one for one in home.ask("GET", "/v1/downloads")["downloads"] if one["activity"] == "transferring"]
        if len(running) != DOWNLOADS:
            raise Wrong(f"{len(running)} downloads run")
    bench.find("frames a second with 100 downloads", counts, "frames", larger_is_better=True)
    bench.find("frames a second before them", at_rest, None, larger_is_better=True)
    bench.find("longest time between two frames", gaps, None, unit=" ms")


def frames(browser):
    """The numbers of frames in whole seconds, and the longest time between two."""
    times = browser.value(FRAMES)
    counts = [sum(1 for time in times if second <= (time - times[0]) / 1000 < second + 1) for second in range(SECONDS)]
    return counts, max(after - before for before, after in zip(times, times[1:]))
