#!/usr/bin/env python3
"""Measures cases beside their peers, or beside another build. Called by scripts/bench/run, which builds and installs."""

import argparse
import atexit
import contextlib
import importlib
import json
import os
import pathlib
import shutil
import sys
import tempfile

import comparison
import measure
import results
import sampling

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = results.CASES

QUICK = " (--quick: small inputs, which only show that the cases work)"


class Bench:
    """The environment of a case: the programs, a directory to work in, the number of rounds, and the thresholds.

    With programs of its own it measures one of two builds, without peers (see comparison.py).
    """

    programs = ROOT / ".build/release"
    peers = ROOT / ".build/bench"

    def __init__(self, case, folder, options, bars, programs=None, profiles=None):
        self.case, self.folder, self.bars, self.profiles = case, folder, bars, profiles
        self.rounds, self.is_quick = rounds(case, options), options.quick
        # One of two builds that are compared: it runs once, without peers.
        self.is_side = programs is not None
        if self.is_side:
            self.programs, self.rounds = programs, 1
        self.findings, self.rows, self.used_bars = [], [], set()
        self.ends = contextlib.ExitStack()

    def until_end(self, manager):
        """Enters a context manager that ends with the case at the latest, however the case ends."""
        return self.ends.enter_context(manager)

    def sized(self, full, quick):
        """Returns the size of an input: a quick run only shows that a case works."""
        return quick if self.is_quick else full

    def program(self, name):
        return str(self.programs / name)

    def peer(self, name):
        return str(self.peers / name)

    def profile(self, pid, home):
        """Begins to sample a daemon if that is wanted; returns `None` otherwise."""
        if self.profiles is None:
            return None
        return self.profiles.start(pid, os.path.relpath(home, self.folder).replace(os.sep, "-"))

    def place(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def in_turn(self, contestants, name="runs"):
        if self.is_side:
            contestants = [contestant for contestant in contestants if contestant.is_ours]
        series = measure.in_turn(contestants, self.rounds, self.place(name), warm_up=not self.is_side)
        self.rows += [(f"{name}: {what}" if name != "runs" else what, measure.spread(values)[1], "s")
                      for what, values in series.items()]
        if self.is_side:
            return series
        width = max(len(name) for name in series)
        for name, values in series.items():
            low, middle, high = (measure.seconds(value) for value in measure.spread(values))
            print(f"  {name:<{width}}  {low:>10} {middle:>10} {high:>10}")
        return series

    def compare(self, series, ours, peer, bar):
        """Compares the ratio of each round with the threshold of that name."""
        if self.is_side:
            return
        self.find(f"{ours} : {peer}", series.ratios(ours, peer), bar,
                  note=f"{self.median(series, ours)} : {self.median(series, peer)}")

    def compare_with_best(self, series, ours, peers, bar):
        """Compares the ratio to the fastest of the peers with the threshold; the other ratios are only printed."""
        if self.is_side:
            return
        best = min(peers, key=lambda peer: measure.spread(series[peer])[1])
        for peer in peers:
            self.compare(series, ours, peer, bar if peer == best else None)

    def find(self, what, values, bar, **options):
        self.rows.append((what, measure.spread(values)[1], options.get("unit", "").strip()))
        if self.is_side:
            return
        if bar is not None:
            self.used_bars.add(bar)
        # A small input says nothing about the threshold.
        bar = None if self.is_quick or bar is None else self.bars[bar]
        finding = measure.Finding(self.case, what, values, bar, **options)
        self.findings.append(finding)
        print(f"  {what}  {finding.figures()}  {finding.bar_text()}  {finding.verdict}".rstrip())

    @staticmethod
    def median(series, name):
        return measure.seconds(measure.spread(series[name])[1])


def print_table(findings):
    print("\n| case | what | median (min to max) | times | bar | |\n|---|---|---|---|---|---|")
    for finding in findings:
        print(f"| {finding.case} | {finding.what} | {finding.figures()} | {finding.note} "
              f"| {finding.bar_text()} | {finding.verdict} |")


SETTINGS = json.loads((ROOT / "config/bench.json").read_text(encoding="utf-8"))


def rounds(case, options):
    """Returns the number of rounds of a case."""
    return options.rounds or SETTINGS["roundsOfCases"].get(case, SETTINGS["rounds"])


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench/run", description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; all unless named")
    parser.add_argument("--rounds", type=int, help=f"how often each contestant runs ({SETTINGS['rounds']}; for some cases more)")
    parser.add_argument("--quick", action="store_true",
                        help="small inputs, to see whether the cases work: not the figures")
    parser.add_argument("--programs", type=pathlib.Path, default=Bench.programs, help="where stored and storectl are")
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where to work; decides the file system")
    parser.add_argument("--against", type=pathlib.Path, metavar="COMMIT",
                        help="build COMMIT too, run both builds in turn without peers, and print the ratios")
    parser.add_argument("--against-name", help=argparse.SUPPRESS)
    parser.add_argument("--profile", type=pathlib.Path, nargs="?", const=ROOT / ".build/bench/profiles", metavar="DIR",
                        help="run once without peers, sample the stacks of the daemons with perf, and write them folded and as "
                             "pictures into DIR (.build/bench/profiles); with --against, those of both builds")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / ".build/bench/results.json", metavar="FILE",
                        help="where the figures are kept, with commit, date and machine; cases that are not measured now "
                             "keep theirs (.build/bench/results.json)")
    parser.add_argument("--strict", action="store_true",
                        help="exit 1 if a bar is missed, or a case not measured")
    options = parser.parse_args()
    if options.quick and options.strict:
        parser.error("--quick measures nothing that --strict could hold against a bar")
    if options.against and options.strict:
        parser.error("--against compares two builds, and --strict with the bars")
    if options.profile and options.strict:
        parser.error("--profile measures nothing that --strict could hold against a bar")
    for case in options.cases:
        if case not in CASES:
            parser.error(f"there is no case '{case}', only {', '.join(CASES)}")
    Bench.programs = options.programs.resolve()
    findings, failed = [], False
    kept, repository = results.read(options.results), results.Repository(ROOT)
    for case in options.cases or CASES:
        module = importlib.import_module(f"cases.{CASES[case]}")
        print(f"\n{case}  {module.WHAT}{QUICK if options.quick else ''}", flush=True)
        try:
            if options.profile:
                profile_builds(case, module, options)
            elif options.against:
                findings.append(compare_builds(case, module, options))
            else:
                found = measured(case, module, options, SETTINGS["bars"].get(case, {})).findings
                findings += found
                if not options.quick:
                    # After each case, so that a long run that is interrupted keeps what it has measured.
                    kept[case] = results.entry(found, rounds(case, options), repository)
                    results.write(options.results, kept)
        except measure.Wrong as wrong:
            print(f"  not measured: {wrong}")
            failed = True
            kept.pop(case, None)
    if options.profile:
        sys.exit(1 if failed else 0)
    if options.against:
        comparison.print_table(findings, options.against_name or options.against)
    else:
        print_table(findings)
    if options.quick:
        print(f"\nThese are not the figures{QUICK}")
    if options.strict:
        problems = results.problems(kept, options.cases or CASES)
        print("", *problems, sep="\n")
        failed = failed or bool(problems)
    sys.exit(1 if failed else 0)


def measured(case, module, options, bars, programs=None, profiles=None):
    """Runs one case in a directory of its own."""
    folder = tempfile.mkdtemp(prefix=f"bench-{case}-", dir=options.folder)
    bench = Bench(case, folder, options, bars, programs, profiles)
    try:
        module.measure_case(bench)
        unused = set(bars) - bench.used_bars
        if unused and not bench.is_side:
            raise measure.Wrong(f"config/bench.json has bars of {case} that it does not use: {', '.join(sorted(unused))}")
    finally:
        bench.ends.close()
        # At the end of the whole run: on ext4 without a journal, each new file takes longer for minutes after many were
        # deleted (recently_deleted in fs/ext4/ialloc.c), and the next case would measure that.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return bench


def compare_builds(case, module, options):
    """Runs one case with this build and the other in turn."""
    sides = (Bench.programs, options.against.resolve())
    compared = comparison.Comparison(case, rounds(case, options))
    try:
        compared.run(lambda side: measured(case, module, options, {}, sides[side]).rows)
    except FileNotFoundError as missing:
        raise measure.Wrong(f"one of the builds lacks {missing.filename}") from missing
    for name, _, _, _, ratios in compared.findings():
        if ratios:
            print("  {}  {:.3f} ({:.3f} to {:.3f})".format(name, *(measure.spread(ratios)[i] for i in (1, 0, 2))))
    return compared


def profile_builds(case, module, options):
    """Runs one case with this build, and with the other if there is one, and keeps the stacks of the daemons."""
    sides = {"this": Bench.programs}
    if options.against:
        sides[options.against_name or "other"] = options.against.resolve()
    for name, programs in sides.items():
        profiles = sampling.Profiles(options.profile, f"{case}-{name}")
        measured(case, module, options, {}, programs, profiles)


if __name__ == "__main__":
    main()
