"""Runs contestants in turn and compares their times."""

import os
import statistics
import subprocess
import time


class Wrong(Exception):
    """A contestant did not do the whole work, so that its time says nothing."""


class Contestant:
    """One way to do the work of a case.

    `work` gets a directory of its own and is timed; it returns nothing, or the seconds of its parts by name if it
    measures them itself. `before` and `after` get the same directory, prepare the work and check that it was done
    completely, and are not timed.
    """

    def __init__(self, name, work, before=None, after=None):
        self.name, self.work = name, work
        self.before, self.after = before or (lambda folder: None), after or (lambda folder: None)

    @property
    def is_ours(self):
        """Whether it runs this program, and takes part when two builds of it are compared."""
        return self.name.startswith(("ours", "load"))


class Series(dict):
    """Seconds of each round, by contestant, or by 'contestant: part'."""

    def ratios(self, ours, peer):
        return [a / b for a, b in zip(self[ours], self[peer])]


def in_turn(contestants, rounds, place, warm_up=True):
    """Runs each contestant once a round, beginning with another one each time.

    What they wrote stays until all is done: ext4 searches long for a free inode right after many were freed, which
    would be counted against whoever writes next.
    """
    series = Series()
    for round_number in range(-1 if warm_up else 0, rounds):
        shift = round_number % len(contestants)
        for contestant in contestants[shift:] + contestants[:shift]:
            folder = os.path.join(place, f"{contestants.index(contestant)}-{round_number}")
            os.mkdir(folder)
            contestant.before(folder)
            settle(place)
            start = time.perf_counter()
            parts = contestant.work(folder)
            took = time.perf_counter() - start
            contestant.after(folder)
            if round_number < 0:
                continue
            for name, seconds in (parts or {"": took}).items():
                series.setdefault(contestant.name + (f": {name}" if name else ""), []).append(seconds)
    return series


def settle(place):
    """Nothing that was written before is still to be written while something is timed."""
    subprocess.run(["sync", "-f", place], check=True)


def run(*command):
    """Runs a program to its end, and says what it printed where it fails."""
    output(*command)


def output(*command):
    """What a program prints."""
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        check=False)
    if done.returncode != 0:
        raise Wrong(f"{command[0]} ended with {done.returncode}: {done.stdout.decode(errors='replace')[-2000:]}")
    return done.stdout


def spread(values):
    return min(values), statistics.median(values), max(values)


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.3f} s"


class Finding:
    """One figure of ours, what it is held against, and the bar."""

    def __init__(self, case, what, values, bar, unit="", larger_is_better=False, note=""):
        self.case, self.what, self.values, self.bar, self.unit, self.note = case, what, values, bar, unit, note
        self.larger_is_better = larger_is_better

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def verdict(self):
        if self.bar is None:
            return ""
        reached = self.median >= self.bar if self.larger_is_better else self.median <= self.bar
        return "reached" if reached else "missed"

    def figures(self):
        low, middle, high = (self.number(value) for value in spread(self.values))
        return f"{middle} ({low} to {high})"

    def number(self, value):
        return f"{value:,.0f}{self.unit}" if value >= 100 else f"{value:.3g}{self.unit}"

    def bar_text(self):
        if self.bar is None:
            return ""
        return ("at least " if self.larger_is_better else "at most ") + self.number(self.bar)
