"""Lets python-tuf's client update from stores that storehouse publishes and signs; run by `tuf_interop.py`."""

import functools
import http.server
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata
from tuf.ngclient import Updater

STOREHOUSE = ""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Requests are not printed."""


class Published(unittest.TestCase):
    """A signed store with one pack, which a server on loopback serves."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "store"
        self.storehouse("init", self.store, "--sign")
        self.publish(1)
        handler = functools.partial(Handler, directory=str(self.store / "public"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_port}/"
        self.root = (self.store / "public/metadata/1.root.json").read_bytes()
        for name in ["trusted", "files"]:
            (self.folder / name).mkdir()

    def storehouse(self, *arguments, ahead=0, expected=0):
        environment = {
            "PATH": "/usr/bin:/bin",
            "STOREHOUSE_PASSPHRASE": "secret words",
            "SOURCE_DATE_EPOCH": str(int(time.time()) + ahead),
        }
        ended = subprocess.run(
            [STOREHOUSE, *map(str, arguments)], env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(ended.returncode, expected, ended.stderr)
        return ended.stdout

    def publish(self, version):
        pack = self.folder / f"cups-{version}"
        pack.mkdir()
        (pack / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{version}" height="1"/>')
        self.storehouse("add", self.store, pack, "--id", "org.example.cups", "--version", f"{version}.0.0")
        self.storehouse("publish", self.store)

    def add_publisher(self, name, version):
        """Publishes a pack in a publisher's directory, which is created where it is missing; returns the directory."""
        directory = self.folder / name
        if not directory.exists():
            made = self.storehouse("publisher", "init", directory, name, "--prefix", f"org.{name}.")
            key = made.split()[-1]
            self.storehouse(
                "publisher", "add", self.store, name, "--prefix", f"org.{name}.", "--public-key", key)
        self.storehouse(
            "add", directory, self.folder / "cups-1", "--id", f"org.{name}.cups", "--version", f"{version}.0.0")
        self.storehouse("publish", directory)
        return directory

    def update(self, path="catalogue.json"):
        """Updates python-tuf's client, which keeps its trusted metadata, and compares a catalogue that it downloads."""
        updater = Updater(
            str(self.folder / "trusted"), self.url + "metadata/", str(self.folder / "files"), self.url,
            bootstrap=self.root,
        )
        updater.refresh()
        info = updater.get_targetinfo(path)
        self.assertIsNotNone(info)
        fetched = pathlib.Path(updater.download_target(info))
        self.assertEqual(fetched.read_bytes(), (self.store / "public" / path).read_bytes())
        self.assertIsNone(updater.get_targetinfo("store.json"))

    def trusted(self, role):
        """Returns the version of a role that the client trusts."""
        return Metadata.from_file(str(self.folder / "trusted" / f"{role}.json")).signed.version

    def test_updates(self):
        self.update()
        self.publish(2)
        self.update()
        self.assertEqual([self.trusted(role) for role in ("root", "targets", "snapshot", "timestamp")], [1, 2, 2, 2])

    def test_several_publishers(self):
        for name in ("cats", "dogs"):
            self.add_publisher(name, 1)
        self.storehouse("publish", self.store)
        for name in ("cats", "dogs"):
            self.storehouse("publisher", "accept", self.store, self.folder / name)
            self.update(f"publishers/{name}/catalogue.json")
        self.storehouse("publisher", "accept", self.store, self.add_publisher("cats", 2))
        self.update("publishers/cats/catalogue.json")
        self.assertEqual([self.trusted(role) for role in ("targets", "cats", "dogs")], [2, 2, 1])
        self.storehouse("publisher", "remove", self.store, "dogs")
        self.storehouse("publish", self.store)
        self.update()
        updater = Updater(
            str(self.folder / "trusted"), self.url + "metadata/", str(self.folder / "files"), self.url,
            bootstrap=self.root,
        )
        self.assertIsNone(updater.get_targetinfo("publishers/dogs/catalogue.json"))

    def test_renewal(self):
        self.update()
        self.storehouse("renew", self.store, ahead=50_000)
        self.update()
        self.assertEqual([self.trusted("snapshot"), self.trusted("timestamp")], [1, 2])

    def test_rotations(self):
        self.update()
        for number, role in enumerate(("root", "timestamp", "snapshot", "targets"), 2):
            with self.subTest(role):
                self.storehouse("key", "rotate", self.store, role)
                self.storehouse("publish", self.store)
                self.update()
                self.assertEqual(self.trusted("root"), number)

    def test_several_rotations_at_once(self):
        self.update()
        for _ in range(3):
            self.storehouse("key", "rotate", self.store, "root")
        self.publish(2)
        self.update()
        self.assertEqual(self.trusted("root"), 4)

    def test_threshold_of_two(self):
        self.storehouse("key", "add", self.store, "root")
        self.storehouse("key", "threshold", self.store, "root", 2)
        self.storehouse("key", "add", self.store, "targets")
        self.storehouse("key", "threshold", self.store, "targets", 2)
        self.publish(2)
        self.update()
        self.assertEqual(self.trusted("root"), 5)

    def test_metadata_of_keys_that_were_replaced(self):
        self.update()
        path = self.store / "public/metadata/timestamp.json"
        old = path.read_bytes()
        self.storehouse("key", "rotate", self.store, "timestamp")
        self.storehouse("publish", self.store)
        path.write_bytes(old)
        with self.assertRaises(RepositoryError):
            self.update()
