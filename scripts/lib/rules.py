#!/usr/bin/env python3
"""Holds the sources to the rules of the house that no other tool knows. Prints what is wrong, one line each."""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

# Each outside library, and the one place that may import it.
HOMES = {
    "StoreCCurl": ["Transfers"],
    "StoreCZip": ["Archives"],
    "StoreCDeflate": ["Archives"],
    "StoreCXML": ["XML"],
    "StoreCLinux": ["System"],
    "GRDB*": ["Database"],
    "Hummingbird*": ["StoreServer"],
    "HTTPTypes": ["StoreServer"],
    "NIO*": ["StoreServer"],
    "Crypto": ["StoreModel"],
    "Configuration": ["Settings"],
    "ArgumentParser": ["stored", "storectl", "storehouse"],
}
# One folder a kind, none knows another.
KINDS = {"StoreStickers", "StoreSkins", "StoreEmoji", "StorePlugins"}
LONGEST_FILE = 550
# The fuzzer's kept inputs, all together, in bytes.
CORPORA = pathlib.Path("Tests/Fuzz/Corpora")
LARGEST_CORPORA = 1_000_000
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)
# Written in two parts, so that this file does not hold them.
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")
DANGEROUS = re.compile(r"@unchecked Sendable|nonisolated\(unsafe\)|\btry!|\bas!|\bfatalError\(")

problems = []


def problem(path, number, text):
    problems.append(f"{path}:{number}: {text}")


def tracked_files():
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False
    )
    if listing.returncode != 0:
        return [p for p in pathlib.Path(".").rglob("*") if p.is_file() and ".build" not in p.parts[0]]
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return [pathlib.Path(name) for name in names if os.path.isfile(name)]


def module_order():
    """The targets in the order of Package.swift, which is that of the tree: imports point down."""
    manifest = pathlib.Path("Package.swift").read_text(encoding="utf-8")
    found = re.findall(r'\b(program|module|shim)\(\s*"([\w-]+)"', manifest)
    return [name if kind == "program" else target(name) for kind, name in found]


def target(directory):
    """The name of the target in a directory of Sources, as Package.swift makes it."""
    return directory if directory.lower().startswith("store") else "Store" + directory


def check_imports(path, directory, lines, order):
    module = target(directory)
    for number, line in enumerate(lines, 1):
        found = IMPORT.match(line)
        if not found:
            continue
        imported = found.group(1)
        if imported in ("Foundation", "FoundationNetworking", "FoundationXML", "FoundationInternationalization"):
            problem(path, number, f"imports {imported}; FoundationEssentials is what the programs can afford")
        for library, homes in HOMES.items():
            if fnmatch.fnmatchcase(imported, library) and directory not in homes:
                problem(path, number, f"{directory} imports {imported}, which only {', '.join(homes)} may")
        if imported in order and module in order and order.index(imported) <= order.index(module):
            problem(path, number, f"{module} imports {imported}, which is not below it in Package.swift")
        if module in KINDS and imported in KINDS:
            problem(path, number, f"{module} imports {imported}: no kind of content knows another")


def check_lines(path, lines, machine):
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            problem(path, number, "is marked as unfinished")
        for folder in machine:
            if folder in line:
                problem(path, number, f"names a path of one machine ({folder})")
    if path.suffix in (".swift", ".h", ".py") and len(lines) > LONGEST_FILE:
        problem(path, len(lines), f"has more than {LONGEST_FILE} lines")


def check_dangerous(path, lines):
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        if DANGEROUS.search(code) and "//" not in line and "//" not in (lines[number - 2] if number > 1 else ""):
            problem(path, number, f"uses '{DANGEROUS.search(code).group(0)}' without a comment that proves it safe")


def check_corpora():
    size = sum(file.stat().st_size for file in CORPORA.rglob("*") if file.is_file())
    if size > LARGEST_CORPORA:
        problem(CORPORA, 1, f"holds {size} bytes, more than {LARGEST_CORPORA}; scripts/fuzz makes it smaller")


def main():
    order = module_order()
    if not order:
        sys.exit("Package.swift has no targets that this script can read")
    # Where this copy lies, and where the user lives; `/root` and short ones would be found by chance.
    machine = {"/wo" + "rk/", "/ro" + "ot/", os.getcwd() + "/"}
    home = os.path.expanduser("~")
    if home.count("/") > 1:
        machine.add(home + "/")
    check_corpora()
    sources = 0
    for path in tracked_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        check_lines(path, lines, machine)
        if path.suffix != ".swift":
            continue
        sources += 1
        if path.parts[0] == "Sources":
            check_imports(path, path.parts[1], lines, order)
            check_dangerous(path, lines)
    if problems:
        print("\n".join(problems))
        sys.exit(1)
    print(f"imports, lengths, paths of {sources} Swift files")


main()
