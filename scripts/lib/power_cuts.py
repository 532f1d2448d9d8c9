"""The host's side of scripts/power-cuts: starts the virtual machine, cuts its power, and builds the disk that remains.

Killing the emulator alone would lose too little: what the machine wrote to its disk would be in the host's memory, and stay.
So QEMU logs every write and every flush of the disk's cache (its driver blklogwrites, in the format of Linux's
dm-log-writes). The disk after the cut is the one before it, with all writes up to the last flush, and a random part of
those after it, as a disk with a cache leaves them.

That cuts lose something is checked, too: after each command the machine writes a file to the disk and does not sync it. Of the
last of these files before each cut, at least one has to be missing or incomplete after it.
"""

import argparse
import hashlib
import os
import random
import re
import selectors
import shutil
import struct
import subprocess
import sys
import time
import zlib

SECTOR = 512
DISK_SIZE = 512 << 20
MAGIC, FLUSH, DISCARD = 0x6A736677736872, 1, 4
PRODUCTS = ("a", "b", "c")
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"], "btrfs": ["mkfs.btrfs", "-q", "-f"]}
# Against a guest that hangs, even if it is emulated on a busy machine.
PATIENCE = 900


def image(size, seed):
    """Returns a PNG with random pixels, of about the size."""
    width, height = 64, max(1, size // 64)
    pixels = random.Random(seed).randbytes(width * height)
    rows = b"".join(b"\0" + pixels[row * width:(row + 1) * width] for row in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def publish(folder, programs):
    """Publishes two versions of each product, and returns the sums of their files."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    store, sums = folder + "/store", []
    run([programs + "/storehouse", "init", store])
    for version in (1, 2):
        for number, product in enumerate(PRODUCTS):
            pack = f"{folder}/{product}-{version}"
            files = {f"{version}-{part:02}.png": image(1000 + 300 * part, f"{product}{part}") for part in range(12)}
            files["VERSION"] = f"{product} {version}\n".encode()
            files["more/large.png"] = image(50_000 << 2 * number, f"{product}{version}")
            for name, content in files.items():
                os.makedirs(os.path.dirname(f"{pack}/{name}"), exist_ok=True)
                with open(f"{pack}/{name}", "wb") as file:
                    file.write(content)
            lines = sorted(("./" + name, hashlib.sha256(content).hexdigest()) for name, content in files.items())
            text = "".join(f"{digest}  {name}\n" for name, digest in lines)
            sums.append(f"{product} {version} {hashlib.sha256(text.encode()).hexdigest()}\n")
            run([programs + "/storehouse", "add", store, pack, "--id", product, "--version", f"{version}.0.0",
                 "--kind", "sticker"])
        run([programs + "/storehouse", "publish", store])
        shutil.copytree(store + "/public", f"{folder}/public-{version}")
    return "".join(sums)


def run(words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def libraries(program):
    text = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"(/\S+) \(0x", text)


def libcurl():
    """Returns the path of libcurl, which the daemon loads itself."""
    known = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    return re.search(r"libcurl\.so\.4 \(.*=> (\S+)", known)[1]


def build_guest(arguments):
    """Builds the archive with the guest's files, which the kernel unpacks into memory; returns its path."""
    root = arguments.folder + "/root"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("bin", "etc", "store", "lib"):
        os.makedirs(f"{root}/{name}")
    programs = [shutil.which(name) for name in ("busybox", "sqlite3")]
    programs += [f"{arguments.programs}/{name}" for name in ("stored", "storectl")]
    for program in programs:
        copy = f"{root}/bin/{os.path.basename(program)}"
        shutil.copy(program, copy)
        run(["strip", copy])
        for library in libraries(program) + [libcurl()] + libraries(libcurl()):
            os.makedirs(root + os.path.dirname(library), exist_ok=True)
            shutil.copy(library, root + library)
    shutil.copy("scripts/lib/power-cuts-guest", root + "/init")
    # Only what the three file systems and the disk need.
    modules = arguments.kernel + "/lib/modules"
    version = os.listdir(modules)[0]
    for name in ("kernel/fs", "kernel/lib", "kernel/crypto", "kernel/drivers/virtio", "kernel/drivers/block",
                 "kernel/arch/x86/crypto"):
        if os.path.isdir(f"{modules}/{version}/{name}"):
            shutil.copytree(f"{modules}/{version}/{name}", f"{root}/lib/modules/{version}/{name}")
    for name in os.listdir(f"{modules}/{version}"):
        if name.startswith("modules."):
            shutil.copy(f"{modules}/{version}/{name}", f"{root}/lib/modules/{version}")
    with open(root + "/etc/passwd", "w") as file:
        file.write("root:x:0:0:root:/tmp:/bin/sh\n")
    with open(root + "/store/sums", "w") as file:
        file.write(publish(arguments.folder + "/packs", arguments.programs))
    for number in (1, 2):
        shutil.copytree(f"{arguments.folder}/packs/public-{number}", f"{root}/store/{number}")
    archive = arguments.folder + "/guest.cpio"
    with open(archive, "wb") as file:
        names = subprocess.run(["find", "."], cwd=root, check=True, capture_output=True).stdout
        subprocess.run(["busybox", "cpio", "-o", "-H", "newc"], cwd=root, input=names, stdout=file, check=True,
                       stderr=subprocess.DEVNULL)
    return archive


class Machine:
    """A running virtual machine."""

    def __init__(self, arguments, disk, log, variables):
        open(log, "wb").close()
        kernel = next(name for name in os.listdir(arguments.kernel + "/boot") if name.startswith("vmlinuz"))
        # What QEMU has written to the host's files stays when it is killed, so that the host need not flush its own disk.
        self.console = open(arguments.folder + "/console.log", "w")
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", *arguments.accelerator, "-smp", "2", "-m", "1536", "-nodefaults", "-no-reboot",
             "-display", "none", "-serial", f"file:{arguments.folder}/kernel.log", "-chardev", "stdio,id=report",
             "-serial", "chardev:report", "-kernel", f"{arguments.kernel}/boot/{kernel}", "-initrd", arguments.guest,
             # On a busy host, the emulated timer may be late when the kernel checks it.
             "-append", "console=ttyS0 quiet panic=-1 no_timer_check " + variables,
             "-blockdev", "driver=blklogwrites,node-name=disk,log-super-update-interval=1,"
             f"file.driver=file,file.filename={disk},file.cache.no-flush=on,"
             f"log.driver=file,log.filename={log},log.cache.no-flush=on",
             "-device", "virtio-blk-pci,drive=disk,write-cache=on"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.console)
        self.rest = b""

    def line(self, limit):
        """Returns the next line, or None after `limit` seconds; raises EOFError when the machine has ended."""
        end = time.monotonic() + limit
        selector = selectors.DefaultSelector()
        selector.register(self.process.stdout, selectors.EVENT_READ)
        while b"\n" not in self.rest:
            if not selector.select(max(0, end - time.monotonic())):
                return None
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EOFError
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def cut(self):
        """Cuts the power, and returns the lines that arrived before."""
        self.process.kill()
        self.rest += self.process.stdout.read()
        self.process.wait()
        self.console.close()
        *lines, _ = self.rest.split(b"\n")
        return [line.decode(errors="replace").strip() for line in lines]


def entries(log):
    """Yields the flags, the first sector and the bytes of each logged request, in order."""
    with open(log, "rb") as file:
        header = file.read(28)
        # The power was cut before anything was written.
        if len(header) < 28:
            return
        magic, _, _, size = struct.unpack("<QQQI", header)
        if magic != MAGIC:
            raise ValueError("not a log of writes")
        position, end = size, os.path.getsize(log)
        while position + size <= end:
            file.seek(position)
            sector, count, flags, _ = struct.unpack("<QQQQ", file.read(32))
            # The emulator was killed while it wrote this request.
            if (count == 0 and flags == 0) or sector * size + count * size > DISK_SIZE:
                return
            position += size
            length = 0 if flags & DISCARD else count * size
            if position + length > end:
                return
            file.seek(position)
            yield flags, sector * size, file.read(length), count * size
            position += length


def apply(log, disk, generator):
    """Applies the log to the disk as before: all up to the last flush, and a random part of what follows.

    Returns the numbers of requests that were flushed, not flushed, and lost.
    """
    requests = list(entries(log))
    flushed = max((number + 1 for number, request in enumerate(requests) if request[0] & FLUSH), default=0)
    portion = generator.choice((0, 0.5, 0.9, 1))
    lost = 0
    with open(disk, "r+b") as file:
        for number, (flags, offset, data, length) in enumerate(requests):
            if number >= flushed and generator.random() >= portion:
                lost += 1
                continue
            file.seek(offset)
            # A discarded range reads as anything; zeros are the most common.
            file.write(bytes(length) if flags & DISCARD else data)
    return flushed, len(requests) - flushed, lost


class Failure(Exception):
    pass


class Expectation:
    """What the machine acknowledged, and what it was doing."""

    def __init__(self):
        self.versions = {product: "0" for product in PRODUCTS}
        self.purchases = set()
        self.pending = None
        self.published = "1"
        self.has_store = False
        # The last file that was written without a sync, and how many such files were kept and lost by a cut.
        self.witness = ""
        self.witnesses = {"yes": 0, "no": 0}

    def take(self, line):
        """Handles a line of the guest; returns its first word."""
        word, *rest = line.split()
        if word == "bad":
            raise Failure(" ".join(rest))
        if word == "state":
            self.check(dict(part.split("=", 1) for part in rest))
            # It was added before, or just now.
            self.has_store = True
        elif word == "witness":
            self.witness = rest[0]
        elif word == "version":
            self.pending = ("version", rest[0], rest[1])
            self.published = rest[2]
        elif word == "purchase":
            self.pending = ("purchase", rest[0])
        elif word == "done":
            self.settle()
        return word

    def settle(self):
        if self.pending and self.pending[0] == "version":
            self.versions[self.pending[1]] = self.pending[2]
        elif self.pending:
            self.purchases.add(self.pending[1])
        self.pending = None

    def check(self, found):
        for product in PRODUCTS:
            allowed = {self.versions[product]}
            if self.pending and self.pending[:2] == ("version", product):
                allowed.add(self.pending[2])
            if found[product] not in allowed:
                raise Failure(f"{product} has version {found[product]}, expected {sorted(allowed)}")
            self.versions[product] = found[product]
        purchases = set(filter(None, found["purchases"].split(",")))
        begun = {self.pending[1]} if self.pending and self.pending[0] == "purchase" else set()
        if not self.purchases <= purchases <= self.purchases | begun:
            raise Failure(f"the purchases are {sorted(purchases)}, expected {sorted(self.purchases)}")
        self.purchases = purchases
        self.pending = None
        if self.witness:
            self.witnesses[found["kept"]] += 1
            self.witness = ""


def until(machine, expectation, word):
    while True:
        line = machine.line(PATIENCE)
        if line is None:
            raise Failure(f"no '{word}' within {PATIENCE} s")
        if line and expectation.take(line) == word:
            return


def test(arguments, system):
    generator = random.Random(f"{arguments.seed} {system}")
    disk, used, log = (f"{arguments.folder}/{name}" for name in ("disk.img", "used.img", "writes.log"))
    if os.path.exists(disk):
        os.remove(disk)
    with open(disk, "wb") as file:
        file.truncate(DISK_SIZE)
    run([*MAKE[system], disk])
    expectation, actions, sums, in_recovery = Expectation(), 0, [0, 0, 0], 0
    # The last start only checks.
    for cut in range(arguments.cuts + 1):
        run(["cp", "--sparse=always", disk, used])
        variables = (f"fs={system} seed={generator.randrange(1, 30000)} published={expectation.published} "
                     f"store={int(expectation.has_store)} witness={expectation.witness}")
        machine = Machine(arguments, used, log, variables)
        try:
            is_early = cut < arguments.cuts and cut > 0 and generator.random() < 0.2
            until(machine, expectation, "mounted" if is_early else "state")
            begun = time.monotonic()
            if not is_early and cut < arguments.cuts:
                for _ in range(generator.randrange(4)):
                    until(machine, expectation, "done")
                    actions += 1
            # Within the time that a command, or the recovery, takes here.
            pause = generator.random() * max(1, arguments.typical)
            while (line := machine.line(pause)) is not None and cut < arguments.cuts:
                is_state = expectation.take(line) == "state" if line else False
                is_early = is_early and not is_state
                if line == "done":
                    actions += 1
                    arguments.typical = max(0.2, min(30, time.monotonic() - begun))
                    break
            in_recovery += is_early
            for line in filter(None, machine.cut()):
                actions += line == "done"
                expectation.take(line)
            flushed, open_, lost = apply(log, disk, generator)
            sums = [sum(pair) for pair in zip(sums, (flushed, open_, lost))]
        except EOFError:
            raise Failure("the machine ended; see kernel.log") from None
        except Failure as failure:
            machine.cut()
            shutil.copy(disk, f"{arguments.folder}/failed-{system}.img")
            shutil.copy(log, f"{arguments.folder}/failed-{system}.log")
            raise Failure(f"{system}, after cut {cut}: {failure}") from None
        if cut < arguments.cuts:
            print(f"{system}: cut {cut + 1} after {flushed} requests, {lost} of {open_} unflushed ones lost, "
                  f"then {expectation.pending or 'idle'}", flush=True)
    # Four of five cuts come after a start with commands, and one of five in a recovery.
    if arguments.cuts >= 50 and (actions < arguments.cuts // 2 or not in_recovery):
        raise Failure(f"{system}: only {actions} commands were done, and {in_recovery} cuts were in a recovery")
    # In a few cuts, chance may keep everything: the next command may have synced the file, and some disks keep all writes.
    kept, lost = expectation.witnesses["yes"], expectation.witnesses["no"]
    if arguments.cuts >= 50 and not (lost and sums[2]):
        raise Failure(f"{system}: the cuts lost {lost} of {kept + lost} files that were not synced, and {sums[2]} of {sums[1]} "
                      "requests that were not flushed")
    print(f"| {system} | {arguments.cuts} | {in_recovery} | {actions} | {sums[0]} | {sums[1]} | {sums[2]} | "
          f"{lost} of {kept + lost} |", flush=True)


def accelerator(arguments):
    """Returns the options for the processor: KVM if a kernel starts with it, as it does not in every virtual machine."""
    for words in (["-accel", "kvm", "-cpu", "host"], ["-accel", "tcg,thread=multi", "-cpu", "max"]):
        if words[1] == "kvm" and not os.access("/dev/kvm", os.W_OK):
            continue
        arguments.accelerator = words
        disk, log = arguments.folder + "/probe.img", arguments.folder + "/probe.log"
        with open(disk, "wb") as file:
            file.truncate(DISK_SIZE)
        run([*MAKE["ext4"], disk])
        machine = Machine(arguments, disk, log, "fs=ext4 seed=1 published=1 store=0")
        try:
            if machine.line(20 if words[1] == "kvm" else PATIENCE) == "mounted":
                return words
        except EOFError:
            pass
        finally:
            machine.cut()
    raise Failure("no virtual machine starts; see kernel.log and console.log")


def main():
    parser = argparse.ArgumentParser()
    for name in ("folder", "kernel", "programs", "seed"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cuts", type=int, required=True)
    parser.add_argument("systems", nargs="+")
    arguments = parser.parse_args()
    arguments.typical = 5
    try:
        arguments.guest = build_guest(arguments)
        words = accelerator(arguments)
        print(f"seed {arguments.seed}, {words[1]}", flush=True)
        print("| file system | cuts | in a recovery | commands done | requests flushed | not flushed | of these lost | "
              "files without a sync lost |\n|---|---|---|---|---|---|---|---|", flush=True)
        for system in arguments.systems:
            test(arguments, system)
    except Failure as failure:
        sys.exit(f"failed: {failure} (seed {arguments.seed})")


main()
