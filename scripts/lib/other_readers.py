#!/usr/bin/env python3
"""Asks other readers of ZIP what is in archives: other_readers.py FOLDER

In the folder lie archives, and beside each that was taken a JSON file that says what we found in it: the SHA-256 of each
file by its path. Python's zipfile goes by the directory at the end, bsdtar, which reads from a pipe here, by the headers
before the entries. An archive that is taken must show both the same files as us.
"""

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


def by_python(path):
    files = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = info.orig_filename
            # Without the flag Python takes the name for code page 437, which has a character for each byte.
            if not info.flag_bits & UTF8_FLAG:
                name = name.encode("cp437").decode("utf-8")
            if name.endswith("/"):
                continue
            assert name not in files, f"{name!r} is there twice"
            files[name] = hashlib.sha256(archive.read(info)).hexdigest()
    return files


def by_bsdtar(path):
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        cat = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        run = subprocess.run(
            ["bsdtar", "-x", "-f", "-", "-C", folder],
            stdin=cat.stdout, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        cat.stdout.close()
        cat.wait()
        assert run.returncode == 0, run.stderr.decode(errors="replace").strip()
        for file in pathlib.Path(folder).rglob("*"):
            if not file.is_dir():
                assert file.is_file() and not file.is_symlink(), f"{file} is no file"
                files[composed(str(file.relative_to(folder)))] = hashlib.sha256(file.read_bytes()).hexdigest()
    return files


def composed(name):
    """Letters with their marks in one, as bsdtar writes them: we take only one of the two ways in an archive."""
    return unicodedata.normalize("NFC", name)


def main():
    folder = pathlib.Path(sys.argv[1])
    taken = sorted(folder.glob("*.json"))
    differences = 0
    for table in taken:
        ours = json.loads(table.read_text(encoding="utf-8"))
        for reader in (by_python, by_bsdtar):
            try:
                theirs = reader(table.with_suffix(".zip"))
                if theirs == (ours if reader is by_python else {composed(name): file for name, file in ours.items()}):
                    continue
                reason = f"{theirs} and not {ours}"
            except Exception as error:  # Whatever it is, that reader does not see what we see.
                reason = f"{type(error).__name__}: {error}"
            differences += 1
            print(f"{table.with_suffix('.zip')}: {reader.__name__}: {reason}")
    archives = len(list(folder.glob("*.zip")))
    print(f"{archives} archives, {len(taken)} taken, {differences} seen otherwise by others")
    sys.exit(1 if differences or not taken else 0)


main()
