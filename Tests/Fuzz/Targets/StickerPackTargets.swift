import FoundationEssentials
import StoreImages
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport

@testable import StorePackFormats

extension FuzzTarget {
    /// The descriptions of packs by the names of their files, one of which an input is.
    private static let descriptions = [
        "theme", "emoticons.xml", "icondef.xml", "productInfo.meta", "contents.json", "pack.json", "meta.json",
        "guild.json", "set.json", "info.ini", "pack.xml", "emoji.txt", "title.txt", "manifest.proto",
    ]

    /// Checks the import of a pack with the description whose number is the first byte, and some images.
    ///
    /// It is refused, or everything that was taken is a valid pack that is the same each time.
    @Sendable static func stickerImport(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let name = descriptions[Int(first) % descriptions.count]
        let one = try imported(name, bytes.dropFirst())
        requireSame(try imported(name, bytes.dropFirst()), one, "the same source twice")
    }

    /// What an import ends with.
    private enum ImportOutcome: Equatable {
        case refused(String)
        case taken(ImportReport)
    }

    private static func imported(_ name: String, _ description: ArraySlice<UInt8>) throws -> ImportOutcome {
        try Workspace.withFolder { folder in
            let source = try folder.createDirectory("source")
            let packs = try folder.createDirectory("packs")
            try source.put(name, Data(description))
            try source.put("a.png", Data(ImageForge.png(1, 1)))
            try source.put("b.gif", Data(ImageForge.gif(2, 2)))
            try source.put("1/c.webp", Data(ImageForge.webp(ImageForge.vp8l(3, 3))))
            try source.put("0", Data(ImageForge.png(4, 4)))
            try folder.put("outside.png", Data(ImageForge.png(5, 5)))
            var count = 0
            let report: ImportReport
            do {
                report = try PackImporter().run(ImportSource(directory: source, name: "source")) { _ in
                    count += 1
                    return try packs.createDirectory("\(count)")
                }
            } catch let error as StoreError {
                return .refused(error.code.rawValue)
            }
            requireSame(report.packs.count { $0.count > 0 }, count, "packs with stickers")
            for pack in report.packs {
                require(ImportedIdentifier.contains(pack.productIdentifier), pack.productIdentifier)
                require(pack.productIdentifier.hasPrefix("import.\(report.format)."), pack.productIdentifier)
            }
            let outside = SHA256Digest(of: ImageForge.png(5, 5))
            for number in 0..<count {
                let pack = try packs.openDirectory("\(number + 1)")
                do {
                    try StickerKind().check(pack, cancellation: CancellationFlag())
                } catch let error as StoreError {
                    fatalError("the pack of \(name) is not valid: \(error.code.rawValue): \(error.message)")
                }
                for file in try pack.names() {
                    require(SHA256Digest(of: try pack.read(file)) != outside, "a file beside the source was taken")
                }
            }
            return .taken(report)
        }
    }

    /// Checks the manifest and the encryption of Signal's packs: what is not authenticated is never decrypted.
    @Sendable static func signalPack(_ bytes: [UInt8]) throws {
        if let manifest = SignalManifest(bytes) {
            require(manifest.stickers.count <= bytes.count / 2, "more stickers than fields")
            require(manifest.title.utf8.count + manifest.author.utf8.count <= bytes.count, "longer texts than the file")
        }
        let cipher = SignalCipher(packKey: [UInt8](repeating: 1, count: 32))
        require(cipher.decrypt(bytes) == nil, "a file without a valid code was decrypted")
        let vector = [UInt8]((0..<16).map { bytes.indices.contains($0) ? bytes[$0] : 0 })
        var encrypted = try cipher.encrypt(bytes, vector: vector)
        requireSame(cipher.decrypt(encrypted), bytes, "the decrypted file")
        encrypted[Int(bytes.first ?? 0) % encrypted.count] ^= 1
        require(cipher.decrypt(encrypted) == nil, "a changed file was decrypted")
        let text = String(decoding: bytes, as: UTF8.self)
        let link = SignalLink(text)
        require(link.key.map { $0.count == 32 } ?? true, "a key of another length in \(text)")
    }

    /// Checks animations: gzip with Lottie JSON, also of the input as the JSON, and WebM.
    @Sendable static func animation(_ bytes: [UInt8]) throws {
        let lottie = AnimationForge.gzip(bytes)
        for input in [bytes, [0x1F, 0x8B, 8, 0] + bytes, [0x1A, 0x45, 0xDF, 0xA3] + bytes, lottie] {
            let first = try facts(input)
            requireSame(try facts(input), first, "an animation read twice")
            guard let first else { continue }
            let limits = AnimationLimits()
            require(first.width > 0 && first.width <= limits.side, "\(first)")
            require(first.height > 0 && first.height <= limits.side, "\(first)")
            require(first.seconds > 0 && first.seconds <= limits.seconds + 0.1, "\(first)")
        }
    }

    private static func facts(_ bytes: [UInt8]) throws -> AnimationFacts? {
        do {
            return try AnimationReader().read(bytes)
        } catch let error as StoreError {
            require(error.code.rawValue.hasPrefix("content."), error.code.rawValue)
            return nil
        }
    }
}
