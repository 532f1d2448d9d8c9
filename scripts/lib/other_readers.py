#!/usr/bin/env python3
"""Compares the files that eight other programs find in ZIP archives with those that the daemon's reader finds.

other_readers.py FOLDER: in the folder are archives, and beside each that was accepted a JSON file with what was found in
it, the SHA-256 of each file by its path. Fails where a program finds other files. A program that refuses an archive
contradicts nobody; refusals are counted and listed.
"""

import base64
import collections
import concurrent.futures
import ctypes
import ctypes.util
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unicodedata
import zipfile

UTF8_FLAG = 0x800
HERE = pathlib.Path(__file__).resolve().parent / "readers"
# Names are UTF-8 where an archive does not say so: these programs take the encoding of the locale.
LOCALE = {**os.environ, "LC_ALL": "C.UTF-8"}
# In the order of the tables.
NAMES = ["libzip", "zipfile", "bsdtar", "unzip", "7z", "jar", "go", "busybox"]
# Programs that get several archives at once, because they take long to start.
BATCH = 200


class Refusal(Exception):
    """A program does not read an archive; the text is its reason."""


# Each reader returns the SHA-256 of each file by its path, which are bytes, or raises a Refusal.


class LibZip:
    """libzip, which goes by the central directory."""

    name = "libzip"
    RAW_NAME = 64

    def __init__(self):
        self.library = library = ctypes.CDLL(ctypes.util.find_library("zip"))
        for function in (library.zip_open, library.zip_fopen_index):
            function.restype = ctypes.c_void_p
        library.zip_get_name.restype = ctypes.c_char_p
        library.zip_get_num_entries.restype = ctypes.c_int64
        library.zip_fread.restype = ctypes.c_int64

    def read(self, path):
        number = ctypes.c_int(0)
        archive = self.library.zip_open(os.fsencode(path), 0, ctypes.byref(number))
        if not archive:
            raise Refusal(f"zip_open: error {number.value}")
        archive = ctypes.c_void_p(archive)
        try:
            return listed(self.files(archive))
        finally:
            self.library.zip_discard(archive)

    def files(self, archive):
        buffer = ctypes.create_string_buffer(1 << 16)
        for index in range(self.library.zip_get_num_entries(archive, 0)):
            index = ctypes.c_uint64(index)
            name = self.library.zip_get_name(archive, index, self.RAW_NAME)
            if name is None:
                raise Refusal("zip_get_name failed")
            if name.endswith(b"/"):
                continue
            file = ctypes.c_void_p(self.library.zip_fopen_index(archive, index, 0))
            if not file:
                raise Refusal(f"zip_fopen_index failed for {name!r}")
            digest = hashlib.sha256()
            while (count := self.library.zip_fread(file, buffer, ctypes.c_uint64(len(buffer)))) > 0:
                digest.update(buffer.raw[:count])
            self.library.zip_fclose(file)
            if count < 0:
                raise Refusal(f"zip_fread failed for {name!r}")
            yield name, digest.hexdigest()


class PythonZipFile:
    """Python's zipfile, which goes by the central directory."""

    name = "zipfile"

    def read(self, path):
        try:
            with zipfile.ZipFile(path) as archive:
                return listed(self.files(archive))
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, EOFError, RuntimeError) as error:
            raise Refusal(f"{type(error).__name__}: {error}") from error

    @staticmethod
    def files(archive):
        for info in archive.infolist():
            # Without the flag Python takes the name for code page 437, which has a character for each byte.
            name = info.orig_filename.encode("utf-8" if info.flag_bits & UTF8_FLAG else "cp437")
            if name.endswith(b"/"):
                continue
            digest = hashlib.sha256()
            with archive.open(info) as file:
                while data := file.read(1 << 20):
                    digest.update(data)
            yield name, digest.hexdigest()


class Extractor:
    """A program that extracts an archive into a directory."""

    def __init__(self, name, command, warnings=(), pipe=False, composes=False):
        """warnings: exit statuses with which all was extracted nevertheless; pipe: whether the archive is the standard
        input, which has no end to go to; composes: whether it composes characters of names (NFC)."""
        self.name = name
        self.command = command
        self.warnings = warnings
        self.pipe = pipe
        self.composes = composes

    def read(self, path):
        with tempfile.TemporaryDirectory() as folder:
            words = [word.format(archive=path, folder=folder) for word in self.command]
            # A file is a standard input in which a program could seek.
            source = subprocess.Popen(["cat", path], stdout=subprocess.PIPE) if self.pipe else None
            run = subprocess.run(
                words, stdin=source.stdout if source else subprocess.DEVNULL, capture_output=True, check=False, env=LOCALE
            )
            if source:
                source.stdout.close()
                source.wait()
            if run.returncode not in (0, *self.warnings):
                said = (run.stderr or run.stdout).decode(errors="replace").strip().replace(folder, "")
                raise Refusal(f"exit {run.returncode}: {said[-300:]}")
            # Archives may have directories and files that nobody may read.
            subprocess.run(["chmod", "-R", "u+rwX", folder], check=True)
            return listed(self.files(os.fsencode(folder)))

    @staticmethod
    def files(folder):
        for directory, _, names in os.walk(folder):
            for name in names:
                file = os.path.join(directory, name)
                if os.path.islink(file) or not os.path.isfile(file):
                    raise AssertionError(f"{file!r} is no file")
                with open(file, "rb") as content:
                    yield os.path.relpath(file, folder), hashlib.file_digest(content, "sha256").hexdigest()


class Batch:
    """A program of ours around another language's reader: see the directory 'readers'."""

    def __init__(self, name, command):
        self.name = name
        self.command = command

    def read_all(self, paths):
        """What is in each archive, or the Refusal."""
        for start in range(0, len(paths), BATCH):
            lines = "".join(f"{path}\n" for path in paths[start : start + BATCH])
            run = subprocess.run(self.command, input=lines.encode(), stdout=subprocess.PIPE, check=True, env=LOCALE)
            answers = run.stdout.splitlines()
            assert len(answers) == len(paths[start : start + BATCH]), f"{self.name}: {len(answers)} answers"
            for line in answers:
                answer = json.loads(line)
                if answer.get("error64"):
                    yield Refusal(base64.b64decode(answer["error64"]).decode(errors="replace"))
                else:
                    files = answer["files"] or []
                    yield listed((base64.b64decode(name), digest) for name, digest in files)


def listed(files):
    """The files by path; none may occur twice."""
    found = {}
    for name, digest in files:
        assert name not in found, f"{name!r} is there twice"
        found[name] = digest
    return found


def built(folder):
    """The readers; those that have to be compiled are compiled into the folder."""
    go = pathlib.Path(folder) / "readzip"
    environment = {**os.environ, "GOCACHE": f"{folder}/go", "GOFLAGS": "-mod=mod", "GO111MODULE": "off", "CGO_ENABLED": "0"}
    subprocess.run(["go", "build", "-o", str(go), str(HERE / "readzip.go")], check=True, env=environment)
    subprocess.run(["javac", "-d", str(folder), str(HERE / "ReadZip.java")], check=True)
    return [
        LibZip(),
        PythonZipFile(),
        # It goes by the headers before the entries.
        Extractor("bsdtar", ["bsdtar", "-x", "-f", "-", "-C", "{folder}"], pipe=True, composes=True),
        # Status 1: a warning, such as that of an unknown extra field.
        Extractor("unzip", ["unzip", "-q", "-o", "{archive}", "-d", "{folder}"], warnings=(1,)),
        Extractor("7z", ["7z", "x", "-y", "-bd", "-bso0", "-bsp0", "-o{folder}", "{archive}"], warnings=(1,)),
        Batch("jar", ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", str(folder), "ReadZip"]),
        Batch("go", [str(go)]),
        Extractor("busybox", ["busybox", "unzip", "-q", "-o", "{archive}", "-d", "{folder}"]),
    ]  # fmt: skip


def composed(files):
    """The files by path with composed characters; our rules accept no two names that differ in this alone."""
    return {
        unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"): digest
        for name, digest in files.items()
    }


def difference(theirs, ours):
    """The first few entries that differ, as text."""
    names = [name for name in sorted(theirs.keys() | ours.keys()) if theirs.get(name) != ours.get(name)]
    shown = [f"{name!r}: {theirs.get(name, 'not there')} and not {ours.get(name, 'not there')}" for name in names[:3]]
    return "; ".join(shown) + (f"; and {len(names) - 3} more" if len(names) > 3 else "")


class Comparison:
    """The results of all readers."""

    def __init__(self):
        self.archives = 0
        # By the name of the reader.
        self.agreeing = collections.Counter()
        self.refusals = []
        self.differences = []

    def record(self, reader, path, ours, theirs):
        if isinstance(theirs, Refusal):
            self.refusals.append((reader.name, path, str(theirs)))
        elif isinstance(theirs, Exception):
            self.differences.append((reader.name, path, f"{type(theirs).__name__}: {theirs}"))
        else:
            if getattr(reader, "composes", False):
                theirs, ours = composed(theirs), composed(ours)
            if theirs == ours:
                self.agreeing[reader.name] += 1
            else:
                self.differences.append((reader.name, path, difference(theirs, ours)))

    def show(self):
        for reader in NAMES:
            refused = sum(name == reader for name, _, _ in self.refusals)
            different = sum(name == reader for name, _, _ in self.differences)
            agreeing = self.agreeing[reader]
            print(f"  {reader:8} {agreeing} of {self.archives} alike, {refused} refused, {different} different")
        for name, path, reason in self.refusals:
            print(f"  {name} refuses {path}: {' '.join(reason.split())[:300]}")
        for name, path, reason in self.differences:
            print(f"DIFFERENT for {name}: {path}: {reason}")
        sys.stdout.flush()


    def lines(self, name):
        """The results as lines of a page; name shortens the path of an archive."""
        yield f"{self.archives} accepted archives as other programs read them: same names, same bytes."
        yield ""
        yield "| program | alike | refused | different |"
        yield "|---|---|---|---|"
        refused = collections.Counter(reader for reader, _, _ in self.refusals)
        different = collections.Counter(reader for reader, _, _ in self.differences)
        for reader in NAMES:
            yield f"| {reader} | {self.agreeing[reader]} | {refused[reader]} | {different[reader]} |"
        if self.refusals:
            yield ""
            yield "Refused by other programs:"
            yield ""
            for reader, path, why in sorted(self.refusals):
                why = " ".join(why.replace(path, "the archive").split()).replace("`", "'")
                yield f"- {reader}: {name(path)}: {why[:160]}"


def compare(archives):
    """Lets all readers read the archives: ours by path, which has the SHA-256 of each file by its name as bytes."""
    comparison = Comparison()
    comparison.archives = len(archives)
    paths = sorted(archives)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        readers = built(folder)
        assert [reader.name for reader in readers] == NAMES

        def read(reader, path):
            try:
                return reader.read(path)
            except Exception as error:
                return error

        for reader in readers:
            found = reader.read_all(paths) if isinstance(reader, Batch) else threads.map(lambda p, r=reader: read(r, p), paths)
            for path, theirs in zip(paths, found, strict=True):
                comparison.record(reader, path, archives[path], theirs)
    comparison.show()
    return comparison


def idle(comparison):
    """Returns, and prints, the readers that have read no archive as we do: they prove nothing."""
    missing = [reader for reader in NAMES if not comparison.agreeing[reader]]
    if missing:
        print(f"no archive was read by {', '.join(missing)}")
    return missing


def main():
    folder = pathlib.Path(sys.argv[1])
    taken = {}
    for table in sorted(folder.glob("*.json")):
        ours = json.loads(table.read_text(encoding="utf-8"))
        taken[str(table.with_suffix(".zip"))] = {name.encode(): digest for name, digest in ours.items()}
    found = compare(taken)
    archives = len(list(folder.glob("*.zip")))
    print(f"{archives} archives, {len(taken)} accepted, {len(found.differences)} read differently by others")
    missing = idle(found) if taken else []
    sys.exit(1 if found.differences or missing else 0)


if __name__ == "__main__":
    main()
