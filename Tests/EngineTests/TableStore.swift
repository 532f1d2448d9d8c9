import FoundationEssentials
import StoreArchives
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport

/// A format 2 store with one product, its archive, and its entry table, on a server with scripted faults.
final class TableStore: Sendable {
    static let archive = "/a.zip"
    static let table = "/a.table.json"
    static let details = "/a.details.json"
    let origin: Origin
    let zip: [UInt8]
    let entries: EntryTable
    let table: [UInt8]
    var tableSize: Int { table.count }
    /// The members of the product's catalogue entry, without its version.
    private let product: String

    /// Creates the store.
    ///
    /// - Parameters:
    ///   - hasTable: whether the catalogue refers to the entry table.
    ///   - hasCompressedHashes: whether the table has the hash of each entry's bytes in the archive, unlike the tables of
    ///     older publishers.
    ///   - sizes: the size of each file in the table; `nil` for the true ones.
    ///   - archiveAt: another URL for the archive.
    init(
        _ forge: ZipForge, hasTable: Bool = true, hasCompressedHashes: Bool = true, sizes: Int? = nil,
        dependencies: [String] = [],
        mirrors: [URL] = [],
        archiveAt: URL? = nil
    ) throws {
        origin = try Origin()
        zip = forge.build()
        let folder = try TemporaryFolder()
        let file = try folder.directory.createFile("a.zip")
        try file.write(Data(zip))
        var entries = try Archive(file).entryTable()
        for index in entries.entries.indices where !hasCompressedHashes {
            entries.entries[index].compressedSHA256 = nil
        }
        if let sizes { for index in entries.entries.indices { entries.entries[index].size = sizes } }
        self.entries = entries
        let table = try JSON.encode(entries)
        self.table = Array(table)
        origin.serve(Self.archive, zip)
        origin.serve(Self.table, self.table)
        product = """
            "productIdentifier":"a","productName":"A","productType":"sticker",
            "productPrice":"free","dependencies":[\(dependencies.map { "\"\($0)\"" }.joined(separator: ","))],
            "mirrors":[\(mirrors.map { "\"\($0)\"" }.joined(separator: ","))],
            "productResourceURL":"\(archiveAt?.absoluteString ?? Self.archive)","productResourceSize":\(zip.count),
            "productResourceSHA256":"\(SHA256Digest(of: zip).hex)"
            """
            + (hasTable ? "," + Self.reference("entryTable", Self.table, table) : "")
        publish()
    }

    /// Serves a catalogue with another version of the product, which has the same archive.
    ///
    /// - Parameter details: the content of the product's details document; `nil` if it has none.
    func publish(version: String = "1", details: String? = nil) {
        publish(product, version: version, details: details)
    }

    /// Serves the archive, the entry table and the product of another store as another version of the product.
    func publish(_ newer: TableStore, version: String) {
        origin.serve(Self.archive, newer.zip)
        origin.serve(Self.table, newer.table)
        publish(newer.product, version: version, details: nil)
    }

    private func publish(_ product: String, version: String, details: String?) {
        var entry = product + #","version":"\#(version)""#
        if let details {
            origin.serve(Self.details, details)
            entry += "," + Self.reference("productDetails", Self.details, Data(details.utf8))
        }
        let shard = #"{"format":2,"products":[{\#(entry)}]}"#
        origin.serve("/shard.json", shard)
        origin.serve(
            "/catalogue.json",
            """
            {"format":2,"products":1,"shards":[{"url":"shard.json","size":\(shard.utf8.count),
            "sha256":"\(SHA256Digest(of: shard.utf8).hex)","products":1}]}
            """)
    }

    /// Returns the members of a catalogue entry that refer to a document, such as `entryTableURL`.
    private static func reference(_ name: String, _ path: String, _ document: Data) -> String {
        #""\#(name)URL":"\#(path)","\#(name)Size":\#(document.count),"\#(name)SHA256":"\#(SHA256Digest(of: document).hex)""#
    }

    /// Returns a pack of files of 5,000 bytes, `0.png` and so on.
    static func images(_ count: Int, in folder: String = "", deflated: Bool = false) -> ZipForge {
        (0..<count).reduce(ZipForge()) {
            $0.file("\(folder)\($1).png", ImageForge.bytes(5000, seed: UInt64($1)), deflated: deflated)
        }
    }

    /// Returns the `Range` headers of the requests for the archive, from an index on; `nil` for a request for all of
    /// it.
    func asked(from first: Int = 0) -> [String?] {
        origin.requests(to: Self.archive).dropFirst(first).map(\.range)
    }

    /// Opens a manager that uses the store, with its product installed.
    func open(_ home: EngineHome) async throws -> StoreManager {
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true, priority: 0)
        try await manager.installed("a")
        return manager
    }
}
