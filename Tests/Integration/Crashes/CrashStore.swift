import Foundation
import StoreModel
import StoreSystem

/// The store that all runs install from, with small packs in versions 1 and 2.
///
/// After the homes are prepared, version 2 is published and does not change, so that runs can be concurrent.
final class CrashStore: Sendable {
    static let products = ["cups", "cats", "dogs", "other", slow]
    /// A product that is sent at one byte per second, so that its download never ends during a run.
    static let slow = "large"
    let updates: UpdateStore
    let server: NginxServer
    var url: String { server.url }

    init() async throws {
        updates = try await UpdateStore(Self.products) { Self.files($0, $1) }
        server = try await NginxServer(serving: updates.store.publicPath)
    }

    /// Returns the files of a pack; version 0 is version 2 with one file changed and one removed, which `verify`
    /// repairs.
    static func files(_ identifier: String, _ version: Int) -> [String: Data] {
        if version == 0 {
            var files = files(identifier, 2)
            files["01.png"]?[3] ^= 0x40
            files["more/2-a.png"] = nil
            return files
        }
        let seed = UInt64(version * 1000 + identifier.count)
        var files = [
            "VERSION": Data("\(identifier) \(version)".utf8), "01.png": TestStore.bytes(900, seed: seed),
            "more/\(version)-a.png": TestStore.bytes(3000 + version, seed: seed + 1),
        ]
        // More than the bytes that are sent before a rate limit applies.
        if identifier == slow { files["large.png"] = TestStore.bytes(200_000, seed: seed + 2) }
        if identifier == "cups" {
            for number in 0..<4 { files["\(version)-\(number).png"] = TestStore.bytes(200 + number, seed: seed + 7) }
        }
        return files
    }

    /// Returns the version that a pack contains completely, including its receipt; `nil` if there is none.
    static func version(of identifier: String, in pack: FolderTree) -> Int? {
        var found = pack.files
        guard let data = found.removeValue(forKey: Receipt.fileName),
            let receipt = try? JSON.decode(Receipt.self, from: data), receipt.productIdentifier == identifier
        else { return nil }
        return [1, 2, 0].first { version in
            let installed = version == 0 ? 2 : version
            let files = files(identifier, installed)
            return found == self.files(identifier, version) && receipt.version?.text == "\(installed).0.0"
                && receipt.files.count == files.count
                && receipt.files.allSatisfy { file in
                    files[file.path].map { $0.count == file.size && SHA256Digest(of: $0) == file.sha256 } ?? false
                }
        }
    }
}

/// The state of a home, as seen from outside.
struct HomeFacts: Hashable, Sendable, CustomStringConvertible {
    /// The state of each product; version 0 is a damaged version 2.
    var packs: [String: KillModel] = [:]
    var stores: [String] = []
    var purchases: [String] = []
    var maximumAtOnce = ""
    /// The download of the slow product; `nil` if there is none.
    var coming: Coming?

    enum Coming: Sendable { case running, paused }

    var description: String {
        let packs = packs.filter { $0.value != KillModel() }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "packs [\(packs.joined(separator: ", "))] stores \(stores) purchases \(purchases) \(maximumAtOnce)"
            + (coming.map { ", \(CrashStore.slow) is \($0)" } ?? "")
    }

    /// Returns whether each part of the state equals the old or the new one.
    func isBetween(_ old: HomeFacts, and new: HomeFacts) -> Bool {
        packs.allSatisfy { [old.packs[$0.key], new.packs[$0.key]].contains($0.value) }
            && [old.stores, new.stores].contains(stores) && [old.purchases, new.purchases].contains(purchases)
            && [old.maximumAtOnce, new.maximumAtOnce].contains(maximumAtOnce)
            && [old.coming, new.coming].contains(coming)
    }
}
