"""What installing many small packs costs the daemon and its workers, mostly in figures that no machine makes faster."""

import os
import signal
import subprocess
import time

from cases import p3_install
from measure import Wrong, settle
from servers import Home, Nginx, until

WHAT = "the cost of installing 1,000 packs of 26 KB: system calls, context switches, syncs, processor time"
SYNCS = [f"syscalls:sys_enter_{name}" for name in ("fsync", "fdatasync", "syncfs", "sync_file_range", "msync")]
EVENTS = ["raw_syscalls:sys_enter", "context-switches", "page-faults", "task-clock", *SYNCS]


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server:
        floor = p3_install.Floor(bench, server.address, store)
        # The first run fills the caches of the kernel.
        numbers = range(bench.rounds + 1)
        rounds = [ours(bench, server.address, identifiers, number) for number in numbers][1:]
        # The same for each build that is measured.
        peers = [] if bench.is_side else [theirs(bench, floor, number) for number in numbers][1:]
    packs = len(identifiers)

    def find(what, value, bar=None, **options):
        bench.find(what, [value(events) for events in rounds], bar, **options)
        if peers:
            bench.find(f"{what}: {p3_install.FLOOR}", [value(events) for events in peers], None, **options)

    find("system calls per pack", lambda events: events["raw_syscalls:sys_enter"] / packs, "calls")
    find("context switches per pack", lambda events: events["context-switches"] / packs, "switches")
    find("syncs per 1,000 packs", lambda events: sum(events[name] for name in SYNCS) * 1000 / packs, "syncs")
    find("page faults per pack", lambda events: events["page-faults"] / packs)
    # In milliseconds (perf-stat(1)). The only figure that depends on the machine.
    find("processor time per pack", lambda events: events["task-clock"] / packs, unit=" ms")


def ours(bench, address, identifiers, number):
    """Installs all products with a new daemon, and counts what it and the processes that it starts do meanwhile."""
    place = bench.place(f"round-{number}")
    with Home(bench, os.path.join(place, "home")) as home:
        home.storectl("store", "add", "bench", address, "--unsigned")
        settle(place)
        return counts(home.daemon.pid, place, lambda: home.storectl("install", "--quiet", *identifiers))


def theirs(bench, floor, number):
    """Installs all products with the floor, and counts what it does meanwhile."""
    place = bench.place(f"floor-{number}")
    floor.before(place)
    settle(place)
    events = counts(floor.processes[place].process.pid, place, lambda: floor.work(place))
    floor.after(place)
    return events


def counts(pid, place, work):
    """The events of a process, and of those that it starts, while `work` runs."""
    results = os.path.join(place, "perf.csv")
    perf = subprocess.Popen(["perf", "stat", "-x", ";", "-e", ",".join(EVENTS), "-p", str(pid), "-o", results])
    # Each thread has its counters from then on.
    until(lambda: os.path.exists(results), "the start of perf")
    time.sleep(0.5)
    try:
        work()
    finally:
        perf.send_signal(signal.SIGINT)
        perf.wait()
    return read(results)


def read(path):
    """The counts of a file that `perf stat -x ';'` has written, by event."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split(";")
            if len(fields) > 2:
                if fields[0].startswith("<"):
                    raise Wrong(f"perf can't count {fields[2]}: {fields[0]}")
                found[fields[2]] = float(fields[0])
    missing = set(EVENTS) - set(found)
    if missing:
        raise Wrong(f"perf did not count {', '.join(sorted(missing))}")
    return found
