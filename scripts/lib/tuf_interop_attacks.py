"""Attacks, expiry, delegations and downloads in repositories of python-tuf; `tuf_interop.py` runs them."""

import urllib.parse

from tuf_repository import TOP, Case, day

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Delegations, Metadata, SuccinctRoles, Targets


class Rollback(Case):
    def test_hashes_of_metadata(self):
        self.repository.hashes = True
        self.repository.publish("targets", "snapshot", "timestamp")
        self.start()
        self.succeeds(self.client.refresh())
        self.repository.publish("targets")
        self.repository.signed("snapshot").meta["targets.json"].hashes["sha256"] = "46" * 32
        self.repository.publish("snapshot", "timestamp")
        self.fails(self.client.refresh(), "'targets.json' does not have the sha256 hash")
        self.assertEqual(self.client.versions(), [1, 3, 3, 2])

    def test_older_timestamp(self):
        self.start()
        self.repository.publish("timestamp")
        self.succeeds(self.client.refresh())
        del self.repository.published["timestamp"][2]
        self.fails(self.client.refresh(), "version 1, but version 2 was seen before")
        self.assertEqual(self.client.version("timestamp"), 2)

    def test_same_timestamp_version(self):
        self.start()
        self.succeeds(self.client.refresh())
        first = self.repository.published["timestamp"].pop(1)
        del self.repository.published["timestamp"]
        self.repository.signed("timestamp").snapshot_meta.version = 100
        self.repository.publish("timestamp")
        self.succeeds(self.client.refresh())
        self.assertEqual(self.client.content("timestamp"), first)
        self.assertEqual(self.repository.requests[-1], ("timestamp", None))

    def test_older_snapshot_and_targets(self):
        for hashes in [False, True]:
            for role in ["snapshot", "targets"]:
                with self.subTest(role=role, hashes=hashes):
                    self.setUp()
                    self.repository.hashes = hashes
                    self.start()
                    self.repository.publish("targets", "snapshot", "timestamp")
                    self.succeeds(self.client.refresh())
                    del self.repository.published[role]
                    self.repository.signed(role).version = 1
                    self.repository.publish(*(["targets"] if role == "targets" else []), "snapshot", "timestamp")
                    self.fails(self.client.refresh(), "was seen before")
                    self.assertEqual(self.client.version(role), 2)

    def test_fast_forward_recovery(self):
        for roles in [["timestamp"], ["snapshot"], ["snapshot", "timestamp"]]:
            with self.subTest(roles):
                self.setUp()
                self.start()
                for role in ["targets", "snapshot", "timestamp"]:
                    self.repository.signed(role).version = 9999
                    self.repository.publish(role)
                self.succeeds(self.client.refresh())
                self.assertEqual(self.client.versions(), [1, 10000, 10000, 10000])
                for role in roles:
                    self.repository.rotate(role)
                for role in ["targets", "snapshot", "timestamp"]:
                    self.repository.signed(role).version = 1
                    del self.repository.published[role]
                self.repository.publish("root", "targets", "snapshot", "timestamp")
                self.succeeds(self.client.refresh())
                self.assertEqual(self.client.versions(), [2, 1, 1, 1])

    def test_version_in_the_name(self):
        expected = {"root": [1, None, None, None], "snapshot": [2, 2, None, None], "targets": [2, 2, 2, None]}
        for role, versions in expected.items():
            with self.subTest(role):
                self.setUp()
                self.start()
                self.repository.publish("root", "targets", "snapshot", "timestamp")
                newest = self.repository.signed(role)
                newest.version = 2
                self.repository.publish(role)
                newest.version = 2
                self.repository.published[role][2] = self.repository.published[role].pop(3)
                for lister, listed in [("snapshot", "targets.json"), ("timestamp", None)]:
                    signed = self.repository.signed(lister)
                    (signed.meta[listed] if listed else signed.snapshot_meta).version = 2
                    signed.version = 1
                    if lister != role:
                        self.repository.publish(lister)
                self.fails(self.client.refresh(), "version 3")
                self.assertEqual(self.client.versions(), versions)

    def test_role_that_the_snapshot_no_longer_lists(self):
        self.start()
        self.repository.delegate("targets", "A")
        self.repository.publish("A", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.refresh())
        del self.repository.signed("snapshot").meta["A.json"]
        self.repository.publish("snapshot", "timestamp")
        self.fails(self.client.refresh(), "'A.json'")
        self.assertEqual(self.client.version("snapshot"), 2)
        # Other keys of the snapshot begin anew, also with older targets.
        self.repository.rotate("snapshot")
        self.repository.signed("targets").version = 1
        del self.repository.published["targets"]
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.refresh())
        self.assertEqual(self.client.version("targets"), 1)

    def test_wrong_type(self):
        self.start()
        self.repository.add_key("snapshot", self.repository.signers["timestamp"][0])
        self.repository.publish("root", "snapshot")
        self.repository.published["timestamp"][2] = self.repository.published["snapshot"][2]
        self.fails(self.client.refresh(), "'_type' is not 'timestamp'")


class Expiry(Case):
    def test_expired_roles(self):
        expected = {"root": [2, None, None, None], "timestamp": [2, None, None, None], "snapshot": [2, 2, None, None],
                    "targets": [2, 2, 2, None]}
        for role, versions in expected.items():
            with self.subTest(role):
                self.setUp()
                self.start()
                self.repository.signed(role).expires = day(-1)
                self.repository.publish("root", "targets", "snapshot", "timestamp")
                self.fails(self.client.refresh(), f"'{role}.json' expired on")
                self.assertEqual(self.client.versions(), versions)

    def test_delegated_role_that_has_expired_is_not_stored(self):
        self.start()
        self.repository.delegate("targets", "A", expires=day(-1))
        self.repository.add_file("A", "a", b"1")
        self.repository.publish("A", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.refresh())
        self.fails(self.client.download("a"), "'A.json' expired on")
        self.assertEqual(self.client.downloads(), [])
        self.assertIsNone(self.client.content("A"))

    def test_expired_root_on_this_computer(self):
        self.start()
        self.repository.signed("root").expires = day(7)
        self.repository.publish("root")
        self.succeeds(self.client.refresh())
        self.fails(self.client.refresh(at=8), "'root.json' expired on")
        self.repository.signed("root").expires = day(21)
        self.repository.publish("root")
        self.succeeds(self.client.refresh(at=18))
        self.assertEqual(self.client.version("root"), 3)

    def test_faketime_reaches_the_clock(self):
        self.start()
        self.repository.signed("timestamp").expires = day(7)
        self.repository.publish("timestamp")
        self.succeeds(self.client.refresh())
        self.fails(self.client.refresh(at=8), "'timestamp.json' expired on")
        # The stored timestamp has expired, and is good for an update nevertheless.
        self.repository.signed("timestamp").expires = day(21)
        self.repository.publish("targets", "snapshot", "timestamp")
        self.succeeds(self.client.refresh(at=18))
        self.assertEqual(self.client.versions(), [1, 3, 2, 2])

    def test_delegated_role(self):
        self.start()
        self.repository.delegate("targets", "A", expires=day(7))
        self.repository.add_file("A", "first", b"1")
        self.repository.add_file("A", "second", b"2")
        self.repository.publish("A", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("first"))
        self.fails(self.client.download("second", at=18), "'A.json' expired on")
        self.repository.signed("A").expires = day(21)
        self.repository.publish("A", "snapshot", "timestamp")
        self.succeeds(self.client.download("second", at=18))
        self.assertEqual(self.client.downloads(), [b"1", b"2"])


class Delegation(Case):
    def visited(self, graph, path="missing"):
        """Returns the roles that the client requests; graph has delegator, role, paths and whether it terminates."""
        self.setUp()
        self.start()
        for delegator, role, *rest in graph:
            self.repository.delegate(delegator, role, *rest)
        roles = list(dict.fromkeys(role for _, role, *_ in graph))
        self.repository.publish(*roles, "targets", "snapshot", "timestamp")
        self.fails(self.client.download(path), "lists no file")
        return "".join(role for role, _ in self.repository.requests if role not in TOP)

    def test_order(self):
        every = ["*"]
        cases = [
            ("ACDB", [("targets", "A"), ("targets", "B"), ("A", "C"), ("A", "D")]),
            ("ACDB", [("targets", "A"), ("targets", "B"), ("A", "C"), ("C", "D")]),
            ("AC", [("targets", "A"), ("targets", "B"), ("A", "C", every, True), ("A", "D")]),
            ("ACD", [("targets", "A"), ("targets", "B"), ("A", "C", every, True), ("C", "D")]),
            ("B", [("targets", "A", ["*.py"]), ("targets", "B"), ("A", "C")]),
            ("AB", [("targets", "A"), ("targets", "B"), ("A", "C", ["*.py"]), ("C", "D")]),
            ("ABCD", [("targets", "A"), ("targets", "B"), ("B", "C"), ("C", "D")]),
            ("ABCD", [("targets", "A"), ("targets", "B"), ("B", "C"), ("C", "D"), ("D", "B")]),
            ("ACB", [("targets", "A"), ("targets", "B"), ("B", "C"), ("A", "C")]),
            ("ABC", [("targets", "A"), ("targets", "B"), ("B", "C"), ("A", "C", ["*.py"])]),
        ]
        for expected, graph in cases:
            with self.subTest(expected=expected, graph=graph):
                self.assertEqual(self.visited(graph), expected)

    def test_search(self):
        self.start()
        self.repository.delegate("targets", "A", ["*.doc", "*.md"])
        self.repository.delegate("targets", "B", ["releases/*/*"])
        self.repository.delegate("B", "C", ["releases/x/*"])
        self.repository.delegate("B", "D", ["releases/y/*.zip"])
        for role, path in [("targets", "top"), ("A", "README.md"), ("C", "releases/x/1"), ("D", "releases/y/1.zip"),
                           ("D", "releases/z/1.zip")]:
            self.repository.add_file(role, path, path.encode())
        self.repository.publish("A", "B", "C", "D", "targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("top", "README.md", "releases/x/1", "releases/y/1.zip"))
        self.assertEqual(len(self.client.downloads()), 4)
        self.fails(self.client.download("releases/z/1.zip"), "lists no file")

    def test_unusual_names(self):
        for role in ["?", "#", "/delegatedrole", "../delegatedrole", "..", ".", "a b", "\u00e5\u00e4\u00f6"]:
            with self.subTest(role):
                self.visited([("targets", role)])
                self.assertIn((role, 1), self.repository.requests)
                names = {path.name for path in self.client.metadata.iterdir()}
                expected = {urllib.parse.quote(name, "") + ".json" for name in [*TOP, role]}
                self.assertEqual(names, expected)

    def test_only_the_bin_of_a_path_is_requested(self):
        for bits in [1, 2, 8]:
            with self.subTest(bits):
                self.setUp()
                self.start()
                signer = CryptoSigner.generate_ed25519()
                bins = SuccinctRoles([], 1, bits, "bin")
                self.repository.signed("targets").delegations = Delegations({}, None, bins)
                self.repository.signed("targets").add_key(signer.public_key)
                for name in bins.get_roles():
                    self.repository.metadata[name] = Metadata(Targets(expires=day(30)))
                    self.repository.signers[name] = [signer]
                self.repository.publish(*bins.get_roles(), "targets", "snapshot", "timestamp")
                for path in ["boo", "too", "foo", "doo", "bar"]:
                    self.repository.requests.clear()
                    (self.client.metadata / (bins.get_role_for_target(path) + ".json")).unlink(missing_ok=True)
                    self.fails(self.client.download(path), "lists no file")
                    requested = [role for role, _ in self.repository.requests if role not in TOP]
                    self.assertEqual(requested, [bins.get_role_for_target(path)])

    def test_hash_bins(self):
        self.start()
        signer = CryptoSigner.generate_rsa()
        bins = SuccinctRoles([], 1, 4, "bin")
        self.repository.signed("targets").delegations = Delegations({}, None, bins)
        self.repository.signed("targets").add_key(signer.public_key)
        for name in bins.get_roles():
            self.repository.metadata[name] = Metadata(Targets(expires=day(30)))
            self.repository.signers[name] = [signer]
        for path in ["a", "b", "c/d", "\u00e5"]:
            self.repository.add_file(bins.get_role_for_target(path), path, path.encode())
        self.repository.publish(*bins.get_roles(), "targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("a", "b", "c/d", "\u00e5"))
        self.assertEqual(len(self.client.downloads()), 4)


class Download(Case):
    def test_options_before_and_after_the_action(self):
        self.start()
        self.repository.add_file("targets", "a", b"content")
        self.repository.publish("targets", "snapshot", "timestamp")
        url = self.client.base
        self.succeeds(self.client.run("refresh", "--metadata-url", url + "/metadata"))
        self.succeeds(
            self.client.run(
                "--metadata-url", url + "/metadata", "--target-name", "a", "download", "--target-dir",
                str(self.client.files), "--target-base-url", url + "/targets/",
            )
        )
        self.assertEqual(self.client.downloads(), [b"content"])

    def test_refused_command_lines(self):
        self.start()
        for arguments in [[], ["unknown"], ["refresh"], ["init"], ["--metadata-url", "x", "refresh"],
                          ["--metadata-url", self.client.base, "download"], ["--unknown", "x", "refresh"]]:
            self.assertEqual(self.client.run(*arguments), 1, arguments)

    def test_several_files_of_which_one_is_missing(self):
        self.start()
        for name in ["a", "c"]:
            self.repository.add_file("targets", name, name.encode())
        self.repository.publish("targets", "snapshot", "timestamp")
        self.fails(self.client.download("a", "b", "c"), "lists no file 'b'")
        self.assertEqual(self.client.downloads()[0], b"a")

    def test_hash_algorithms(self):
        for algorithms in [["sha256"], ["sha512"], ["sha384"], ["sha512", "sha256"]]:
            with self.subTest(algorithms):
                self.setUp()
                self.start()
                self.repository.add_file("targets", "a/b c.txt", b"content", algorithms)
                self.repository.publish("targets", "snapshot", "timestamp")
                self.succeeds(self.client.download("a/b c.txt"))
                self.assertEqual(self.client.downloads(), [b"content"])

    def test_unknown_algorithm(self):
        self.start()
        self.repository.add_file("targets", "a", b"content")
        hashes = self.repository.signed("targets").targets["a"].hashes
        hashes["unknown"] = hashes.pop("sha256")
        self.repository.publish("targets", "snapshot", "timestamp")
        self.fails(self.client.download("a"), "hashes of unknown kinds")
        self.assertEqual(self.client.downloads(), [])

    def test_existing_file_is_not_fetched_again(self):
        self.start()
        self.repository.add_file("targets", "a", b"content")
        self.repository.publish("targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("a"))
        self.succeeds(self.client.download("a"))
        self.assertEqual(self.repository.requests.count(("a", "file")), 1)
        self.repository.add_file("targets", "a", b"changed")
        self.repository.publish("targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("a"))
        self.assertEqual(self.client.downloads(), [b"changed"])

    def test_other_content(self):
        self.start()
        self.repository.add_file("targets", "a", b"content")
        self.repository.add_file("targets", "b", b"content")
        self.repository.publish("targets", "snapshot", "timestamp")
        self.succeeds(self.client.download("a"))
        for content, reason in [(b"CONTENT", "sha256"), (b"short", "5 bytes"), (b"x" * 100_000, "longer than")]:
            self.repository.files = {"a": content, "b": content}
            self.fails(self.client.download("b"), reason)
            self.succeeds(self.client.download("a"))
        self.assertEqual(self.client.downloads(), [b"content"])
        self.repository.files = {}
        self.fails(self.client.download("b"), "HTTP 404")
