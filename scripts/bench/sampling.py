"""Samples the stacks of daemons and of the processes that they start, and draws them."""

import collections
import os
import pathlib
import signal
import subprocess
import time
from xml.sax.saxutils import escape

from servers import until

# Samples of each processor a second; no multiple of what timers usually have.
FREQUENCY = 997


class Profiles:
    """The profiles of a case: for each daemon a file of folded stacks and a picture of them, a flame graph.

    A line of a `.folded` file is a stack, from the name of the program to the innermost function, and the number of its samples;
    other programs draw it, too.
    """

    def __init__(self, folder, name):
        self.folder, self.name = pathlib.Path(folder), name
        self.folder.mkdir(parents=True, exist_ok=True)

    def start(self, pid, home):
        """Samples a process, and those that it starts from now on, until `Profile.stop`."""
        return Profile(pid, self.folder / f"{self.name}-{home}")


class Profile:
    def __init__(self, pid, path):
        self.path = path
        self.samples = path.with_suffix(".perf")
        self.samples.unlink(missing_ok=True)
        self.perf = subprocess.Popen(
            ["perf", "record", "--quiet", "--freq", str(FREQUENCY), "--event", "cpu-clock", "--call-graph", "fp",
             "--pid", str(pid), "--output", str(self.samples)])
        until(self.samples.exists, "the start of perf")
        # perf(1) does not say when each thread is sampled.
        time.sleep(0.5)

    def stop(self):
        """Ends the sampling, before or after the process has ended, and writes the files."""
        self.perf.send_signal(signal.SIGINT)
        self.perf.wait()
        stacks = fold(read(self.samples))
        self.samples.unlink()
        lines = [f"{';'.join(stack)} {count}\n" for stack, count in sorted(stacks.items())]
        self.path.with_suffix(".folded").write_text("".join(lines), encoding="utf-8")
        self.path.with_suffix(".svg").write_text(flame_graph(stacks, self.path.name), encoding="utf-8")
        print(f"  {sum(stacks.values()):,} samples in {self.path}.folded and .svg", flush=True)


def read(samples):
    """The text of all samples, with the names of functions as in the sources."""
    script = subprocess.run(["perf", "script", "--input", str(samples), "--fields", "comm,ip,sym"],
                            capture_output=True, check=True)
    return subprocess.run(["swift", "demangle", "--simplified"], input=script.stdout, capture_output=True,
                          check=True).stdout.decode(errors="replace")


def fold(text):
    """Counts equal stacks in the output of perf-script(1): a line with the program, then one for each function, the innermost
    first, then an empty one."""
    stacks = collections.Counter()
    for sample in text.split("\n\n"):
        lines = [line for line in sample.splitlines() if line.strip()]
        if not lines:
            continue
        program, *functions = lines
        # The address, then the name, in which a semicolon would divide the stack.
        names = [(function.split(maxsplit=1)[1:] or ["[unknown]"])[0].replace(";", ":") for function in functions]
        stacks[(program.strip(), *reversed(names))] += 1
    return stacks


# MARK: Drawing

WIDTH, ROW, CHARACTER = 1600, 17, 6.6


def flame_graph(stacks, title):
    """An SVG picture: a function is as wide as it has samples, and stands above the one that has called it."""
    root = {"count": 0, "callees": {}}
    for stack, count in stacks.items():
        frame = root
        frame["count"] += count
        for name in stack:
            frame = frame["callees"].setdefault(name, {"count": 0, "callees": {}})
            frame["count"] += count
    boxes = []
    place(root, 0, 0, WIDTH / max(root["count"], 1), root["count"], boxes)
    height = (max((depth for depth, *_ in boxes), default=0) + 2) * ROW
    drawn = "".join(box(height, *values) for values in boxes)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">\n'
            f'<text x="4" y="12">{escape(title)}: {root["count"]:,} samples</text>\n{drawn}</svg>\n')


def place(frame, depth, left, scale, total, boxes):
    """Adds the boxes of all callees that are wide enough to be seen, the most frequent first."""
    for name, callee in sorted(frame["callees"].items(), key=lambda item: (-item[1]["count"], item[0])):
        width = callee["count"] * scale
        if width >= 0.5:
            boxes.append((depth, left, width, name, callee["count"], callee["count"] / total))
            place(callee, depth + 1, left, scale, total, boxes)
        left += width


def box(height, depth, left, width, name, count, share):
    top = height - (depth + 1) * ROW
    hue = 20 + sum(name.encode()) % 40
    shown = name if len(name) * CHARACTER < width else name[:max(0, int(width / CHARACTER) - 1)]
    text = f'<text x="{left + 2:.1f}" y="{top + 12}">{escape(shown)}</text>' if len(shown) > 2 else ""
    return (f'<g><title>{escape(name)}: {count:,} samples, {share:.1%}</title><rect x="{left:.1f}" y="{top}" '
            f'width="{max(width - 0.5, 0.2):.1f}" height="{ROW - 1}" fill="hsl({hue} 85% 70%)"/>{text}</g>\n')
