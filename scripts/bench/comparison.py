"""Compares two builds of this program: the same cases with the programs of one and of the other, in turn."""

import statistics

from measure import Wrong, spread


class Comparison:
    """The rows of one case, with a value of each side for each round."""

    SIDES = ("this", "other")

    def __init__(self, case, rounds):
        self.case, self.rounds = case, rounds
        self.rows = {}

    def run(self, measure_side):
        """Measures both sides once for each round, beginning with another side each time.

        The first round is a warm-up and does not count.

        - measure_side: is called with the index of a side; returns its rows as (name, value, unit).
        """
        for number in range(-1, self.rounds):
            order = (0, 1) if number % 2 == 0 else (1, 0)
            found = {side: measure_side(side) for side in order}
            if number < 0:
                continue
            for side, rows in found.items():
                for name, value, unit in rows:
                    self.rows.setdefault((name, unit), {}).setdefault(side, []).append(value)

    def findings(self):
        """Returns (row, unit, values of this, values of the other, ratios) for each row that both sides have."""
        found = []
        for (name, unit), sides in self.rows.items():
            ours, theirs = sides.get(0, []), sides.get(1, [])
            if len(ours) != self.rounds or len(theirs) != self.rounds:
                print(f"  {name}: measured {len(ours)} and {len(theirs)} times of {self.rounds}; not compared")
                continue
            found.append((name, unit, ours, theirs, [a / b for a, b in zip(ours, theirs) if b]))
        if not found:
            raise Wrong("the two sides have no row in common")
        return found


def print_table(comparisons, other):
    print(f"\nThis build against {other}; a ratio below 1 is an improvement where less is better.")
    print(f"\n| case | row | this | {other} | ratio, median (min to max) |\n|---|---|---|---|---|")
    for comparison in comparisons:
        for name, unit, ours, theirs, ratios in comparison.findings():
            low, middle, high = spread(ratios) if ratios else (float("nan"),) * 3
            print(f"| {comparison.case} | {name} | {figure(ours, unit)} | {figure(theirs, unit)} "
                  f"| {middle:.3f} ({low:.3f} to {high:.3f}) |")


def figure(values, unit):
    value = statistics.median(values)
    if unit == "s" and value < 0.1:
        value, unit = value * 1000, "ms"
    return f"{value:,.3g} {unit}".rstrip() if value < 1000 else f"{value:,.0f} {unit}".rstrip()
