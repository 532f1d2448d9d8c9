"""How soon those who watch hear of a change, what many of them cost, and what those who never read take from others."""

import contextlib
import os
import random
import select
import signal
import subprocess
import time

import inputs
from cases import p3_install
from measure import Wrong
from servers import Home, Nginx, answer, exchange, request

WHAT = "100 downloads that run, 10 observers: from an order to each of them; 1,000 observers at 60 events a second"
RUNNING, OBSERVERS, MANY, SILENT, RATE = 100, 10, 1_000, 100, 60


def measure_case(bench):
    names = p3_install.names(bench.sized(RUNNING, 10))
    store = make_store(bench, names)
    # Each takes minutes, and none shares a connection.
    with Nginx(os.path.join(store, "public"), bench.place("nginx"), rate=5_000) as server, Home(
            bench, bench.place("home"), NETWORK_CONNECTIONS_PER_HOST=len(names),
            DOWNLOADS_MAXIMUM_AT_ONCE=len(names)) as home:
        home.storectl("store", "add", "bench", server.address, "--unsigned")
        home.storectl("install", "--quiet", "--no-wait", *names)
        wait_for(home, len(names), "transferring")
        measure_delays(bench, home, names, "observer")
        with contextlib.ExitStack() as stack:
            for _ in range(bench.sized(SILENT, 10)):
                request(stack.enter_context(home.connect()), "GET", "/v1/events")
            measure_delays(bench, home, names, "observer, where others never read")
            home.storectl("pause", "--all")
            wait_for(home, len(names), "paused")
            measure_many(bench, home, names)


def make_store(bench, names):
    generator = random.Random(9)
    folders = [os.path.join(bench.folder, "packs", name) for name in names]
    for folder, name in zip(folders, names):
        inputs.sticker_folder(folder, name, [inputs.png(generator, 2_000_000)])
    return p3_install.publish(bench, folders)


def wait_for(home, count, activity):
    end = time.monotonic() + 60
    while True:
        found = [one["activity"] for one in home.ask("GET", "/v1/downloads")["downloads"]]
        if found.count(activity) == count:
            return
        if time.monotonic() > end:
            raise Wrong(f"not {count} downloads are {activity}: {found}")
        time.sleep(0.05)


def measure_delays(bench, home, names, whom):
    """From the moment in which an order is sent, so that its way to the daemon and to the disk counts, too."""
    changes = bench.sized(100, 10)
    worst, middle = [], []
    with contextlib.ExitStack() as stack:
        observers = [stack.enter_context(Observer(home)) for _ in range(OBSERVERS)]
        control = stack.enter_context(home.connect())
        for round_number in range(bench.rounds):
            delays = []
            for number in range(changes):
                name = names[(round_number * changes + number) // 2 % len(names)]
                paused = number % 2 == 0
                delays += change(control, observers, name, paused)
            delays.sort()
            worst.append(delays[len(delays) * 99 // 100] * 1000)
            middle.append(delays[len(delays) // 2] * 1000)
    bench.find(f"order to {whom}, p99", worst, "delay", unit=" ms")
    bench.find(f"order to {whom}, median", middle, None, unit=" ms")


def change(control, observers, name, paused):
    """Pauses a download or lets it go on; gives the seconds after which each observer heard of it."""
    for observer in observers:
        observer.wait_for(name, paused)
    waiting = {observer.connection: observer for observer in observers}
    start = time.perf_counter()
    request(control, "PATCH", f"/v1/downloads/{name}", f'{{"paused":{str(paused).lower()}}}')
    delays = []
    end = start + 30
    while waiting:
        readable, _, _ = select.select(list(waiting), [], [], 1)
        for connection in readable:
            if waiting[connection].has_heard():
                delays.append(time.perf_counter() - start)
                del waiting[connection]
        if time.perf_counter() > end:
            raise Wrong(f"{len(waiting)} observers did not hear that '{name}' was changed")
    status, body = answer(control)
    if status != 200:
        raise Wrong(f"'{name}' was not changed: {status} {body}")
    return delays


class Observer:
    """One that reads events on a connection of its own."""

    def __init__(self, home):
        self.connection = home.connect()
        request(self.connection, "GET", "/v1/events")
        self.rest, self.name, self.paused = b"", b"", False
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.connection.recv(1 << 16)

    def wait_for(self, name, paused):
        self.name, self.paused = f'"{name}"'.encode(), paused

    def has_heard(self):
        """Reads what is there."""
        *lines, self.rest = (self.rest + self.connection.recv(1 << 16)).split(b"\n")
        return any(self.name in line and (b'"activity":"paused"' in line) == self.paused for line in lines
                   if line.startswith(b"data: "))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


def measure_many(bench, home, names):
    count = bench.sized(MANY - SILENT, 50)
    seconds = bench.sized(10, 2)
    readers = subprocess.Popen([bench.peer("event-readers"), os.path.join(home.path, "run"), str(count)],
                               stdout=subprocess.PIPE)
    try:
        if readers.stdout.readline() != b"ready\n":
            raise Wrong("the readers were not answered")
        memory = home.memory("RssAnon")
        cores, rounds, told = [], bench.sized(3, 1), 0
        with home.connect() as control:
            for number in range(rounds):
                before, start = processor_time(home.daemon.pid), time.monotonic()
                for event in range(seconds * RATE):
                    # Of one that is paused each change of its place is told, and nothing else.
                    place = 1 + (number * seconds * RATE + event) // len(names)
                    status, body = exchange(control, "PATCH", f"/v1/downloads/{names[event % len(names)]}",
                                              f'{{"priority":{place}}}')
                    if status != 200:
                        raise Wrong(f"a priority was not changed: {status} {body}")
                    told += 1
                    time.sleep(max(0, start + (event + 1) / RATE - time.monotonic()))
                cores.append((processor_time(home.daemon.pid) - before) / (time.monotonic() - start))
        heard(readers, told)
        grown = (home.memory("RssAnon") - memory) / 1e6
        start = time.perf_counter()
        home.daemon.terminate()
        if home.daemon.wait() != 0:
            raise Wrong(f"the daemon ended with {home.daemon.returncode}")
        ended = time.perf_counter() - start
    finally:
        readers.kill()
        readers.wait()
        readers.stdout.close()
    # Those who never read are there as well.
    bench.find(f"processors for {count:,} observers at {RATE} events a second", cores, "processors")
    bench.find("memory of the daemon, more than before", [grown], "memory", unit=" MB")
    bench.find("SIGTERM to the end", [ended], "end", unit=" s")


def heard(readers, told):
    """All observers hear of all, in the same order."""
    end = time.monotonic() + 30
    while True:
        readers.send_signal(signal.SIGUSR1)
        least, most, kinds = (int(word) for word in readers.stdout.readline().split())
        if (least, most, kinds) == (told, told, 1):
            return
        if most > told or time.monotonic() > end:
            raise Wrong(f"of {told} events the observers heard {least} to {most}, in {kinds} different rows")
        time.sleep(0.05)


def processor_time(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
