#!/usr/bin/env python3
"""Checks rules of this repository that no other tool knows, and counts what shows how the sources develop.

    rules.py             print violations, one line each; the exit status is 1 if there are any
    rules.py --figures   print a table of files, lines, error types and duplicated lines for each module

Both take --root DIR to read another checkout.
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

# Each external library, and the modules that may import it.
IMPORTERS = {
    "StoreCCurl": ["Transfers"],
    "StoreCZip": ["Archives"],
    # An animation of Telegram is a gzip file, which only the module that validates it has to read.
    "StoreCDeflate": ["Archives", "Images"],
    "StoreCXML": ["XML"],
    "StoreCXXHash": ["Skins"],
    "StoreCHarfBuzz": ["EmojiFonts"],
    "StoreCVips": ["Thumbnails"],
    "StoreCRLottie": ["Thumbnails"],
    "StoreCVPX": ["Videos"],
    "StoreCMessages": ["Messages"],
    "StoreCSystemd": ["Desktop"],
    "StoreCLinux": ["System"],
    "Glibc": ["System"],
    "GRDB*": ["Database"],
    "Hummingbird*": ["StoreServer"],
    "HTTPTypes": ["StoreServer"],
    "NIO*": ["StoreServer"],
    # Hashes are needed everywhere, signatures only there; Signal's stickers are encrypted.
    "Crypto": ["StoreModel", "Trust", "PackFormats"],
    "CryptoExtras": ["Trust", "PackFormats"],
    "Configuration": ["Settings"],
    "Mustache": ["WebPages"],
    # The operating system: others use the types of the module System.
    "Glibc": ["System"],
    "ArgumentParser": ["stored", "storectl", "storehouse", "store-fetch", "tuf-client", "Terminal"],
}
# The modules of each kind of content; none imports one of another kind.
KINDS = {"StoreStickers": "sticker", "StoreStickerPacks": "sticker", "StoreSkins": "skin", "StoreEmoji": "emoji",
         "StorePlugins": "plugin"}
LONGEST_FILE = 400
# Lines of Sources in runs of at least this many that occurred before, comments and imports aside.
SHORTEST_DUPLICATE = 6
MOST_DUPLICATED_LINES = 80
# The module of the operating-system layer, by its names over time: the only one that imports Glibc.
SYSTEM_MODULES = {"System", "Files"}
# The only directory in which error codes are written as text.
ERROR_CATALOGUE = pathlib.PurePath("Sources/StoreModel/Errors")
# The fuzzer's corpora, all together, in bytes.
CORPORA = pathlib.Path("Tests/Fuzz/Corpora")
LARGEST_CORPORA = 1_000_000

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)
# Written in two parts, so that this file does not match.
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")
UNSAFE = re.compile(r"@unchecked Sendable|nonisolated\(unsafe\)|\btry!|\bas!|\bfatalError\(")
CODE_DECLARATION = re.compile(r'\bErrorCode\(\s*"')
CODE_COMPARISON = re.compile(r'\bcode(?:\.rawValue|\.word)?\s*[!=]=\s*"|"\s*[!=]=\s*[\w.?]*\bcode\b(?:\.rawValue|\.word)?')
CONDITION = re.compile(r"\.(?:enabled|disabled)\(")
# At the outermost level of a test function, in one line or in several.
EARLY_RETURN = re.compile(r"^        (?:guard|if)\b.*\{ return \}$")
LATER_RETURN = re.compile(r"^            return$")
EXPECTATION = re.compile(r"\bIssue\.record\(|#expect\(|\bskip\(")
SHELL = re.compile(r"^#!.*\b(?:ba|da)?sh\b")
STOPS_READING = re.compile(r"\|\s*(?:grep\s+-\w*[qm]|head\b)")
ERROR_TYPE = re.compile(
    r"^\s*public (?:indirect |final )?(?:struct|enum|class|actor) \w+(?:<[^>]*>)?\s*:[^{]*\b(?:\w*Error)\b"
)

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


def sources():
    """The Swift files of Sources as (path, lines), in the order of their paths."""
    paths = sorted(p for p in tracked_files() if p.suffix == ".swift" and p.parts[0] == "Sources")
    return [(path, path.read_text(encoding="utf-8").splitlines()) for path in paths]


def module_order():
    """The targets in the order of Package.swift, which is that of the layers: imports point down."""
    manifest = pathlib.Path("Package.swift").read_text(encoding="utf-8")
    found = re.findall(r'\b(program|module|shim)\(\s*"([\w-]+)"', manifest)
    return [name if kind == "program" else target(name) for kind, name in found]


def target(directory):
    """The name of the target in a directory of Sources, as Package.swift forms it."""
    return directory if directory.lower().startswith("store") else "Store" + directory


def check_imports(path, directory, lines, order):
    module = target(directory)
    for number, line in enumerate(lines, 1):
        found = IMPORT.match(line)
        if not found:
            continue
        imported = found.group(1)
        if imported in ("Foundation", "FoundationNetworking", "FoundationXML", "FoundationInternationalization"):
            problem(path, number, f"imports {imported}; use FoundationEssentials, which starts faster")
        for library, importers in IMPORTERS.items():
            if fnmatch.fnmatchcase(imported, library) and directory not in importers:
                problem(path, number, f"{directory} imports {imported}, which only {', '.join(importers)} may")
        if imported in order and module in order and order.index(imported) <= order.index(module):
            problem(path, number, f"{module} imports {imported}, which is not below it in Package.swift")
        if module in KINDS and KINDS.get(imported, KINDS[module]) != KINDS[module]:
            problem(path, number, f"{module} imports {imported}: kinds of content do not import each other")


def check_lines(path, lines, machine):
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            problem(path, number, "is marked as unfinished")
        for directory in machine:
            if directory in line:
                problem(path, number, f"names a path of one machine ({directory})")
    if path.suffix in (".swift", ".h", ".py") and len(lines) > LONGEST_FILE:
        problem(path, len(lines), f"has more than {LONGEST_FILE} lines")


def check_unsafe(path, lines):
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        if UNSAFE.search(code) and "//" not in line and "//" not in (lines[number - 2] if number > 1 else ""):
            problem(path, number, f"uses '{UNSAFE.search(code).group(0)}' without a comment that proves it safe")


def check_error_codes(path, lines):
    if ERROR_CATALOGUE in path.parents:
        return
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        if CODE_DECLARATION.search(code):
            problem(path, number, f"declares an error code; {ERROR_CATALOGUE} is the place for it")
        if CODE_COMPARISON.search(code):
            problem(path, number, "compares an error code with text; use the constant")


def check_skips(path, lines):
    """A test that does not run says why, and one that runs does not return before it has checked anything."""
    text = "\n".join(lines)
    for found in CONDITION.finditer(text):
        depth, place, has_reason = 1, found.end(), False
        while depth > 0 and place < len(text):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            has_reason = has_reason or depth == 1 and text[place] == '"'
            place += 1
        if not has_reason:
            problem(path, text.count("\n", 0, found.start()) + 1, "skips tests without a reason")
    is_test = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("@Test"):
            is_test = True
        elif line == "    }":
            is_test = False
        elif is_test and (
            EARLY_RETURN.match(line)
            or LATER_RETURN.match(line) and not any(map(EXPECTATION.search, lines[number - 5 : number - 1]))
        ):
            problem(path, number, "returns from a test that then counts as passed; use skip() or #require")


def check_pipes(path, lines):
    """A command that stops reading early ends the one before it by SIGPIPE, and with pipefail the pipe fails, now and then."""
    if path.suffix != ".sh" and not (lines and SHELL.match(lines[0])):
        return
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith("#") and STOPS_READING.search(line):
            problem(path, number, "stops reading a pipe early; use 'grep … >/dev/null' or 'sed -n 1,60p'")


def check_corpora():
    size = sum(file.stat().st_size for file in CORPORA.rglob("*") if file.is_file())
    if size > LARGEST_CORPORA:
        problem(CORPORA, 1, f"holds {size} bytes, more than {LARGEST_CORPORA}; make it smaller with scripts/fuzz")


# MARK: Figures


def is_code(line):
    """Whether a line counts when duplicates are searched: no comment, no import, and more than punctuation."""
    return bool(re.search(r"\w", line)) and not line.startswith("//") and not IMPORT.match(line)


def duplicated_lines(files):
    """Lines that repeat an earlier run of SHORTEST_DUPLICATE lines or more, by path: {path: {line number}}.

    The first occurrence does not count, nor does one that overlaps it.
    """
    seen = {}
    duplicated = collections.defaultdict(set)
    for path, lines in files:
        code = [(number, " ".join(line.split())) for number, line in enumerate(lines, 1)]
        code = [(number, line) for number, line in code if is_code(line)]
        for start in range(len(code) - SHORTEST_DUPLICATE + 1):
            run = code[start : start + SHORTEST_DUPLICATE]
            key = "\n".join(line for _, line in run)
            first_path, first_start = seen.setdefault(key, (path, start))
            if first_path != path or first_start + SHORTEST_DUPLICATE <= start:
                duplicated[path].update(number for number, _ in run)
    return duplicated


def figures():
    files = sources()
    duplicated = duplicated_lines(files)
    columns = ("files", "lines", "error types", "import Glibc", "duplicated lines", "over 400 lines")
    table = collections.defaultdict(lambda: [0] * len(columns))
    lengths = []
    for path, lines in files:
        module = path.parts[1]
        lengths.append(len(lines))
        imports = {found.group(1) for found in map(IMPORT.match, lines) if found}
        row = (
            1,
            len(lines),
            sum(1 for line in lines if ERROR_TYPE.match(line)),
            int("Glibc" in imports and module not in SYSTEM_MODULES),
            len(duplicated[path]),
            int(len(lines) > 400),
        )
        for into in (table[module], table["all"]):
            for index, value in enumerate(row):
                into[index] += value
    print(f"{'module':14}" + "".join(f"{column:>18}" for column in columns))
    for module in sorted(table, key=lambda name: (name == "all", name)):
        print(f"{module:14}" + "".join(f"{value:18}" for value in table[module]))
    lengths.sort()
    print(f"lines of a file: median {lengths[len(lengths) // 2]}, 90 % {lengths[len(lengths) * 9 // 10]}, most {lengths[-1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=".", metavar="DIR", help="the checkout to read")
    parser.add_argument("--figures", action="store_true", help="print figures instead of checking the rules")
    arguments = parser.parse_args()
    os.chdir(arguments.root)
    if arguments.figures:
        figures()
        return
    order = module_order()
    if not order:
        sys.exit("Package.swift has no targets that this script can read")
    # The directory of this checkout and of the user; `/root` and short ones would be found by chance.
    machine = {"/wo" + "rk/", "/ro" + "ot/", os.getcwd() + "/"}
    home = os.path.expanduser("~")
    if home.count("/") > 1:
        machine.add(home + "/")
    check_corpora()
    count = 0
    for path in tracked_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        check_lines(path, lines, machine)
        check_pipes(path, lines)
        if path.suffix != ".swift":
            continue
        count += 1
        if path.parts[0] == "Sources":
            check_imports(path, path.parts[1], lines, order)
            check_unsafe(path, lines)
            check_error_codes(path, lines)
        elif path.parts[0] == "Tests":
            check_skips(path, lines)
    duplicated = duplicated_lines(sources())
    total = sum(map(len, duplicated.values()))
    if total > MOST_DUPLICATED_LINES:
        for path, numbers in sorted(duplicated.items(), key=lambda item: -len(item[1])):
            if numbers:
                problem(path, min(numbers), f"has {len(numbers)} lines that occur elsewhere in the same order")
        problem("Sources", 1, f"holds {total} duplicated lines, more than {MOST_DUPLICATED_LINES}")
    if problems:
        print("\n".join(problems))
        sys.exit(1)
    print(f"{count} Swift files, {total} duplicated lines")


main()
