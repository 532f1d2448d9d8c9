import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport

/// The store that all runs install from, with small packs in versions 1 and 2.
///
/// After the homes are prepared, version 2 is published and does not change, so that runs can be concurrent.
final class CrashStore: Sendable {
    static let products = published + unversioned
    private static let published = ["cups", "cats", "dogs", "other", slow, wide, skin, plugin]
    /// A product that is sent at one byte per second, so that its download never ends during a run.
    static let slow = "large"
    /// A product that is large enough to be fetched in ranges, over several connections, from a server that limits each.
    static let wide = "wide"
    static let (skin, plugin) = ("night", "tool")
    /// A product of a store of format 1, and one of a file on this machine.
    static let (formatOne, local) = ("old", "mine")
    private static let unversioned = [formatOne, local]

    let updates: UpdateStore
    let server: NginxServer
    var url: String { server.url }
    /// The same store on a server that limits the rate of each connection.
    let limited: NginxServer
    /// A store of format 1.
    var formatOneURL: String { url + "one/" }
    /// A file to be fetched without the daemon.
    let fetched = (name: "fetched.zip", bytes: CrashStore.archive(CrashStore.slow))
    /// An archive on this machine.
    var localPath: String { updates.store.folder.path + "/\(Self.local).zip" }

    init() async throws {
        updates = try await UpdateStore(
            Self.published, kind: { [Self.skin: "skin", Self.plugin: "plugin"][$0] ?? "sticker" },
            contents: { Self.files($0, $1) })
        let root = updates.store.publicPath
        server = try await NginxServer(serving: root)
        limited = try await NginxServer(serving: root, rate: 2_000_000)
        try FileManager.default.createDirectory(atPath: root + "/one", withIntermediateDirectories: true)
        try Self.archive(Self.formatOne).write(to: URL(filePath: root + "/one/old.zip"))
        try Data(
            #"[{"productIdentifier": "old", "productType": "sticker", "productResourceURL": "old.zip"}]"#.utf8
        ).write(to: URL(filePath: root + "/one/catalogue.json"))
        try fetched.bytes.write(to: URL(filePath: root + "/one/" + fetched.name))
        try Self.archive(Self.local).write(to: URL(filePath: localPath))
    }

    private static func archive(_ identifier: String) -> Data {
        let files = files(identifier, 2).sorted { $0.key < $1.key }
        return Data(files.reduce(into: ZipForge()) { $0 = $0.file($1.key, Array($1.value)) }.build())
    }

    /// Returns the colour that a version of the skin specifies.
    static func color(_ version: Int) -> String { "01020\(version)" }

    /// Returns the name of a product's directory in the library.
    static func folderName(of identifier: String) -> String {
        identifier + ([skin: ".purchasedTheme", plugin: ".plugin"][identifier] ?? ".stickers")
    }

    private static let large: [Int: Data] = [1, 2].reduce(into: [:]) {
        $0[$1] = TestStore.bytes(200_000, seed: UInt64($1))
    }
    private static let widest: [Int: Data] = [1, 2].reduce(into: [:]) {
        $0[$1] = TestStore.bytes(6_000_000, seed: UInt64($1 + 10))
    }

    /// A sticker that is in each version of `cups`.
    static let sticker = StickerName(productIdentifier: "cups", sticker: "01")

    /// The files of a version of a pack, with their hashes.
    private struct Content {
        let files: [String: Data]
        let hashes: [String: SHA256Digest]
    }
    /// The versions 0, 1 and 2 of each product, computed once: each run compares every pack several times.
    private static let contents: [String: [Content]] = Dictionary(
        uniqueKeysWithValues: products.map { identifier in
            let versions = (0...2).map { version in
                let files = make(identifier, version)
                return Content(files: files, hashes: files.mapValues { SHA256Digest(of: $0) })
            }
            return (identifier, versions)
        })

    /// Returns the files of a pack; version 0 is version 2 with one file changed and one removed, which `verify`
    /// repairs.
    static func files(_ identifier: String, _ version: Int) -> [String: Data] {
        contents[identifier]?[version].files ?? [:]
    }

    private static func make(_ identifier: String, _ version: Int) -> [String: Data] {
        if version == 0 {
            var files = make(identifier, 2)
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
        if identifier == slow { files["large.png"] = large[version] }
        if identifier == wide { files["wide.png"] = widest[version] }
        if identifier == skin {
            let text = #"<skin identifier="\#(skin)" name="Night" version="\#(version).0.0"/>"#
            let look = """
                <theme><instances><uiview id="header"><operation name="backgroundColor">
                <param name="color" type="color" format="HEX">#\(color(version))</param></operation></uiview></instances>
                </theme>
                """
            files = [
                "skin.xml": Data(text.utf8), "header.xml": Data(look.utf8),
                "01.png": TestStore.bytes(900, seed: seed),
            ]
        }
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
            guard let contents = contents[identifier] else { return false }
            let stated = contents[version == 0 ? 2 : version]
            return found == contents[version].files && receipt.version?.text == text(of: version, identifier)
                && receipt.files.count == stated.files.count
                && receipt.files.allSatisfy { file in
                    stated.files[file.path]?.count == file.size && stated.hashes[file.path] == file.sha256
                }
        }
    }
}

extension CrashStore {
    /// Returns the version that a pack is reported to have.
    static func text(of version: Int, _ identifier: String) -> String? {
        unversioned.contains(identifier) ? nil : version == 0 ? "2.0.0" : "\(version).0.0"
    }
}

/// The state of a home, as seen from outside.
struct HomeFacts: Hashable, Sendable, CustomStringConvertible {
    /// The state of each product; version 0 is a damaged version 2.
    var packs: [String: KillModel] = [:]
    var stores: [String] = []
    var purchases: [String] = []
    var maximumAtOnce = ""
    /// The skin that the user chose.
    var skin: String?
    /// The user's lists of stickers.
    var stickers = StickerLists()
    /// The download of the slow product; `nil` if there is none.
    var coming: Coming?

    enum Coming: Sendable { case running, paused }

    var description: String {
        let packs = packs.filter { $0.value != KillModel() }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "packs [\(packs.joined(separator: ", "))] stores \(stores) purchases \(purchases) \(maximumAtOnce)"
            + (skin.map { ", skin \($0)" } ?? "") + (stickers == StickerLists() ? "" : ", \(stickers)")
            + (coming.map { ", \(CrashStore.slow) is \($0)" } ?? "")
    }

    /// Returns whether each part of the state equals the old or the new one.
    func isBetween(_ old: HomeFacts, and new: HomeFacts) -> Bool {
        packs.allSatisfy { [old.packs[$0.key], new.packs[$0.key]].contains($0.value) }
            && [old.stores, new.stores].contains(stores) && [old.purchases, new.purchases].contains(purchases)
            && [old.maximumAtOnce, new.maximumAtOnce].contains(maximumAtOnce) && [old.skin, new.skin].contains(skin)
            && [old.stickers, new.stickers].contains(stickers)
            && [old.coming, new.coming].contains(coming)
    }
}
