"""Stopping a large pack while it is unpacked: the end of the daemon after SIGTERM, and the end of a cancelled task."""

import json
import os
import random
import time

import inputs
from measure import Wrong
from servers import Home, exchange, until

WHAT = "SIGTERM and cancel while a pack of 1 GiB is unpacked"
IDENTIFIER = "org.example.large"
PICTURE = 1 << 20


def measure_case(bench):
    archive = os.path.join(bench.folder, "input.zip")
    generator = random.Random(18)
    pictures = [inputs.png(generator, PICTURE) for _ in range(8)]
    # A little less than the limit of an archive, the pictures' headers included.
    inputs.stickers(archive, IDENTIFIER, (pictures[number % 8] for number in range(bench.sized(1000, 120))))
    stopped, cancelled = [], []
    for number in range(bench.rounds):
        stopped.append(terminate(bench, archive, bench.place(f"stopped-{number}")))
        cancelled.append(cancel(bench, archive, bench.place(f"cancelled-{number}")))
    bench.find("SIGTERM to the exit", stopped, "exit", unit=" s")
    bench.find("cancel to the end of the task", cancelled, "cancel", unit=" s")


def unpacking(home, archive):
    """Begins an installation, and returns when some of its files are in staging."""
    body = json.dumps({"productIdentifier": IDENTIFIER, "file": archive})
    with home.connect() as connection:
        status, answer = exchange(connection, "POST", "/v1/downloads", body)
    if status not in (200, 202):
        raise Wrong(f"the installation does not begin: {status} {answer.decode(errors='replace')}")
    until(lambda: staged_files(home) > 3, "the beginning of unpacking", limit=120)


def staged_files(home):
    return inputs.count_and_size(os.path.join(home.path, "data/staging"))[0]


def check_stopped(home):
    if os.listdir(os.path.join(home.path, "data/staging")):
        raise Wrong("something is left in staging")
    if os.listdir(home.packs):
        raise Wrong("the pack was installed before it could be stopped")


def terminate(bench, archive, folder):
    with Home(bench, folder) as home:
        unpacking(home, archive)
        start = time.perf_counter()
        home.daemon.terminate()
        code = home.daemon.wait()
        took = time.perf_counter() - start
        if code != 0:
            raise Wrong(f"the daemon ended with {code}")
        # An earlier build leaves its staging to the next start.
        if not bench.is_side:
            check_stopped(home)
    return took


def cancel(bench, archive, folder):
    with Home(bench, folder) as home:
        unpacking(home, archive)
        start = time.perf_counter()
        home.ask("DELETE", f"/v1/downloads/{IDENTIFIER}")
        until(lambda: home.ask("GET", f"/v1/downloads/{IDENTIFIER}")["state"] == "Cancelled", "the cancellation")
        took = time.perf_counter() - start
        check_stopped(home)
    return took
