#!/usr/bin/env python3
"""The bench house: cases measured beside their peers. Called by scripts/bench/run, which builds and installs."""

import argparse
import importlib
import json
import os
import pathlib
import shutil
import sys
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = {"P3": "p3_install", "P5": "p5_unpack", "P10": "p10_uninstall", "check": "check"}


class Bench:
    """What a case gets: where the programs are, a folder to work in, how often, and the bars."""

    programs = ROOT / ".build/release"
    peers = ROOT / ".build/bench"

    def __init__(self, case, folder, rounds, bars):
        self.case, self.folder, self.rounds, self.bars = case, folder, rounds, bars
        self.findings = []

    def program(self, name):
        return str(self.programs / name)

    def peer(self, name):
        return str(self.peers / name)

    def place(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def in_turn(self, contestants, name="runs"):
        series = measure.in_turn(contestants, self.rounds, self.place(name))
        width = max(len(name) for name in series)
        for name, values in series.items():
            low, middle, high = (measure.seconds(value) for value in measure.spread(values))
            print(f"  {name:<{width}}  {low:>10} {middle:>10} {high:>10}")
        return series

    def compare(self, series, ours, peer, bar):
        """Holds the ratio of each round against the bar of that name."""
        self.find(f"{ours} : {peer}", series.ratios(ours, peer), bar,
                  note=f"{self.median(series, ours)} : {self.median(series, peer)}")

    def find(self, what, values, bar, **options):
        finding = measure.Finding(self.case, what, values, self.bars.get(bar), **options)
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


def main():
    settings = json.loads((ROOT / "config/bench.json").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(prog="scripts/bench/run", description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; all unless named")
    parser.add_argument("--rounds", type=int, default=settings["rounds"], help="how often each contestant runs")
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where to work; decides the file system")
    options = parser.parse_args()
    for case in options.cases:
        if case not in CASES:
            parser.error(f"there is no case '{case}', only {', '.join(CASES)}")
    findings, failed = [], False
    for case in options.cases or CASES:
        module = importlib.import_module(f"cases.{CASES[case]}")
        print(f"\n{case}  {module.WHAT}", flush=True)
        folder = tempfile.mkdtemp(prefix=f"bench-{case}-", dir=options.folder)
        bench = Bench(case, folder, options.rounds, settings["bars"].get(case, {}))
        try:
            module.measure_case(bench)
        except measure.Wrong as wrong:
            print(f"  not measured: {wrong}")
            failed = True
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        findings += bench.findings
    print_table(findings)
    sys.exit(1 if failed else 0)


main()
