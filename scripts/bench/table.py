#!/usr/bin/env python3
"""Generates the README's table of benchmarks from a results file of scripts/bench/run."""

import argparse
import pathlib
import sys

import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"


def table(cases, repository):
    """Returns the lines of the table; a figure older than the last change to what it measures is marked as stale."""
    lines = ["| | what | median (min to max) | bar | | times | commit |", "|---|---|---|---|---|---|---|"]
    for case, entry in cases.items():
        for row in entry["rows"]:
            finding = results.finding(case, row)
            verdict = f"**{finding.verdict}**" if finding.verdict == "missed" else finding.verdict
            lines.append(f"| {case} | {finding.what} | {finding.figures()} | {finding.bar_text()} | {verdict} "
                         f"| {finding.note} | {origin(case, entry, repository)} |")
    return lines


def origin(case, entry, repository):
    """Returns commit and date of a measurement."""
    commit = entry["commit"]
    text = f"{commit[:10] if commit else 'unknown'}, {entry['date']}"
    if entry["withChanges"]:
        return text + ", with changes"
    return text + (", stale" if repository.changed_since(commit, results.paths(case)) else "")


def machines(cases):
    """Returns one line for each machine that figures are from."""
    found = []
    for entry in cases.values():
        machine = entry["machine"]
        text = (f"{machine['processor']}, {machine['cores']} cores, {machine['memory']} GiB, Linux {machine['kernel']}; "
                f"{entry['rounds']} rounds")
        if text not in found:
            found.append(text)
    return found


def replaced(text, lines):
    """Returns a text with the lines between the two markers replaced."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise SystemExit(f"error: README.md needs the lines '{BEGIN}' and '{END}', once each.")
    before, rest = text.split(BEGIN)
    return before + "\n".join([BEGIN, *lines, END]) + rest.split(END)[1]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench/table.py", description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="the results file")
    parser.add_argument("--write", action="store_true", help="write the table into README.md instead of printing it")
    options = parser.parse_args()
    cases = results.read(options.results)
    if not cases:
        sys.exit(f"error: there are no results in '{options.results}'; measure them with scripts/bench/run.")
    lines = [*table(cases, results.Repository(ROOT)), "", *(f"Machine: {text}." for text in machines(cases))]
    if options.write:
        readme = ROOT / "README.md"
        readme.write_text(replaced(readme.read_text(encoding="utf-8"), lines), encoding="utf-8")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
