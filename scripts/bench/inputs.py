"""Makes the inputs of the cases: the same bytes in every run."""

import contextlib
import hashlib
import os
import random
import struct
import zipfile
import zlib

DATE = (2026, 1, 1, 0, 0, 0)


def png(generator, size):
    """Returns a PNG of about `size` bytes, of random pixels, which can't be compressed."""
    width = 32
    height = max(1, size // (width * 4 + 1))
    rows = b"".join(b"\0" + generator.randbytes(width * 4) for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0))
            + chunk(b"IEND", b""))


def texts(path, folders, files, size):
    """Makes a ZIP of directories of deflated texts, each of `size` bytes on average."""
    generator = random.Random(5)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(generator.choices(letters, k=generator.randint(2, 9))) for _ in range(2000)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(folders * files):
            length = generator.randint(size // 2, size * 3 // 2)
            text = " ".join(generator.choices(words, k=length // 5))[:length]
            name = f"pack/{number // files}/{number % files:05}.txt"
            archive.writestr(zipfile.ZipInfo(name, DATE), text, zipfile.ZIP_DEFLATED)


def stickers(path, identifier, pictures):
    """Makes the ZIP of one sticker pack."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("pack.json", DATE), information(identifier))
        for number, picture in enumerate(pictures):
            archive.writestr(zipfile.ZipInfo(f"{number:05}.png", DATE), picture)


def sticker_folder(path, identifier, pictures, version="1.0.0"):
    """Makes the directory of one sticker pack."""
    os.makedirs(path)
    with open(os.path.join(path, "pack.json"), "w", encoding="utf-8") as file:
        file.write(information(identifier, version))
    for number, picture in enumerate(pictures):
        with open(os.path.join(path, f"{number:05}.png"), "wb") as file:
            file.write(picture)


def noise(path, size):
    """Makes a file of random bytes, which can't be compressed, and returns its SHA-256."""
    generator = random.Random(1)
    return pieces(path, size, generator.randbytes)


def zeros(path, size):
    """Makes a sparse file, which takes no space on the disk, and returns the SHA-256 of its zeros."""
    with open(path, "wb") as file:
        file.truncate(size)
    return pieces(None, size, bytes)


def pieces(path, size, make):
    """Returns the SHA-256 of generated pieces with `size` bytes in all, and writes them to a file if there is a path.

    - make: returns a piece of the given size.
    """
    digest = hashlib.sha256()
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(open(path, "wb")) if path else None
        for start in range(0, size, 16 << 20):
            piece = make(min(16 << 20, size - start))
            digest.update(piece)
            if file:
                file.write(piece)
    return digest.hexdigest()


def information(identifier, version="1.0.0"):
    """Returns the manifest (pack.json) of a sticker pack."""
    return (f'{{"productIdentifier": "{identifier}", "kind": "sticker", "name": "{identifier}", '
            f'"version": "{version}", "license": "CC0-1.0"}}')


def count_and_size(folder):
    """Returns the number of files in a directory and its subdirectories, and the sum of their sizes."""
    count = size = 0
    for path, _, names in os.walk(folder):
        for name in names:
            count += 1
            size += os.lstat(os.path.join(path, name)).st_size
    return count, size


def checksums(folder):
    """Returns the CRC-32 of each file in a directory and its subdirectories, by path."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = zlib.crc32(file.read())
    return found
