#!/usr/bin/env python3
"""What is taken and refused of archives that others made: see scripts/archives, which calls this."""

import binascii
import collections
import hashlib
import json
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
import zlib

import other_readers

CACHE = pathlib.Path(".build-archives")
STOREHOUSE = pathlib.Path(".build/release/storehouse").resolve()
PAGE = pathlib.Path("Sources/Archives/Archives.docc/ThirdPartyArchives.md")

# Debian's source packages whose tests hold odd archives.
ODD = ["libzip", "golang-1.19", "libarchive", "python3.11", "libarchive-zip-perl", "node-yauzl", "libcommons-compress-java"]

# Debian's packages with jars, extensions, office files and books in them, and wheels from PyPI.
ORDINARY = pathlib.Path("scripts/lib/ordinary-archives.txt")
SUFFIXES = set("jar whl xpi zip odt ods odp odg ott ots otp otg docx xlsx pptx epub".split())
# Of one sort out of one package, lest one program's archives outnumber all others.
MOST = 100
ENOUGH = 1000
SHARE = 0.995

# For refusing an archive, whatever it claims.
CPU_MILLISECONDS = 100
MEMORY_MEGABYTES = 20


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def verdicts(files, *options):
    """What `storehouse check` says of each file."""
    found = {}
    files = [str(file) for file in files]
    for start in range(0, len(files), 200):
        part = files[start : start + 200]
        command = [str(STOREHOUSE), "check", "--json", *options, *part]
        lines = subprocess.run(command, capture_output=True, check=False).stdout.splitlines()
        for line in lines:
            answer = json.loads(line)
            found[answer["file"]] = answer
    missing = set(files) - set(found)
    if missing:
        sys.exit(f"storehouse check said nothing of {sorted(missing)[:3]}")
    return found


def compared(answers):
    """What other programs find in the archives that were accepted, and how many of them find something else."""
    accepted = {
        file: {entry["path"].encode(): entry["sha256"] for entry in answer["files"]}
        for file, answer in answers.items()
        if answer["verdict"] == "accepted"
    }
    print(f"{len(accepted)} accepted archives as other programs read them:")
    found = other_readers.compare(accepted)
    idle = other_readers.idle(found) if accepted else []
    return found, len(found.differences) + len(idle)


def reason(answer):
    """Why, without the name of the file before and the advice after."""
    text = answer["message"] or ""
    text = text.split(" is refused: ", 1)[-1]
    text = re.sub(r" (Fetch it again|Raise the limit|Whoever made it|Try again).*$", "", text)
    return text.rstrip(".").replace("|", "\\|").replace("`", "'")


# Odd archives


def apt_sources(folder):
    """The machine's own sources, asked for source packages, in lists of their own."""
    text = []
    for file in sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*.sources")):
        text.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", file.read_text(encoding="utf-8")))
    for file in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*.list")]:
        if file.is_file():
            lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("deb ")]
            (folder / "sources.list").open("a", encoding="utf-8").write(
                "".join(re.sub("^deb ", "deb-src ", line) + "\n" for line in lines)
            )
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "own.sources").write_text("\n\n".join(text), encoding="utf-8")
    (folder / "lists").mkdir(exist_ok=True)
    (folder / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    return [
        "-o", f"Dir::Etc::sourcelist={folder}/sources.list", "-o", f"Dir::Etc::sourceparts={folder}/parts",
        "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache", "-o", "APT::Sandbox::User=",
    ]  # fmt: skip


def uudecoded(data):
    lines = data.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(b"begin "))
    decoded = bytearray()
    for line in lines[start + 1 :]:
        if line == b"end":
            break
        try:
            decoded += binascii.a2b_uu(line)
        except binascii.Error:
            # Some writers put more characters at the end of a line than they must.
            decoded += binascii.a2b_uu(line[: ((line[0] - 32 & 63) * 4 + 5) // 3])
    return bytes(decoded)


def fetch_odd(folder):
    """The test archives of the source packages, by package and path."""
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        options = apt_sources(folder / "apt")
        quiet = {"stdout": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        run("apt-get", "-q", *options, "update", **quiet)
        run("apt-get", "-q", *options, "source", "--download-only", "--tar-only", *ODD, cwd=folder, **quiet)
        for package in ODD:
            for tar in folder.glob(f"{package}_*.orig.tar.*[!c]"):
                extract_odd(tar, folder / "archives" / package)
        (folder / "complete").touch()
    return sorted(file for file in (folder / "archives").rglob("*") if file.is_file())


def extract_odd(tar, target):
    with tarfile.open(tar) as archive:
        for member in archive:
            name = pathlib.PurePosixPath(member.name)
            if not member.isfile() or ".." in name.parts:
                continue
            parts = list(name.parts[1:])
            data = None
            if re.search(r"\.(zip|jar|zipx)$", name.name, re.IGNORECASE):
                data = archive.extractfile(member).read()
            elif re.search(r"\.(zip|zipx|jar)\.uu$", name.name):
                data = uudecoded(archive.extractfile(member).read())
                parts[-1] = parts[-1].removesuffix(".uu")
            elif name.name.endswith(".zip.base64"):
                data = binascii.a2b_base64(archive.extractfile(member).read())
                parts[-1] = parts[-1].removesuffix(".base64")
            if data is not None:
                path = target.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


def odd():
    """The table as it is found, and what other programs find."""
    folder = CACHE / "odd"
    files = fetch_odd(folder)
    base = folder / "archives"
    answers = verdicts(files, "--list-files")
    rows = {}
    for file in files:
        answer = answers[str(file)]
        rows[str(file.relative_to(base))] = (answer["code"] or "accepted", reason(answer))
    return rows, compared(answers)


def kept_rows():
    rows = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []:
        found = re.match(r"\| `([^`]+/[^`]+)` \| (\S+) \| (.*) \|$", line)
        if found:
            rows[found.group(1)] = (found.group(2).strip("`"), found.group(3))
    return rows


def show_odd():
    rows, (found, differences) = odd()
    kept = kept_rows()
    words = collections.Counter(word for word, _ in rows.values())
    print(f"{len(rows)} odd archives of {len(ODD)} source packages, {words['accepted']} accepted:")
    for word, count in words.most_common():
        print(f"  {count:4} {word}")
    for name in sorted(set(rows) | set(kept)):
        now, before = rows.get(name, ("not there", ""))[0], kept.get(name, ("not in the table", ""))[0]
        if now != before:
            differences += 1
            print(f"DIFFERENT {name}: {now}, and the table says: {before}")
    return (rows, found), differences


# Ordinary archives


def fetch_ordinary(folder):
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        packages, wheels = [], []
        for line in ORDINARY.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if words and words[0] in ("debian:", "pypi:"):
                (packages if words[0] == "debian:" else wheels).extend(words[1:])
        downloads, files = folder / "downloads", folder / "files"
        downloads.mkdir(parents=True)
        files.mkdir()
        run("apt-get", "-q", "-o", "APT::Sandbox::User=", "download", *packages, cwd=downloads, stdout=subprocess.DEVNULL)
        run(
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary=:all:", "--dest", downloads, *wheels,
        )  # fmt: skip
        for package in sorted(downloads.glob("*.deb")):
            unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE)
            taken = collections.Counter()
            with tarfile.open(fileobj=unpack.stdout, mode="r|") as archive:
                for member in archive:
                    suffix = member.name.rsplit(".", 1)[-1].lower()
                    if member.isfile() and suffix in SUFFIXES and taken[suffix] < MOST:
                        taken[suffix] += 1
                        keep(archive.extractfile(member).read(), member.name, files)
            unpack.wait()
        for wheel in sorted(downloads.glob("*.whl")):
            keep(wheel.read_bytes(), wheel.name, files)
        shutil.rmtree(downloads)
        (folder / "complete").touch()
    return sorted((folder / "files").iterdir())


def keep(data, name, folder):
    """Each only once, however many packages have it."""
    digest = hashlib.sha256(data).hexdigest()[:16]
    (folder / f"{digest}-{pathlib.PurePosixPath(name).name}").write_bytes(data)


def show_ordinary():
    files = fetch_ordinary(CACHE / "ordinary")
    by_content = {file.name[:16]: file for file in files}
    answers = verdicts(by_content.values(), "--list-files")
    kinds = collections.defaultdict(collections.Counter)
    refused = []
    for file in by_content.values():
        answer = answers[str(file)]
        kinds[file.suffix[1:].lower()][answer["verdict"]] += 1
        if answer["verdict"] != "accepted":
            refused.append((file.name[17:], answer["code"], reason(answer)))
    count = len(by_content)
    share = 1 - len(refused) / count
    print(f"{count} ordinary archives, {count - len(refused)} taken: {share:.2%}")
    for kind, verdict in sorted(kinds.items()):
        print(f"  {kind:5} {verdict.total():5}, {verdict['accepted']} taken")
    for name, word, why in sorted(refused):
        print(f"  refused: {name}: {word}: {why}")
    if count < ENOUGH or share < SHARE:
        print(f"FAILED: at least {ENOUGH}, and {SHARE:.1%} of them taken, are wanted")
        return (kinds, refused, None), 1
    found, differences = compared(answers)
    return (kinds, refused, found), differences


# Bombs


def forged(path, names, size, data, method):
    """An archive of files that all claim one size; beyond 65,535 of them with ZIP64's end record."""
    body, directory = bytearray(), bytearray()
    for name in names:
        fields = struct.pack("<5H3L2H", 20, 0, method, 0, 33, 0, len(data), size, len(name), 0)
        directory += b"PK\1\2\x14\0" + fields + struct.pack("<3H2L", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + fields + name + data
    end = len(body) + len(directory)
    count = len(names)
    if count > 0xFFFF:
        directory += b"PK\6\6" + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, count, count, end - len(body), len(body))
        directory += b"PK\6\7" + struct.pack("<LQL", 0, end, 1)
        count, end = 0xFFFF, 0xFFFF_FFFF + len(body)
    record = struct.pack("<4H2LH", 0, 0, count, count, end - len(body), len(body), 0)
    path.write_bytes(body + directory + b"PK\5\6" + record)


def show_bombs():
    folder = CACHE / "bombs"
    folder.mkdir(parents=True, exist_ok=True)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    zeros = packer.compress(bytes(8 << 20)) + packer.flush()
    forged(folder / "5-gigabytes.zip", [b"%d" % n for n in range(5)], 1_000_000_000, zeros, 8)
    forged(folder / "100000-entries.zip", [b"%06d" % n for n in range(100_000)], 0, b"", 0)
    forged(folder / "nothing.zip", [b"a"], 1, b"a", 0)
    rows, failures = [], 0
    for name in ("nothing", "5-gigabytes", "100000-entries"):
        file = folder / f"{name}.zip"
        # No more of its own than this is given to the program by the system; what it maps of its libraries is shared.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            ["prlimit", f"--data={MEMORY_MEGABYTES << 20}", str(STOREHOUSE), "check", "--json", str(file)],
            capture_output=True, check=False,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000
        answer = json.loads(done.stdout or b"{}")
        word = answer.get("code", f"exit {done.returncode}") or "accepted"
        rows.append((name, file.stat().st_size, word, cpu))
        print(f"{name}: {file.stat().st_size} bytes: {word}, {cpu:.0f} ms of CPU with the program's start")
        wanted = {"nothing": "archive.wrong-checksum", "5-gigabytes": "archive.too-large"}.get(name, "archive.too-many-entries")
        if word != wanted or cpu > CPU_MILLISECONDS:
            failures += 1
            print(f"FAILED: {wanted} within {CPU_MILLISECONDS} ms and {MEMORY_MEGABYTES} MB is wanted")
    return rows, failures


# The page


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    writes = "--write" in sys.argv
    parts = arguments or ["odd", "ordinary", "bombs"]
    failures = 0
    for part, show in (("odd", show_odd), ("ordinary", show_ordinary), ("bombs", show_bombs)):
        if part in parts:
            print(f"== {part}")
            found, failed = show()
            if writes:
                write(part, found)
            failures += failed
    sys.exit(1 if failures else 0)


def write(part, found):
    """Puts a part of the page between its two marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(f"<!-- {part} -->\n", 1)
    after = rest.split(f"<!-- end of {part} -->", 1)[1]
    lines = {"odd": odd_lines, "ordinary": ordinary_lines, "bombs": bomb_lines}[part](found)
    body = "".join(line + "\n" for line in lines)
    PAGE.write_text(f"{before}<!-- {part} -->\n{body}<!-- end of {part} -->{after}", encoding="utf-8")


def odd_lines(found):
    rows, others = found
    words = collections.Counter(word for word, _ in rows.values())
    yield f"{len(rows)} archives, {words['accepted']} accepted, {len(rows) - words['accepted']} refused."
    for package in ODD:
        yield ""
        yield f"### {package}"
        yield ""
        yield "| archive | verdict | why |"
        yield "|---|---|---|"
        own = {name: row for name, row in rows.items() if name.startswith(package + "/")}
        for name, (word, why) in sorted(own.items(), key=lambda item: (item[1][0] != "accepted", item[1][0], item[0])):
            yield f"| `{name}` | {word if word == 'accepted' else f'`{word}`'} | {why} |"
    yield ""
    yield "### As other programs read them"
    yield ""
    base = str(CACHE / "odd" / "archives") + "/"
    yield from others.lines(lambda path: f"`{path.removeprefix(base)}`")


def ordinary_lines(found):
    kinds, refused, others = found
    total = sum(verdict.total() for verdict in kinds.values())
    yield f"{total} archives, {total - len(refused)} taken: {1 - len(refused) / total:.2%}."
    yield ""
    yield "| kind | archives | taken |"
    yield "|---|---|---|"
    for kind, verdict in sorted(kinds.items()):
        yield f"| .{kind} | {verdict.total()} | {verdict['accepted']} |"
    yield ""
    yield "Refused:"
    yield ""
    for name, word, why in sorted(refused):
        yield f"- {name}: `{word}`: {why}"
    if others:
        yield ""
        yield from others.lines(lambda path: pathlib.PurePath(path).name[17:])


def bomb_lines(rows):
    yield "| archive | bytes | verdict | CPU, with the program's start |"
    yield "|---|---|---|---|"
    for name, size, word, cpu in rows:
        yield f"| {name} | {size:,} | `{word}` | {cpu:.0f} ms |"


if __name__ == "__main__":
    main()
