"""The results file of scripts/bench/run: figures with the commit and the machine that they were measured with."""

import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess

import measure

CASES = {
    "P1": "p1_large_file", "P2": "p2_capped_server", "P3": "p3_install", "P3-cost": "p3_cost",
    "P4": "p4_far_away", "P5": "p5_unpack",
    "P6": "p6_anything_new", "P7": "p7_list", "P8": "p8_daemon", "P9": "p9_observers",
    "P10": "p10_uninstall", "P11": "p11_skins", "P12": "p12_emoji", "P13": "p13_small_update", "P14": "p14_growth",
    "P15": "p15_sticker_search", "P16": "p16_metadata", "P17": "p17_store_page", "stop": "stop", "check": "check",
}

# The directories of Sources whose changes make a case's figures stale, beside those that every case uses.
EVERY_CASE = ["StoreModel", "System"]
STORECTL = ["storectl", "stored", "StoreClient", "StoreServer", "StoreAPI", "Engine", "Settings", "Terminal"]
INSTALLING = STORECTL + ["Archives", "Catalogue", "Database", "Downloads", "Events", "Library", "Transfers", "Worker",
                         "store-worker"]
# What reads a sticker pack before it is installed.
READING = ["Images", "StickerPacks"]
MEASURES = {
    "P1": ["store-fetch", "Transfers", "Downloads"],
    "P2": ["store-fetch", "Transfers", "Downloads"],
    "P3": INSTALLING + READING,
    "P3-cost": INSTALLING + READING,
    "P4": INSTALLING + READING + ["store-fetch"],
    "P5": ["Archives"],
    "P6": STORECTL + ["Catalogue", "Transfers", "Library"],
    "P7": STORECTL + ["Library"],
    "P8": STORECTL + ["Library", "Events"],
    "P9": STORECTL + ["Events", "Downloads"],
    "P10": STORECTL + ["Library", "Database"],
    "P11": ["Skins", "XML"],
    "P12": ["Emoji", "System"],
    "P13": INSTALLING + ["storehouse", "Publishing"],
    "P14": INSTALLING + READING,
    "P15": ["stored", "StoreServer", "StoreAPI", "Engine", "Stickers", "Library", "Database"],
    "P16": ["storehouse", "tuf-client", "Publishing", "Catalogue", "Transfers", "Trust"],
    "P17": ["stored", "StoreServer", "WebPages", "Messages", "Engine", "Catalogue", "Events", "Downloads"],
    "stop": INSTALLING,
    "check": ["storehouse", "Publishing", "Archives", "Stickers"] + READING,
}


class Repository:
    """The history of the checkout, as far as it decides whether a figure is stale."""

    def __init__(self, root):
        self.root = root

    def _git(self, *words):
        done = subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else None

    def commit(self):
        """Returns the present commit, and whether sources or benchmarks differ from it; None without a repository."""
        commit = self._git("rev-parse", "HEAD")
        changed = self._git("status", "--porcelain", "--", "Sources", "scripts/bench", "Package.swift")
        return commit and {"commit": commit, "withChanges": bool(changed)}

    def changed_since(self, commit, paths):
        """Returns whether one of the paths has changed since a commit, which is so for a commit that is not known."""
        changed = self._git("rev-list", "--count", f"{commit}..HEAD", "--", *paths)
        return changed != "0"


def paths(case):
    """Returns the paths that decide about a case's figures, its own benchmark's included."""
    return [f"Sources/{name}" for name in EVERY_CASE + MEASURES[case]] + benchmark_files(CASES[case])


def benchmark_files(module):
    """Returns the paths of a case's module, of the modules that it imports, and of the programs for benchmarks that they name."""
    folder = pathlib.Path(__file__).parent
    found = [f"scripts/bench/cases/{module}.py"]
    text = (folder / "cases" / f"{module}.py").read_text(encoding="utf-8")
    for names in re.findall(r"^from cases import (.+)", text, re.MULTILINE):
        for name in names.split(", "):
            found += benchmark_files(name)
    # Others are Python's own.
    imported = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    found += [f"scripts/bench/{name}.py" for name in imported if (folder / f"{name}.py").exists()]
    found += [f"scripts/bench/ours/{name}" for name in re.findall(r'bench\.program\("bench-([\w-]+)"\)', text)]
    names = re.findall(r'bench\.peer\("([\w-]+)"\)', text)
    if "Delay(" in text:
        names.append("delay")
    if "WarmFetch(" in text:
        names.append("warm-fetch")
    return sorted(set(found + [f"scripts/bench/peers/{name}.c" for name in names]))


def machine():
    """Describes the machine: processor, cores, memory in GiB, kernel."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": models[0] if models else platform.machine(), "cores": os.cpu_count(),
            "memory": round(memory / 2**30), "kernel": platform.release()}


def entry(findings, rounds, repository):
    """Returns the entry of one case in the results file."""
    return {
        **(repository.commit() or {"commit": None, "withChanges": True}),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "machine": machine(), "rounds": rounds, "rows": [row(finding) for finding in findings],
    }


def row(finding):
    low, middle, high = measure.spread(finding.values)
    return {"what": finding.what, "median": middle, "minimum": low, "maximum": high, "unit": finding.unit,
            "times": finding.note, "bar": finding.bar, "largerIsBetter": finding.larger_is_better,
            "verdict": finding.verdict}


def read(file):
    """Returns the cases of a results file by name; none where there is no file."""
    file = pathlib.Path(file)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write(file, cases):
    """Replaces the file, in the order of the cases, so that an interrupted run leaves the old one."""
    known = list(MEASURES)
    ordered = dict(sorted(cases.items(), key=lambda case: known.index(case[0])))
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(file.name + ".new")
    temporary.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")
    temporary.replace(file)


def problems(cases, expected):
    """Returns what --strict fails for: missed bars, and cases that were not measured."""
    found = [f"{case} was not measured" for case in expected if not cases.get(case, {}).get("rows")]
    for case in expected:
        for a_row in cases.get(case, {}).get("rows", []):
            if a_row["verdict"] == "missed":
                found.append(f"{case} missed its bar: {a_row['what']}, {finding(case, a_row).figures()}, "
                             f"{finding(case, a_row).bar_text()}")
    return found


def finding(case, a_row):
    """Returns a row as a finding, which knows how to print its figures."""
    shown = measure.Finding(
        case, a_row["what"], [a_row["minimum"], a_row["median"], a_row["maximum"]], a_row["bar"], a_row["unit"],
        a_row["largerIsBetter"], a_row["times"])
    assert shown.median == statistics.median(shown.values) == a_row["median"]
    return shown
