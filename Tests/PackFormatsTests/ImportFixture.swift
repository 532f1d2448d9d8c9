import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// A source in a temporary directory, and the directories that its packs are imported into.
final class ImportFixture: Sendable {
    let source: TemporaryFolder
    let packs: TemporaryFolder

    init(_ files: [String: String] = [:], images: [String] = []) throws {
        source = try TemporaryFolder()
        packs = try TemporaryFolder()
        for (path, text) in files { try source.directory.put(path, text) }
        // Images with different sizes, so that no two are the same.
        for (index, path) in images.enumerated() {
            let bytes =
                switch path.suffix {
                case "gif": ImageForge.gif(index + 1, 3)
                case "webp": ImageForge.webp(ImageForge.vp8l(index + 1, 3))
                case "jpg": ImageForge.jpeg(index + 1, 3)
                case "tgs": AnimationForge.tgs()
                case "webm": AnimationForge.webm()
                default: ImageForge.png(index + 1, 3)
                }
            try source.directory.put(path, Data(bytes))
        }
    }

    /// Imports the source, or a file in it, and checks each pack as an installation does.
    @discardableResult
    func run(_ path: String = "", format: String? = nil, key: String? = nil) throws -> ImportReport {
        let source = try ImportSource(path.isEmpty ? source.path : source.path + "/" + path)
        let report = try PackImporter().run(source, format: format, key: key) { pack in
            try packs.directory.createDirectory(pack.productIdentifier)
        }
        for pack in report.packs where pack.count > 0 {
            try StickerKind().check(packs.directory.openDirectory(pack.productIdentifier))
        }
        return report
    }

    /// Packs the source into a ZIP file and imports that.
    func runArchive(named name: String, of directory: String = "", format: String? = nil, key: String? = nil) throws
        -> ImportReport
    {
        let folder = try TemporaryFolder()
        let file = try folder.directory.createFile(name)
        let root = directory.isEmpty ? source.directory : try source.directory.openDirectory(directory)
        _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(root, into: file)
        let report = try PackImporter().run(
            ImportSource(folder.path + "/" + name), format: format, key: key
        ) { pack in
            try packs.directory.createDirectory(pack.productIdentifier)
        }
        for pack in report.packs where pack.count > 0 {
            try StickerKind().check(packs.directory.openDirectory(pack.productIdentifier))
        }
        return report
    }

    /// Returns the stickers of an imported pack as an installation reads them.
    func stickers(of pack: ImportReport.Pack) throws -> [Sticker] { try information(of: pack).stickers }

    func information(of pack: ImportReport.Pack) throws -> Information {
        try JSON.decode(from: packs.directory.openDirectory(pack.productIdentifier).read("pack.json"))
    }

    func bytes(_ file: String, of pack: ImportReport.Pack) throws -> [UInt8] {
        Array(try packs.directory.openDirectory(pack.productIdentifier).read(file))
    }

    struct Information: Decodable {
        var productIdentifier: String
        var name: LocalizedText
        var publisher: String?
        var license: String?
        var website: String?
        var cover: String?
        var version: String?
        var stickers: [Sticker]

        private enum Key: String, CodingKey {
            case productIdentifier, name, publisher, license, website, cover, version, stickers
        }

        private struct Entry: Decodable {
            var id: String
            var file: String
            var emoji: [String]?
            var keywords: [String]?
            var description: LocalizedText?
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            productIdentifier = try values.decode(String.self, forKey: .productIdentifier)
            name = try values.decode(LocalizedText.self, forKey: .name)
            publisher = try values.decodeIfPresent(String.self, forKey: .publisher)
            license = try values.decodeIfPresent(String.self, forKey: .license)
            website = try values.decodeIfPresent(String.self, forKey: .website)
            cover = try values.decodeIfPresent(String.self, forKey: .cover)
            version = try values.decodeIfPresent(String.self, forKey: .version)
            stickers = try values.decode([Entry].self, forKey: .stickers).map {
                Sticker(
                    id: $0.id, file: $0.file, emoji: $0.emoji ?? [], keywords: $0.keywords ?? [],
                    description: $0.description)
            }
        }
    }
}

extension ImportReport {
    /// The reasons for which images were left out, by their sources.
    var leftOut: [String: String] {
        Dictionary(
            packs.flatMap(\.files).filter { $0.outcome == .leftOut }.map { ($0.source, $0.reason ?? "") }
        ) { first, _ in first }
    }
    var notes: [String] { packs.flatMap(\.notes) }
}
