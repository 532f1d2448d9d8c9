"""A repository of python-tuf that is served to tuf-client, and the client; for the tests in `tuf_interop.py`."""

import datetime
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer

CLIENT = ""
TOP = ["root", "timestamp", "snapshot", "targets"]


def day(number):
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    return now + datetime.timedelta(days=number)


class Repository:
    """A repository whose metadata tests change, and sign with `publish`; it serves what was published."""

    def __init__(self):
        self.metadata = {
            "root": Metadata(Root(expires=day(30))),
            "timestamp": Metadata(Timestamp(expires=day(30))),
            "snapshot": Metadata(Snapshot(expires=day(30))),
            "targets": Metadata(Targets(expires=day(30))),
        }
        self.signers = {role: [] for role in TOP}
        self.published = {}
        self.files = {}
        self.hashes = False
        self.requests = []
        # The roles for which the server closes the connection without an answer.
        self.closed = set()
        for role in TOP:
            self.add_key(role)
        self.publish(*TOP)

    def signed(self, role):
        return self.metadata[role].signed

    def add_key(self, role, signer=None):
        signer = signer or CryptoSigner.generate_ed25519()
        self.signed("root").add_key(signer.public_key, role)
        self.signers[role].append(signer)
        return signer

    def rotate(self, role):
        for key_id in list(self.signed("root").roles[role].keyids):
            self.signed("root").revoke_key(key_id, role)
        self.signers[role] = []
        self.add_key(role)

    def delegate(self, delegator, name, paths=("*",), terminating=False, expires=None):
        signer = CryptoSigner.generate_ecdsa()
        targets = self.signed(delegator)
        if targets.delegations is None:
            targets.delegations = Delegations({}, roles={})
        targets.delegations.roles[name] = DelegatedRole(name, [], 1, terminating, list(paths))
        if name not in self.metadata:
            self.metadata[name] = Metadata(Targets(expires=expires or day(30)))
            self.signers[name] = []
        targets.add_key(signer.public_key, name)
        self.signers[name].append(signer)

    def add_file(self, role, path, content, algorithms=("sha256",)):
        self.signed(role).targets[path] = TargetFile.from_data(path, content, list(algorithms))
        self.files[path] = content

    def publish(self, *roles):
        """Signs new versions of roles; what lists them takes the new versions over."""
        for role in roles:
            metadata = self.metadata[role]
            if role in self.published:
                metadata.signed.version += 1
            metadata.signatures.clear()
            for signer in self.signers[role]:
                metadata.sign(signer, append=True)
            data = metadata.to_bytes(JSONSerializer())
            self.published.setdefault(role, {})[metadata.signed.version] = data
            listed = MetaFile(metadata.signed.version)
            if self.hashes:
                listed = MetaFile.from_data(metadata.signed.version, data, ["sha256", "sha512"])
            if role == "snapshot":
                self.signed("timestamp").snapshot_meta = listed
            elif role not in TOP or role == "targets":
                self.signed("snapshot").meta[role + ".json"] = listed

    def change(self, role, change):
        """Changes the newest published file of a role as JSON, without signing it again."""
        version = max(self.published[role])
        document = json.loads(self.published[role][version])
        change(document)
        self.published[role][version] = json.dumps(document).encode()

    def answer(self, path):
        """Returns the content of a path of the server, or None."""
        kind, _, name = path.lstrip("/").partition("/")
        consistent = self.signed("root").consistent_snapshot
        if kind == "metadata":
            name = name.removesuffix(".json")
            version, _, role = name.partition(".")
            if name == "timestamp" or not consistent and not name.endswith(".root"):
                version, role = None, name
            role = urllib.parse.unquote(role)
            self.requests.append((role, version and int(version)))
            versions = self.published.get(role, {})
            return versions.get(int(version) if version else max(versions, default=0))
        folder, slash, name = urllib.parse.unquote(name).rpartition("/")
        if consistent:
            digest, _, name = name.partition(".")
        self.requests.append((folder + slash + name, "file"))
        content = self.files.get(folder + slash + name)
        return content


class Client:
    """The trusted metadata and the downloads of one client, which is run as a program."""

    def __init__(self, port):
        self.folder = tempfile.TemporaryDirectory()
        self.metadata = pathlib.Path(self.folder.name, "metadata")
        self.files = pathlib.Path(self.folder.name, "files")
        self.metadata.mkdir()
        self.files.mkdir()
        self.base = f"http://127.0.0.1:{port}"

    def run(self, *arguments, at=None):
        command = [CLIENT, "--metadata-dir", str(self.metadata), *arguments]
        if at is not None:
            # A date with its time zone, as the conformance tests write it.
            command = ["faketime", str(day(at)), *command]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        self.message = ended.stderr
        return ended.returncode

    def init(self, root):
        path = pathlib.Path(self.folder.name, "first.json")
        path.write_bytes(root)
        return self.run("init", str(path))

    def refresh(self, at=None):
        return self.run("--metadata-url", self.base + "/metadata/", "refresh", at=at)

    def download(self, *names, at=None):
        named = [argument for name in names for argument in ("--target-name", name)]
        urls = ["--metadata-url", self.base + "/metadata", "--target-base-url", self.base + "/targets"]
        return self.run(*urls, *named, "--target-dir", str(self.files), "download", at=at)

    def content(self, role):
        path = self.metadata / (urllib.parse.quote(role, "") + ".json")
        return path.read_bytes() if path.exists() else None

    def version(self, role):
        data = self.content(role)
        return data and json.loads(data)["signed"]["version"]

    def versions(self):
        return [self.version(role) for role in TOP]

    def downloads(self):
        return sorted(path.read_bytes() for path in self.files.iterdir())


class Case(unittest.TestCase):
    def setUp(self):
        self.repository = repository = Repository()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                data = repository.answer(self.path)
                if repository.requests[-1][0] in repository.closed:
                    return
                if data is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = Client(self.server.server_address[1])

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.client.folder.cleanup()

    def start(self):
        """Initializes the client with the first root."""
        self.assertEqual(self.client.init(self.repository.published["root"][1]), 0, self.client.message)
        self.assertEqual(self.repository.requests, [])

    def succeeds(self, code):
        self.assertEqual(code, 0, self.client.message)

    def fails(self, code, reason):
        self.assertEqual(code, 1, "it did not fail")
        self.assertIn(reason, self.client.message)
