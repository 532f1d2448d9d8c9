#!/usr/bin/env python3
"""Writes the figures of a test run into the table between the marks in SECURITY.md, each with its commit.

usage: figures.py FILE COMMIT DATE, with lines "NAME<TAB>FIGURE" on standard input. A figure replaces that of the same name;
others stay, with the commit at which they were measured.
"""
import re
import sys

BEGIN = "<!-- figures: written by scripts/test --long -->"
END = "<!-- end of figures -->"
HEAD = ["| run | without a finding in | commit | date |", "|---|---|---|---|"]


def updated(text, commit, date, figures):
    """Returns the document with these figures."""
    before, begin, rest = text.partition(BEGIN)
    block, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit("figures.py: the marks of the table are missing")
    rows = {}
    for line in block.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and line not in HEAD:
            rows[cells[0]] = line
    for name, figure in figures:
        if "|" in name + figure or not figure:
            raise SystemExit(f"figures.py: not a figure: {name!r}: {figure!r}")
        rows[name] = f"| {name} | {figure} | {commit} | {date} |"
    return "\n".join([before + BEGIN, ""] + HEAD + list(rows.values()) + ["", END + after])


def main():
    if len(sys.argv) != 4 or not re.fullmatch(r"\d{4}-\d\d-\d\d", sys.argv[3]):
        raise SystemExit(__doc__)
    figures = [tuple(line.rstrip("\n").split("\t", 1)) for line in sys.stdin if line.strip()]
    if any(len(figure) != 2 for figure in figures):
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    text = updated(text, sys.argv[2], sys.argv[3], figures)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)


main()
