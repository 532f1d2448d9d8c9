"""What a daemon costs that nobody needs now: how soon it answers when somebody does, and what it does meanwhile."""

import os
import socket
import subprocess
import time

from measure import Contestant, Wrong
from servers import Home, exchange, free_port, unix_connection, until

WHAT = "the daemon: start to first answer, woken by the socket, at rest, and its end when idle"


def measure_case(bench):
    series = bench.in_turn([started(bench), woken(bench), aria2()])
    bench.compare(series, "ours", "aria2c with RPC", "start")
    bench.compare(series, "ours, woken", "aria2c with RPC", None)

    seconds = bench.sized(10, 3)
    with Home(bench, bench.place("resting")) as home:
        ours = [wake_ups(home.daemon.pid, seconds) for _ in range(bench.sized(3, 1))]
        print(f"  wake-ups by thread: {ours}")
        print(f"  memory at rest {home.memory('RssAnon') / 1e6:.1f} MB", flush=True)
    bench.find(f"wake-ups in {seconds} s of rest", [sum(threads.values()) for threads in ours], "rest")
    # On Linux libdispatch looks once a second whether its threads have become too few, from its first work to the end
    # of the process (src/event/workqueue.c, _dispatch_workq_init_once), in its manager's thread, which does nothing
    # else here. No setting switches that off.
    bench.find("without libdispatch's own look at its threads",
               [sum(threads.values()) - max(threads.values(), default=0) for threads in ours], "own")
    with Aria2(bench.place("aria2")) as peer:
        bench.find(f"wake-ups of aria2c in {seconds} s", [sum(wake_ups(peer.process.pid, seconds).values())], None)
    end_by_itself(bench)


def started(bench):
    running = {}

    def before(folder):
        # The second start is what every day has.
        Daemon(bench, folder).terminate_and_wait()

    def work(folder):
        running[folder] = Daemon(bench, folder)

    return Contestant("ours", work, before, lambda folder: running.pop(folder).terminate_and_wait())


class Daemon:
    """One that answers when this is made."""

    def __init__(self, bench, home):
        self.process = subprocess.Popen(
            [bench.program("stored"), "--home", home, "--idle-timeout", "0", "--log-level", "error"])
        first_answer(lambda: unix_connection(os.path.join(home, "run")), self.process)

    def terminate_and_wait(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Wrong(f"the daemon ended with {self.process.returncode}")


def first_answer(connect, process, method="GET", path="/v1/status", body=""):
    """Asks until somebody answers."""
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
    """As systemd does it: the socket is there, and whoever connects waits for the daemon that is started for it."""
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
            raise Wrong(f"the woken daemon answers {status}")

    def after(folder):
        listener, process = running.pop(folder)
        listener.close()
        process.terminate()
        process.wait()

    return Contestant("ours, woken", work, before, after)


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
        # Told to end, it takes seconds to say goodbye.
        self.process.kill()
        self.process.wait()


def aria2():
    running = {}

    def work(folder):
        running[folder] = Aria2(folder)
        running[folder].__enter__()

    return Contestant("aria2c with RPC", work, after=lambda folder: running.pop(folder).__exit__())


def wake_ups(pid, seconds):
    """How often each of its threads was given a processor after it had waited; those that never were aside."""
    def count():
        total = {}
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as file:
                total[thread] = next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt"))
        return total

    # What a start and its first answers leave to do is done.
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
