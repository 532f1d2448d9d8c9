import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Signed stores from `storehouse` to `tuf-client`, by the programs as a publisher runs them.
@Suite struct SignedStoreTests {
    private let shop: SignedStore
    init() throws { shop = try SignedStore() }

    @Test func `a signed store is published, renewed and rotated, and the client follows`() async throws {
        try await shop.run(["init", shop.path, "--sign"], ago: 60_000)
        try await shop.addPack(1)
        let published = try await shop.run(["publish", shop.path], ago: 60_000)
        #expect(published.output.contains("Signed targets.json version 1, snapshot.json version 1 and timestamp.json"))
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        try shop.checkCatalogue()

        // More than half of the timestamp's day is over.
        let renewed = try await shop.run(["renew", shop.path])
        #expect(renewed.output.isEmpty && renewed.errors.isEmpty, "\(renewed)")
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("timestamp") == 2 && shop.version("snapshot") == 1)
        try await shop.run(["renew", shop.path])
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("timestamp") == 2)

        let first = try await shop.run(["key", "list", shop.path, "--json"]).json
        for role in ["root", "timestamp", "snapshot", "targets"] {
            try await shop.run(["key", "rotate", shop.path, role])
        }
        // Users go on adding the store with the fingerprint of the first root.
        let last = try await shop.run(["key", "list", shop.path, "--json"]).json
        #expect(first["version"]?.number == 1 && last["version"]?.number == 5)
        #expect(first["fingerprint"] == last["fingerprint"])
        try await shop.addPack(2)
        try await shop.run(["publish", shop.path])
        let updated = try await shop.client(server)
        #expect(updated.exit == 0, "\(updated)")
        #expect(try shop.version("root") == 5 && shop.version("targets") == 2)
        try shop.checkCatalogue()
    }

    @Test func `two keys on two machines sign with only files carried between`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.addPack(1)
        // The second machine has another passphrase, in a file.
        let key = shop.folder.path + "/usb.json"
        let passphrase = shop.folder.path + "/passphrase"
        try Data("other words\n".utf8).write(to: URL(filePath: passphrase))
        let created = try await shop.run(["key", "create", key, "--passphrase-file", passphrase])
        let publicKey = created.output.trimmingCharacters(in: .newlines)
        try await shop.run(["key", "add", shop.path, "targets", "--public-key", publicKey])
        try await shop.run(["key", "threshold", shop.path, "targets", "2"])

        let refused = try await shop.run(["publish", shop.path], exit: 7)
        #expect(refused.errors.contains("'targets.json' has 1 of 2 signatures"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: shop.path + "/public/catalogue.json"))
        let request = shop.folder.path + "/request.json"
        try await shop.run(["sign", "request", shop.path, "--output", request])
        try await shop.run(["sign", "add", request, "--key", key], exit: 5)
        let signed = try await shop.run(["sign", "add", request, "--key", key, "--passphrase-file", passphrase])
        #expect(signed.output.contains("catalogue.json: SHA-256 "), "\(signed)")
        try await shop.run(["sign", "import", shop.path, request])
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("root") == 3)
        try shop.checkCatalogue()
    }

    @Test func `a person who signs a snapshot sees its version, its expiry and what it lists`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.addPack(1)
        let key = shop.folder.path + "/usb.json"
        let created = try await shop.run(["key", "create", key])
        let publicKey = created.output.trimmingCharacters(in: .newlines)
        try await shop.run(["key", "add", shop.path, "snapshot", "--public-key", publicKey])
        try await shop.run(["key", "threshold", shop.path, "snapshot", "2"])
        try await shop.run(["publish", shop.path], exit: 7)
        let request = shop.folder.path + "/request.json"
        try await shop.run(["sign", "request", shop.path, "--output", request])
        let signed = try await shop.run(["sign", "add", request, "--key", key])
        #expect(signed.output.contains("snapshot.json version 1, which expires on 2"), "\(signed)")
        #expect(signed.output.contains("\n  targets.json version 1\n"), "\(signed)")
    }

    @Test func `without a passphrase, no store is made and nothing is published`() async throws {
        let missing = shop.folder.path + "/none"
        let none = try await shop.run(["init", shop.path, "--sign", "--passphrase-file", missing], exit: 3)
        #expect(none.errors == "error: there is no file '\(missing)'\nhint: check the path\n")
        try await shop.run(["init", shop.path, "--sign"], exit: 2, ["STOREHOUSE_PASSPHRASE": ""])
        let short = try await shop.run(["init", shop.path, "--sign"], exit: 2, ["STOREHOUSE_PASSPHRASE": "1234567"])
        #expect(short.errors.contains("fewer than 8 characters"), "\(short)")
        #expect(!FileManager.default.fileExists(atPath: shop.path))
        try await shop.run(["init", shop.path, "--sign", "--keys", shop.path + "/public/keys"], exit: 5)
        try await shop.run(["list", shop.path], exit: 3)

        try await shop.run(["init", shop.path, "--sign"])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path, "--passphrase-file", missing], exit: 3)
        let files = FileManager.default.enumerator(atPath: shop.path + "/public")?.allObjects as? [String]
        #expect(files?.filter { $0.contains(".") } == [], "\(files ?? [])")
        try await shop.run(["sign", "import", shop.path, missing], exit: 3)
        try await shop.run(["sign", "add", missing, "--key", missing], exit: 3)
    }

    @Test func `metadata that has expired already is published with a warning`() async throws {
        try await shop.run(["init", shop.path, "--sign"], ago: 86_400 * 300)
        try await shop.addPack(1)
        let old = try await shop.run(["publish", shop.path], ago: 86_400 * 30)
        #expect(old.errors.contains("warning: snapshot.json expired on "), "\(old)")
        #expect(old.errors.contains(", timestamp.json expired on "), "\(old)")
        #expect(old.errors.contains("and run 'storehouse publish \(shop.path)' again\n"), "\(old)")
        #expect(try await shop.run(["publish", shop.path]).errors.isEmpty)
        #expect(try await shop.run(["publish", shop.path]).errors.isEmpty)
        // A root is valid for 365 days.
        try await shop.run(["key", "renew", shop.path], ago: 86_400 * 370)
        for command in ["publish", "renew"] {
            let late = try await shop.run([command, shop.path])
            #expect(late.errors.contains("warning: root.json expired on "), "\(late)")
            #expect(late.errors.contains("hint: run 'storehouse key renew \(shop.path)' and "), "\(late)")
        }
    }

    @Test func `serving a store says by which option a client adds it`() async throws {
        func hint() async throws -> String {
            let server = try Programs.start(
                "storehouse", ["serve", shop.path], environment: ["PATH": "/usr/bin:/bin"])
            defer { server.signal(SIGTERM) }
            try await eventually { !server.isRunning || server.errors.contains("\n") }
            let url = server.output.trimmingCharacters(in: .newlines)
            #expect(url.hasPrefix("http://127.0.0.1:"), "\(server.output) \(server.errors)")
            return server.errors.replacing(url, with: "URL")
        }
        try await shop.run(["init", shop.path])
        #expect(try await hint() == "hint: add it to a client with 'storectl store add NAME URL --unsigned'\n")
        try await shop.run(["key", "init", shop.path])
        let fingerprint = try await shop.run(["key", "list", shop.path, "--json"]).json["fingerprint"]?.text ?? ""
        #expect(
            try await hint()
                == "hint: add it to a client with 'storectl store add NAME URL --fingerprint \(fingerprint)'\n"
        )
    }

    @Test func `a wrong passphrase and a store without keys are explained`() async throws {
        try await shop.run(["init", shop.path])
        let unsigned = try await shop.run(["renew", shop.path], exit: 3)
        #expect(unsigned.errors.contains("is not signed") && unsigned.errors.contains("hint: "), "\(unsigned)")
        // Without a terminal, which the tests may have.
        let none = try await Programs.run(
            "/usr/bin/setsid", ["-w", Programs.path("storehouse"), "key", "init", shop.path],
            environment: ["PATH": "/usr/bin:/bin"].merging(Sanitizers.environment) { $1 })
        #expect(none.exit == 2 && none.errors.contains("STOREHOUSE_PASSPHRASE"), "\(none)")
        try await shop.run(["key", "init", shop.path, "--keys", shop.path + "/public/keys"], exit: 5)
        try await shop.run(["key", "init", shop.path])
        let wrong = try await shop.run(["publish", shop.path], exit: 5, ["STOREHOUSE_PASSPHRASE": "wrong"])
        #expect(wrong.errors.contains("the passphrase is wrong"), "\(wrong)")
        let list = try await shop.run(["key", "list", shop.path, "--json"])
        #expect(try list.json["fingerprint"]?.text?.count == 64, "\(list)")
    }
}
