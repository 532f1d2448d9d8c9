import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests what `storehouse` says of packs, products and command lines.
@Suite(.hangGuard) struct PublisherCommandTests {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private func storehouse(_ arguments: String...) async throws -> Programs.Result {
        try await Programs.run("storehouse", arguments, environment: ["PATH": "/usr/bin:/bin"])
    }

    /// Writes a pack with two stickers to the directory `packs/NAME`, and returns its path.
    private func pack(_ name: String, _ information: String) throws -> String {
        let directory = try store.folder.directory.createDirectory("packs")
        for number in 1...2 { try directory.put("\(name)/0\(number).png", TestStore.bytes(100, seed: UInt64(number))) }
        try directory.put("\(name)/pack.json", information)
        return store.folder.path + "/packs/" + name
    }

    @Test func `adding says how many stickers a pack has, and refuses the directory of several packs`() async throws {
        let cups = try pack("cups", "{}")
        _ = try pack("dogs", "{}")
        let packs = store.folder.path + "/packs"
        let refused = try await storehouse("add", store.path, packs)
        #expect(refused.exit == 5 && refused.output.isEmpty)
        #expect(
            refused.errors == """
                error: \(packs): not a pack, but a directory with packs in it
                hint: did you mean '\(packs)/cups' '\(packs)/dogs'?

                """)
        let added = try await storehouse("add", store.path, cups)
        #expect(added.exit == 0 && added.errors.isEmpty)
        #expect(added.output.hasPrefix("Added 'cups' 1.0.0 (sticker, 2 stickers, "), "\(added)")
        try store.folder.directory.put("packs/none/pack.json", "{}")
        let empty = try await storehouse("add", store.path, packs + "/none")
        #expect(empty.exit == 0 && empty.errors.contains("/none: the pack has no stickers: "), "\(empty)")
        #expect(empty.output.hasPrefix("Added 'none' 1.0.0 (sticker, 0 stickers, "), "\(empty)")
        let spaced = try await storehouse("add", store.path, cups, "--id", "my cups")
        #expect(spaced.exit == 0 && spaced.errors.hasPrefix("warning: 'my cups' has white space"), "\(spaced)")
    }

    @Test func `the passphrase of all keys is read from a pipe`() async throws {
        let script = #"echo "a long passphrase" | "$1" key init "$2" --passphrase-file /dev/stdin"#
        let result = try await Programs.run(
            "/bin/sh", ["-c", script, "sh", Programs.path("storehouse"), store.path],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.exit == 0, "\(result)")
        let root = try await Programs.run(
            "storehouse", ["key", "add", store.path, "targets"],
            environment: ["PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": "a long passphrase"])
        #expect(root.exit == 0, "\(root)")
    }

    @Test func `a relative path in a working directory that was removed is an error`() async throws {
        let script = #"mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" key init "$3" --keys keys"#
        let result = try await Programs.run(
            "/bin/sh",
            ["-c", script, "sh", store.folder.path + "/removed", Programs.path("storehouse"), store.path],
            environment: ["PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": "a long passphrase"])
        #expect(result.exit != 0 && result.errors.contains("'keys' does not exist"), "\(result)")
    }

    @Test func `a kind that is mistyped is refused, and other unknown kinds are a warning`() async throws {
        let cups = try pack("cups", "{}")
        let mistyped = try await storehouse("add", store.path, cups, "--kind", "stiker")
        #expect(mistyped.exit == 2 && mistyped.output.isEmpty, "\(mistyped)")
        #expect(mistyped.errors == "error: \(cups): --kind: unknown kind 'stiker'\nhint: did you mean 'sticker'?\n")
        let dogs = try pack("dogs", #"{"kind": "skins"}"#)
        let written = try await storehouse("add", store.path, dogs)
        #expect(written.exit == 2 && written.errors.contains("pack.json: unknown kind 'skins'"), "\(written)")
        let own = try await storehouse("add", store.path, cups, "--kind", "hologram")
        #expect(own.exit == 0 && own.errors.contains("'hologram', which storectl does not know"), "\(own)")
        #expect(own.errors.contains("refuses to install it"), "\(own)")
    }

    @Test func `text among a sticker's emoji that is none is a warning`() async throws {
        let cups = try pack(
            "cups",
            #"{"stickers": [{"file": "01.png", "emoji": ["🙂", "happy"]}, {"file": "02.png", "emoji": ["👩‍🌾"]}]}"#)
        let added = try await storehouse("add", store.path, cups)
        #expect(added.exit == 0, "\(added)")
        #expect(
            added.errors == "warning: \(cups): pack.json, sticker 1: 'happy' is not an emoji; "
                + "put words for searching into 'keywords'\n")
    }

    @Test func `paths that lead nowhere are named, with what to do`() async throws {
        let nowhere = store.folder.path + "/nowhere"
        let add = try await storehouse("add", store.path, nowhere)
        #expect(add.exit == 3 && add.errors.contains("there is no directory '\(nowhere)'"), "\(add)")
        #expect(add.errors.contains("hint: "), "\(add)")
        let check = try await storehouse("check", nowhere + ".zip")
        #expect(check.exit == 3 && check.output == "\(nowhere).zip: there is no such file\n", "\(check)")
        #expect(check.errors == "hint: check the paths of the files\n")
        try Data().write(to: URL(filePath: nowhere))
        let publish = try await storehouse("publish", nowhere)
        #expect(publish.exit == 3 && publish.errors.contains("'\(nowhere)' is not a store"), "\(publish)")
        let create = try await storehouse("init", nowhere)
        #expect(create.exit == 7 && create.errors.contains("'\(nowhere)', which is not a directory"), "\(create)")
        let file = try await storehouse("add", store.path, nowhere + "/deeper")
        #expect(file.exit == 3 && !file.errors.contains("could not access"), "\(file)")
    }

    @Test func `mistyped members and amounts without a currency are warnings`() async throws {
        let cups = try pack("cups", "{\n\"$schema\": \"pack.schema.json\",\n\"verison\": \"2\", \"price\": 1.5}")
        let added = try await storehouse("add", store.path, cups)
        #expect(added.exit == 0 && added.output.hasPrefix("Added 'cups' 1.0.0 (sticker, "), "\(added)")
        let warnings = added.errors.split(separator: "\n").map(String.init)
        #expect(warnings.count == 2, "\(added)")
        #expect(
            warnings.first == "warning: \(cups): pack.json, line 3: unknown member 'verison'; did you mean 'version'?")
        #expect(warnings[1].contains("the price '1.5' of 'cups' has no currency"), "\(added)")
        let priced = try await storehouse("price", store.path, "cups", "2.5")
        #expect(priced.exit == 0 && priced.errors.contains("warning: the price '2.5' of 'cups' has no currency"))
        #expect(try await storehouse("price", store.path, "cups", "2.5 EUR").errors.isEmpty)
        let negative = try await storehouse("price", store.path, "cups", "-5 EUR")
        #expect(negative.exit == 2 && negative.errors.hasPrefix("error: invalid price '-5 EUR'"), "\(negative)")
    }

    @Test func `a store that is signed already keeps its name when it is made a signed one again`() async throws {
        let folder = try TemporaryFolder()
        let (path, keys) = (folder.path + "/shop", folder.path + "/keys")
        let phrase = folder.path + "/phrase"
        try Data("correct horse battery staple".utf8).write(to: URL(filePath: phrase))
        func initialize(_ name: String) async throws -> Programs.Result {
            try await storehouse("init", path, "--name", name, "--sign", "--keys", keys, "--passphrase-file", phrase)
        }
        let first = try await initialize("First")
        #expect(first.exit == 0, "\(first)")
        let second = try await initialize("Second")
        #expect(second.exit == 7 && !second.output.contains("Renamed"), "\(second)")
        #expect(try String(contentsOfFile: path + "/store.json", encoding: .utf8).contains("First"))
    }

    @Test func `a damaged file is no usage error, and a mistyped directory of keys is not created`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop"
        let made = try await Programs.run(
            "storehouse", ["init", path, "--sign"],
            environment: ["PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": "correct horse battery staple"])
        #expect(made.exit == 0, "\(made)")
        try Data("{".utf8).write(to: URL(filePath: path + "/metadata/lifetimes.json"))
        let keys = folder.path + "/kyes"
        let mistyped = try await storehouse("renew", path, "--keys", keys)
        #expect(mistyped.exit == 3 && mistyped.errors.contains("there is no directory '\(keys)'"), "\(mistyped)")
        #expect(!FileManager.default.fileExists(atPath: keys))
        let renewal = try await storehouse("renew", path)
        #expect(renewal.exit == 5 && renewal.errors.contains("/metadata/lifetimes.json'"), "\(renewal)")
    }

    @Test func `the end of the line is no part of the passphrase in a file`() async throws {
        let folder = try TemporaryFolder()
        let phrase = folder.path + "/phrase"
        func add(_ name: String, _ passphrase: [UInt8]) async throws -> Programs.Result {
            try Data(passphrase).write(to: URL(filePath: phrase))
            return try await storehouse(
                "key", "add", folder.path + "/shop", "targets", "--passphrase-file", phrase)
        }
        let words = Array("correct horse battery staple".utf8)
        try Data(words).write(to: URL(filePath: phrase))
        let made = try await storehouse("init", folder.path + "/shop", "--sign", "--passphrase-file", phrase)
        #expect(made.exit == 0, "\(made)")
        for end in ["\n", "\r\n"] {
            let added = try await add(end, words + Array(end.utf8))
            #expect(added.exit == 0, "\(added)")
        }
        for end in ["\n\n", "\r"] {
            let other = try await add(end, words + Array(end.utf8))
            #expect(other.exit == 5, "\(other)")
        }
        let invalid = try await add("UTF-8", words + [0xFF])
        #expect(invalid.exit == 2 && invalid.errors.contains("'\(phrase)' is not UTF-8"), "\(invalid)")
    }

    @Test func `withdrawn products are counted apart, and withdrawing again says so`() async throws {
        for name in ["cups", "dogs"] { try await store.storehouse("add", store.path, pack(name, "{}")) }
        #expect(try await storehouse("withdraw", store.path, "dogs").output.hasPrefix("Withdrew 'dogs'; "))
        let again = try await storehouse("withdraw", store.path, "dogs")
        #expect(again.exit == 0 && again.output == "'dogs' is withdrawn already.\n")
        let published = try await storehouse("publish", store.path)
        #expect(published.output.hasPrefix("Published 1 product (1 withdrawn) in '"), "\(published)")
        #expect(try await storehouse("publish", store.path).output == "Nothing to publish (1 product, 1 withdrawn).\n")
    }

    @Test func `a mistyped command or product is answered with a similar one`() async throws {
        let unknown = try await storehouse("publsh", store.path)
        #expect(unknown.exit == 2)
        #expect(unknown.errors == "error: no such command 'publsh'\nhint: did you mean 'publish'?\n")
        let strange = try await storehouse("help", "nonsense")
        #expect(strange.exit == 2 && strange.errors.hasSuffix("hint: see 'storehouse --help'\n"), "\(strange)")
        let incomplete = try await storehouse("add")
        #expect(
            incomplete.exit == 2 && incomplete.errors.hasSuffix("hint: see 'storehouse add --help'\n"), "\(incomplete)")
        try await store.storehouse("add", store.path, pack("cups", #"{"productIdentifier": "org.example.cups"}"#))
        for arguments in [["price", store.path, "org.example.cusp", "free"], ["withdraw", store.path, "cusp"]] {
            let result = try await Programs.run("storehouse", arguments, environment: [:])
            #expect(
                result.exit == 3 && result.errors.hasSuffix("hint: did you mean 'org.example.cups'?\n"), "\(result)")
        }
        let other = try await storehouse("withdraw", store.path, "plates")
        #expect(
            other.exit == 3 && other.errors.hasSuffix("hint: list its products with 'storehouse list'\n"), "\(other)")
    }

    @Test(arguments: [
        (["C A", "--prefix", "org.example."], "invalid publisher name 'C A'"),
        (["cats", "--prefix", "org.Bad!"], "an invalid identifier prefix 'org.Bad!'"),
        (["cats", "--prefix", "org.example.", "--public-key", "zz"], "'zz' is not an Ed25519 public key"),
    ])
    func `a publisher that can't be is a usage error`(options: [String], reason: String) async throws {
        let made = try await Programs.run(
            "storehouse", ["publisher", "init", store.folder.path + "/cats"] + options,
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(made.exit == 2 && made.errors.contains(reason), "\(made)")
        #expect(!FileManager.default.fileExists(atPath: store.folder.path + "/cats"))
        let key = options.contains("--public-key") ? [] : ["--public-key", String(repeating: "ab", count: 32)]
        let added = try await Programs.run(
            "storehouse", ["publisher", "add", store.path] + options + key, environment: ["PATH": "/usr/bin:/bin"])
        #expect(added.exit == 2 && added.errors.contains(reason), "\(added)")
    }
}
