"""What a daemon costs that has nothing to do: the time until it answers, and how often it wakes up."""

import os
import shutil
import socket
import subprocess
import time

from cases import p3_install, p17_store_page
from measure import Contestant, Wrong, run
from servers import Home, Nginx, exchange, free_port, unix_connection, until

WHAT = ("the daemon: start to first answer, with 0 and 1,000 packs, by its socket; to a product of 40,000; at rest; its end when"
        " idle")
PRODUCTS = 40_000
LOADED = "ours: the program loaded, and nothing done"


def measure_case(bench):
    count = bench.sized(p3_install.COUNT, 20)
    full, many = home_with_packs(bench, count), f"ours, {count:,} packs"
    products = bench.sized(PRODUCTS, 200)
    offered, large = home_with_products(bench, products), f"ours, a product of {products:,}"
    series = bench.in_turn([
        started(bench, "ours"), started(bench, many, full), started(bench, large, offered, "/v1/products?limit=1"),
        woken(bench), aria2(), loaded(bench),
    ])
    bench.compare(series, "ours", "aria2c with RPC", "start")
    bench.compare(series, many, "aria2c with RPC", "start")
    bench.compare(series, "ours, by its socket", "aria2c with RPC", None)
    bench.compare(series, large, "ours", None)
    bench.compare(series, "ours", LOADED, None)
    rest(bench, full)
    end_by_itself(bench)


def rest(bench, home):
    """Counts wake-ups of both daemons in turn.

    On Linux libdispatch checks once a second whether it has too few threads, from its first work to the end of the process
    (src/event/workqueue.c, _dispatch_workq_init_once). No setting switches that off.
    """
    seconds, ours, theirs = bench.sized(10, 3), [], []
    with Home(bench, home) as running, Aria2(bench.place("aria2")) as peer:
        for _ in range(bench.sized(3, 1)):
            ours.append(wake_ups(running.daemon.pid, seconds))
            theirs.append(sum(wake_ups(peer.process.pid, seconds).values()))
        print(f"  wake-ups by thread: {ours}")
        print(f"  memory at rest {running.memory('RssAnon') / 1e6:.1f} MB", flush=True)
    totals = [sum(threads.values()) for threads in ours]
    bench.find(f"wake-ups in {seconds} s of rest", totals, None)
    bench.find(f"wake-ups of aria2c in {seconds} s", theirs, None)
    bench.find("ours : aria2c, wake-ups at rest", [a / max(1, b) for a, b in zip(totals, theirs)], "rest")


def home_with_packs(bench, count):
    """Returns the path of a home in which so many packs are installed, and no daemon runs."""
    names, home = p3_install.names(count), bench.place("full")
    store = p3_install.make_store(bench, names)
    with Nginx(os.path.join(store, "public"), bench.place("nginx")) as server, Home(bench, home) as running:
        running.storectl("store", "add", "bench", server.address, "--unsigned")
        running.storectl("install", "--quiet", *names)
        if len(running.ask("GET", "/v1/packs")["packs"]) != count:
            raise Wrong(f"not all of {count} packs are installed")
    return home


def home_with_products(bench, count):
    """Returns the path of a home that knows the catalogue of a store with so many products, and no daemon runs."""
    root, home = bench.place("catalogue"), bench.place("offered")
    p17_store_page.make_store(root, count, "https://example.org/")
    with Nginx(root, bench.place("nginx-catalogue")) as server, Home(bench, home) as running:
        running.storectl("store", "add", "bench", server.address, "--unsigned")
        if running.ask("GET", "/v1/stores")["stores"][0]["products"] != count:
            raise Wrong(f"not all of {count} products are offered")
    return home


def started(bench, name, home=None, path="/v1/status"):
    """A contestant that starts a daemon, in a new home or in a copy of one, and requests a path of it."""
    running = {}

    def before(folder):
        if home:
            shutil.copytree(home, folder, symlinks=True, dirs_exist_ok=True)
        # The first start creates the directories and the database.
        Daemon(bench, folder).terminate_and_wait()

    def work(folder):
        running[folder] = Daemon(bench, folder, path)

    return Contestant(name, work, before, lambda folder: running.pop(folder).terminate_and_wait())


def loaded(bench):
    """A contestant that starts the daemon's program only to print its version: the loader and the runtime of the language."""
    return Contestant(LOADED, lambda _: run(bench.program("stored"), "--version"))


class Daemon:
    """A daemon that has answered when this is made."""

    def __init__(self, bench, home, path="/v1/status"):
        self.process = subprocess.Popen(
            [bench.program("stored"), "--home", home, "--idle-timeout", "0", "--log-level", "error"])
        first_answer(lambda: unix_connection(os.path.join(home, "run")), self.process, path=path)

    def terminate_and_wait(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Wrong(f"the daemon ended with {self.process.returncode}")


def first_answer(connect, process, method="GET", path="/v1/status", body=""):
    """Asks until there is an answer."""
    while process.poll() is None:
        try:
            with connect() as connection:
                status, _ = exchange(connection, method, path, body)
            if status != 200:
                raise Wrong(f"{path} answers {status}")
            return
        except OSError:
            time.sleep(0.0002)
    raise Wrong(f"it ended with {process.returncode}")


def woken(bench):
    """As systemd does it: the socket exists, and a client waits for the daemon that is started when it connects."""
    running = {}

    def before(folder):
        Daemon(bench, folder).terminate_and_wait()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.path.join(folder, "run", "stored.sock"))
        listener.listen()
        running[folder] = [listener]

    def work(folder):
        listener = running[folder][0]
        with unix_connection(os.path.join(folder, "run")) as connection:
            # The shell becomes the daemon, whose number the variable must have.
            process = subprocess.Popen(
                ["sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", bench.program("stored"), "--home", folder,
                 "--idle-timeout", "0", "--log-level", "error"],
                env=os.environ | {"LISTEN_FDS": "1"}, pass_fds=(3,),
                preexec_fn=lambda: os.dup2(listener.fileno(), 3))
            running[folder].append(process)
            status, _ = exchange(connection, "GET", "/v1/status")
        if status != 200:
            raise Wrong(f"the daemon that was started for its socket answers {status}")

    def after(folder):
        listener, process = running.pop(folder)
        listener.close()
        process.terminate()
        process.wait()

    return Contestant("ours, by its socket", work, before, after)


class Aria2:
    """A daemon of aria2 that answers when it is entered."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        port = free_port()
        self.process = subprocess.Popen(
            ["aria2c", "--no-conf", "-q", "--enable-rpc", f"--rpc-listen-port={port}", "-d", self.folder])
        first_answer(lambda: socket.create_connection(("127.0.0.1", port)), self.process, "POST", "/jsonrpc",
                     '{"jsonrpc":"2.0","id":1,"method":"aria2.getVersion"}')
        return self

    def __exit__(self, *_):
        # After SIGTERM it takes seconds to end.
        self.process.kill()
        self.process.wait()


def aria2():
    running = {}

    def work(folder):
        running[folder] = Aria2(folder)
        running[folder].__enter__()

    return Contestant("aria2c with RPC", work, after=lambda folder: running.pop(folder).__exit__())


def wake_ups(pid, seconds):
    """Returns how often each thread of a process ran after it had waited, without threads that did not."""
    def count():
        total = {}
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as file:
                total[thread] = next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt"))
        return total

    # The work of the start and of its first answers ends meanwhile.
    time.sleep(2)
    before = count()
    time.sleep(seconds)
    after = count()
    differences = {thread: number - before.get(thread, 0) for thread, number in after.items()}
    return {thread: number for thread, number in differences.items() if number}


def end_by_itself(bench):
    home = bench.place("idle")
    process = subprocess.Popen([bench.program("stored"), "--home", home, "--idle-timeout", "1", "--log-level", "error"])
    until(lambda: process.poll() is not None, "the end of an idle daemon")
    if process.returncode != 0 or os.path.exists(os.path.join(home, "run", "stored.sock")):
        raise Wrong(f"the idle daemon ended with {process.returncode}")
    print("  ended by itself when idle", flush=True)
