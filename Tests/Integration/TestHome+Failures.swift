import Foundation
import StoreModel
import StoreTestSupport
import Testing

extension TestHome {
    /// Runs a command that must fail, with a code on standard output and a message on standard error.
    ///
    /// - Parameter words: the parts that the message must contain.
    /// - Returns: the document on standard output.
    @discardableResult
    func fails(
        _ arguments: String..., exit: Int32, code: String, saying words: [String] = [],
        location: SourceLocation = #_sourceLocation
    ) async throws -> [String: JSONValue] {
        let command = "storectl " + arguments.joined(separator: " ")
        let result = try await Programs.run("storectl", ["--json"] + arguments, environment: environment)
        #expect(result.exit == exit, "\(command): \(result)", sourceLocation: location)
        let document = try result.json
        #expect(document["error"]?["code"].text == code, "\(command): \(result)", sourceLocation: location)
        let complaints = result.errors.split(separator: "\n").filter {
            $0.hasPrefix("error: ") || $0.hasPrefix("hint: ")
        }
        #expect(!complaints.isEmpty, "\(command) says nothing: \(result)", sourceLocation: location)
        for word in words {
            #expect(
                complaints.contains { $0.contains(word) }, "\(command) does not say '\(word)': \(result)",
                sourceLocation: location)
        }
        return document
    }

    /// Checks that staging, partial downloads and the trash are empty, and waits for the removal of the trash.
    ///
    /// - Parameter hasFailed: whether a download failed because of the network, so that its partial file is kept.
    func expectNothingLeft(
        hasFailed: Bool = false, location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(entries("data/staging") == [], sourceLocation: location)
        let partial = entries("cache/partial").filter { !hasFailed || !Self.isKept($0) }
        #expect(partial == [], sourceLocation: location)
        try await eventually { entries("data/trash") == [] }
    }

    /// Whether a file of the directory of partial downloads is kept for the next download of the same archive.
    static func isKept(_ name: String) -> Bool { name.wholeMatch(of: /[0-9a-f]{64}\.(part|ranges)/) != nil }

    /// Returns every file of a pack except the receipt, by path.
    func files(of pack: String) -> [String: Data] {
        let folder = path + "/data/packs/" + pack
        var files: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init()
        where name != ".receipt.json" {
            files[name] = FileManager.default.contents(atPath: folder + "/" + name)
        }
        return files
    }

    /// Returns the operations of `history --json`, newest first.
    func history(_ identifier: String) async throws -> [JSONValue] {
        try await must("history", "--json", "--", identifier).json["operations"]?.elements ?? []
    }
}

/// Hand-written documents for tests.
enum StoreDocuments {
    static func json(_ value: Any) -> [UInt8] {
        Array((try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])) ?? Data())
    }

    static func hash(_ bytes: [UInt8]) -> String { SHA256Digest(of: bytes).hex }

    /// Returns a product's entry in a shard, with the archive's size and hash.
    static func product(
        _ identifier: String, version: String = "1.0.0", archive: [UInt8], at url: String,
        with more: [String: Any] = [:]
    ) -> [String: Any] {
        let all: [String: Any] = [
            "productIdentifier": identifier, "productName": identifier, "productType": "sticker",
            "productPrice": "free", "version": version, "productResourceURL": url,
            "productResourceSize": archive.count, "productResourceSHA256": hash(archive),
        ]
        return all.merging(more) { $1 }
    }

    /// Serves a store of format 2 at the root of a server.
    static func formatTwo(_ products: [[String: Any]], on origin: Origin) {
        for (name, document) in formatTwo(products) { origin.serve("/" + name, document) }
    }

    /// Returns the documents of a store of format 2 by their names.
    static func formatTwo(_ products: [[String: Any]]) -> [String: [UInt8]] {
        let shard = json(["format": 2, "products": products])
        let name = "catalogue/\(hash(shard)).json"
        let catalogue = json([
            "format": 2, "products": products.count,
            "shards": [["url": name, "size": shard.count, "sha256": hash(shard), "products": products.count]],
        ])
        return [name: shard, "catalogue.json": catalogue]
    }

    /// Serves a store of format 2 with one product and its archive.
    static func formatTwo(
        _ identifier: String, version: String = "1.0.0", archive: [UInt8], on origin: Origin,
        with more: [String: Any] = [:]
    ) {
        origin.serve("/\(version).zip", archive)
        formatTwo(
            [product(identifier, version: version, archive: archive, at: "/\(version).zip", with: more)], on: origin)
    }

    /// Serves a store of format 2 with a pack for each name, that of `Cups` as `org.example.cups` at `/cups.zip`.
    ///
    /// - Parameters:
    ///   - sizes: the sizes of the packs by their names.
    ///   - more: further members of each product.
    static func publish(
        _ sizes: KeyValuePairs<String, Int>, with more: [String: Any] = [:], on origin: Origin
    ) {
        let products = sizes.enumerated().map { index, pack in
            let (name, archive) = (pack.key.lowercased(), Self.pack(UInt64(index + 1), size: pack.value))
            origin.serve("/\(name).zip", archive)
            return product(
                "org.example.\(name)", archive: archive, at: "/\(name).zip",
                with: ["productName": pack.key, "publisher": "Example"].merging(more) { $1 })
        }
        formatTwo(products, on: origin)
    }

    /// Returns a small valid pack.
    static func pack(_ seed: UInt64 = 1, size: Int = 2000) -> [UInt8] {
        packFiles(seed, size: size).reduce(ZipForge()) { $0.file($1.path, $1.content) }.build()
    }

    /// Returns the files of a small valid pack.
    private static func packFiles(_ seed: UInt64, size: Int) -> [(path: String, content: [UInt8])] {
        [("a.png", ImageForge.bytes(size, seed: seed)), ("b.png", ImageForge.bytes(50, seed: seed))]
    }

    /// Returns the member of a product that states the files of a small valid pack.
    static func filesHash(_ seed: UInt64 = 1, size: Int = 2000) -> [String: String] {
        let files = packFiles(seed, size: size).map {
            Receipt.File(path: $0.path, size: $0.content.count, sha256: SHA256Digest(of: $0.content))
        }
        return ["filesSHA256": SHA256Digest(ofFiles: files).hex]
    }
}

extension Origin {
    var address: String { url.absoluteString }
}
