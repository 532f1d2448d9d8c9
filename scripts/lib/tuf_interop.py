#!/usr/bin/env python3
"""Runs tuf-client against repositories that python-tuf makes and signs, as the framework's conformance tests do.

The conformance tests (theupdateframework/tuf-conformance) are no package; these tests use the same command line, the same
kinds of repositories, and look at the same things: exit code, trusted metadata, downloaded files, requests.

Then runs python-tuf's client against stores that storehouse publishes.

    tuf_interop.py CLIENT STOREHOUSE
"""

import json
import os
import sys
import unittest

import tuf_repository
from tuf_repository import TOP, Case

from securesystemslib.signer import CryptoSigner


class Basics(Case):
    def test_first_refresh(self):
        self.start()
        self.succeeds(self.client.refresh())
        self.assertEqual(
            self.repository.requests, [("root", 2), ("timestamp", None), ("snapshot", 1), ("targets", 1)]
        )
        for role in TOP:
            self.assertEqual(self.client.content(role), self.repository.published[role][1])

    def test_bytes_are_stored_as_received(self):
        self.start()
        self.repository.published["timestamp"][1] += b" \n"
        self.succeeds(self.client.refresh())
        self.assertEqual(self.client.content("timestamp"), self.repository.published["timestamp"][1])

    def test_refresh_without_a_valid_root(self):
        root = json.loads(self.repository.published["root"][1])
        del root["signed"]["version"]
        self.fails(self.client.init(json.dumps(root).encode()), "'version'")
        self.fails(self.client.refresh(), "no trusted root")
        self.assertEqual(self.repository.requests, [])

    def test_download_refreshes(self):
        self.start()
        self.fails(self.client.download("missing"), "lists no file 'missing'")
        self.assertEqual(self.client.versions(), [1, 1, 1, 1])

    def test_unknown_members(self):
        self.start()
        root = self.repository.signed("root")
        root.unrecognized_fields["x"] = {"b": [1, "\u00e9\n\"\\"], "a": None}
        root.roles["root"].unrecognized_fields["y"] = "text"
        root.keys[root.roles["root"].keyids[0]].unrecognized_fields["z"] = {"a": 1}
        self.repository.publish("root")
        self.succeeds(self.client.refresh())
        self.assertEqual(self.client.version("root"), 2)

    def test_missing_files(self):
        for role in ["timestamp", "snapshot", "targets"]:
            with self.subTest(role):
                self.setUp()
                self.start()
                del self.repository.published[role]
                self.fails(self.client.refresh(), f"'{role}.json' is missing from the store")

    def test_server_that_closes_the_connection(self):
        self.start()
        self.succeeds(self.client.refresh())
        self.repository.closed = {"timestamp"}
        self.fails(self.client.refresh(), "error: ")
        self.assertEqual(self.repository.requests[-1], ("timestamp", None))
        self.assertEqual(self.client.versions(), [1, 1, 1, 1])
        self.repository.closed = set()
        self.succeeds(self.client.refresh())

    def test_listed_versions_that_are_missing(self):
        self.start()
        self.succeeds(self.client.refresh())
        self.repository.signed("timestamp").snapshot_meta.version = 2
        self.repository.publish("timestamp")
        self.fails(self.client.refresh(), "'snapshot.json' is missing")
        self.assertEqual(self.client.versions(), [1, 2, 1, 1])
        self.repository.signed("snapshot").meta["targets.json"].version = 2
        self.repository.publish("snapshot", "timestamp")
        self.fails(self.client.refresh(), "'targets.json' is missing")
        self.assertEqual(self.client.versions(), [1, 3, 2, 1])

    def test_without_consistent_snapshots(self):
        self.repository.signed("root").consistent_snapshot = False
        self.start()
        self.repository.add_file("targets", "a/b.txt", b"content")
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("a/b.txt"))
        self.assertIn(("snapshot", None), self.repository.requests)
        self.assertEqual(self.client.downloads(), [b"content"])

    def test_many_roots(self):
        self.start()
        for _ in range(40):
            self.repository.rotate("timestamp")
            self.repository.publish("root", "timestamp")
        self.succeeds(self.client.refresh())
        self.assertEqual(self.client.version("root"), 41)


class Keys(Case):
    def test_kinds(self):
        makers = {
            "ed25519": CryptoSigner.generate_ed25519,
            "ecdsa": CryptoSigner.generate_ecdsa,
            "rsa-pss": CryptoSigner.generate_rsa,
            "rsa-pkcs1": lambda: CryptoSigner.generate_rsa(scheme="rsa-pkcs1v15-sha256"),
        }
        for kind, make in makers.items():
            with self.subTest(kind):
                self.setUp()
                self.start()
                signer = self.repository.add_key("root", make())
                self.repository.signed("root").roles["root"].threshold = 2
                self.repository.publish("root")
                self.succeeds(self.client.refresh())
                self.assertEqual(self.client.version("root"), 2)
                old = json.loads(self.repository.published["root"][2])["signatures"]
                self.repository.publish("root")

                def replay(document, old=old, key=signer.public_key.keyid):
                    forged = [s for s in old if s["keyid"] == key]
                    kept = [s for s in document["signatures"] if s["keyid"] != key]
                    document["signatures"] = kept + forged

                self.repository.change("root", replay)
                self.fails(self.client.refresh(), "1 valid signatures")
                self.assertEqual(self.client.version("root"), 2)

    def test_threshold(self):
        self.start()
        for _ in range(2):
            self.repository.add_key("snapshot")
        self.repository.signed("root").roles["snapshot"].threshold = 3
        self.repository.publish("root", "snapshot", "timestamp")
        self.succeeds(self.client.refresh())
        self.repository.signers["snapshot"].pop()
        self.repository.publish("snapshot", "timestamp")
        self.fails(self.client.refresh(), "2 valid signatures of trusted keys, but needs 3")

    def test_threshold_above_the_number_of_keys(self):
        self.start()
        self.succeeds(self.client.refresh())
        self.repository.signed("root").roles["snapshot"].threshold = 6
        self.repository.publish("root", "snapshot", "timestamp")
        self.fails(self.client.refresh(), "needs 6")
        self.assertEqual(self.client.versions(), [2, 2, 1, 1])

    def test_key_that_a_role_lists_several_times(self):
        self.start()
        root = self.repository.signed("root")
        root.roles["snapshot"].keyids *= 9
        root.roles["snapshot"].threshold = 6
        self.repository.publish("root", "snapshot", "timestamp")
        self.repository.change("snapshot", lambda d: d["signatures"].extend(d["signatures"] * 8))
        self.fails(self.client.refresh(), "error: ")
        self.assertIsNone(self.client.version("snapshot"))

    def test_signatures_by_roles_with_several_keys(self):
        # Keys of the role, its threshold, who signs, and whether that is enough.
        cases = [([2], 1, [2], True), ([1], 1, [3, 1, 4], True), ([2], 1, [1, 3, 4], False),
                 ([0, 1, 3, 4, 5], 3, [0, 2, 4], False), ([0, 1, 3, 4, 5], 3, [0, 4], False),
                 ([0, 1, 2, 3, 4], 3, [0, 2, 4], True), ([0, 1, 2, 3, 4], 3, [4, 2, 1], True)]
        keys = [CryptoSigner.generate_ed25519() for _ in range(6)]
        for trusted, threshold, signers, enough in cases:
            for role in ["timestamp", "snapshot", "targets"]:
                with self.subTest(role=role, trusted=trusted, signers=signers):
                    self.setUp()
                    self.start()
                    root = self.repository.signed("root")
                    for key_id in list(root.roles[role].keyids):
                        root.revoke_key(key_id, role)
                    for number in trusted:
                        root.add_key(keys[number].public_key, role)
                    root.roles[role].threshold = threshold
                    self.repository.signers[role] = [keys[number] for number in signers]
                    self.repository.publish("root", "targets", "snapshot", "timestamp")
                    if enough:
                        self.succeeds(self.client.refresh())
                        self.assertEqual(self.client.content(role), self.repository.published[role][2])
                    else:
                        self.fails(self.client.refresh(), "valid signatures")
                        self.assertIsNone(self.client.version(role))

    def test_two_signatures_of_one_key(self):
        self.start()
        self.repository.change("snapshot", lambda d: d["signatures"].append(d["signatures"][0]))
        self.fails(self.client.refresh(), "two signatures")
        self.assertIsNone(self.client.version("snapshot"))

    def test_invalid_signatures_beside_valid_ones(self):
        for signature in ["", "00", "zz"]:
            with self.subTest(signature):
                self.setUp()
                self.start()
                self.repository.add_key("timestamp")
                self.repository.publish("root", "timestamp")
                self.repository.change("timestamp", lambda d, s=signature: d["signatures"][0].update(sig=s))
                self.succeeds(self.client.refresh())

    def test_unsigned_roles(self):
        expected = {"root": [1, None, None, None], "timestamp": [2, None, None, None], "snapshot": [2, 2, None, None],
                    "targets": [2, 2, 2, None]}
        for role, versions in expected.items():
            with self.subTest(role):
                self.setUp()
                self.start()
                self.repository.signers[role].pop()
                self.repository.publish("root", "targets", "snapshot", "timestamp")
                self.fails(self.client.refresh(), "0 valid signatures")
                self.assertEqual(self.client.versions(), versions)

    def test_root_rotation(self):
        # Keys of the root, its threshold, who signs, and whether that is enough; the first is the trusted root.
        cases = {
            "one key": [([1], 1, [1]), ([2], 1, [2, 1]), ([2], 1, [2])],
            "not signed by the old key": [([1], 1, [1]), ([2], 1, [2, 3])],
            "not signed by the new key": [([1], 1, [1]), ([2], 1, [1, 3])],
            "three of five": [([0, 1, 2, 3, 4], 3, [0, 2, 4]), ([0, 1, 3, 4, 5], 3, [0, 4, 1])],
            "only two of the new": [([0, 1, 2, 3, 4], 3, [0, 2, 4]), ([0, 1, 3, 4, 5], 3, [0, 2, 4])],
            "only two of the old": [([0, 1, 2, 3, 4], 3, [0, 2, 4]), ([0, 1, 3, 4, 5], 3, [0, 4, 5])],
            "greater threshold": [([1, 2, 3], 1, [1]), ([1, 2, 3], 2, [1, 2])],
            "greater threshold not reached": [([1, 2, 3], 1, [1]), ([1, 2, 3], 2, [2])],
            "old threshold not reached": [([1, 2, 3], 2, [1, 2]), ([1, 2, 3], 1, [1])],
        }
        refused = {"not signed by the old key", "not signed by the new key", "only two of the new",
                   "only two of the old", "greater threshold not reached", "old threshold not reached"}
        keys = [CryptoSigner.generate_ed25519() for _ in range(6)]
        for name, roots in cases.items():
            with self.subTest(name):
                self.setUp()
                self.repository.published["root"] = {}
                root = self.repository.signed("root")
                root.version = 0
                for trusted, threshold, signers in roots:
                    for key_id in list(root.roles["root"].keyids):
                        root.revoke_key(key_id, "root")
                    for number in trusted:
                        root.add_key(keys[number].public_key, "root")
                    root.roles["root"].threshold = threshold
                    self.repository.signers["root"] = [keys[number] for number in signers]
                    self.repository.publish("root")
                self.start()
                if name in refused:
                    self.fails(self.client.refresh(), "valid signatures")
                    self.assertEqual(self.client.version("root"), len(roots) - 1)
                else:
                    self.succeeds(self.client.refresh())
                    self.assertEqual(self.client.version("root"), len(roots))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    import tuf_interop_attacks
    import tuf_interop_storehouse

    tuf_repository.CLIENT = os.path.abspath(sys.argv[1])
    tuf_interop_storehouse.STOREHOUSE = os.path.abspath(sys.argv[2])
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromModule(module)
        for module in (sys.modules["__main__"], tuf_interop_attacks, tuf_interop_storehouse)
    )
    sys.exit(0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1)
