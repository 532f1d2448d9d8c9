import Foundation
import StoreModel
import StoreSystem
import Synchronization
import Testing

/// A store whose packs were published as 1.0.0 and as 2.0.0, of which clients see one publication at a time.
///
/// The server has the files of both, as after a publisher's rollback.
final class UpdateStore: Sendable {
    let store: TestStore
    /// The files of each product in versions 1 and 2.
    let contents: [String: [Int: [String: Data]]]
    private let indexes: [Int: Data]
    private let publications = Mutex(0)

    /// Creates the store.
    ///
    /// - Parameters:
    ///   - kind: returns the kind of a product.
    ///   - contents: returns the files of a product in one of the two versions.
    init(
        _ identifiers: [String], kind: (String) -> String = { _ in "sticker" },
        contents files: (String, Int) -> [String: Data]
    ) async throws {
        store = try await TestStore()
        var contents: [String: [Int: [String: Data]]] = [:]
        var indexes: [Int: Data] = [:]
        for version in [1, 2] {
            for identifier in identifiers {
                contents[identifier, default: [:]][version] = files(identifier, version)
                try await store.add(
                    identifier, version: "\(version).0.0", kind: kind(identifier), files: files(identifier, version))
            }
            try await store.publish()
            indexes[version] = try Data(contentsOf: URL(filePath: store.publicPath + "/catalogue.json"))
        }
        self.contents = contents
        self.indexes = indexes
        try show(1)
    }

    /// Creates the store with small files that contain their version.
    convenience init(_ identifiers: String...) async throws {
        try await self.init(identifiers) { identifier, version in
            ["VERSION": Data("\(version)".utf8), "01.txt": Data("\(identifier) \(version)".utf8)]
        }
    }

    /// Publishes a version of all packs in one step.
    func show(_ version: Int) throws {
        // The server distinguishes documents by their modification time in seconds; these change faster.
        let time = publications.withLock { count in
            count += 1
            return Date(timeIntervalSince1970: 1_700_000_000 + Double(count))
        }
        let path = store.publicPath + "/catalogue.json"
        try #require(indexes[version]).write(to: URL(filePath: path + ".new"))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path + ".new")
        guard rename(path + ".new", path) == 0 else { throw POSIXError(.EIO) }
    }

    /// Returns the version that a directory contains exactly; throws the difference if there is none.
    func version(of identifier: String, in folder: String) throws -> Int {
        var found: [String: Data] = [:]
        try Self.collect(try Directory.open(folder), "", &found)
        let isOurs = found.removeValue(forKey: ".receipt.json") != nil
        for (version, files) in contents[identifier] ?? [:] where files == found && isOurs { return version }
        let names = found.keys.sorted()
        throw WrongPack(description: "'\(folder)' is neither version of '\(identifier)' (receipt: \(isOurs)): \(names)")
    }

    struct WrongPack: Error, CustomStringConvertible { let description: String }

    private static func collect(_ folder: Directory, _ prefix: String, _ files: inout [String: Data]) throws {
        for entry in try folder.entries() {
            if entry.kind == .folder {
                try collect(try folder.openDirectory(entry.name), prefix + entry.name + "/", &files)
            } else {
                files[prefix + entry.name] = try folder.read(entry.name)
            }
        }
    }
}
