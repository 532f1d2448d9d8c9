import Foundation
import StoreTestSupport
import Testing

/// A sticker pack as another program has it, in a temporary directory.
///
/// Each of its stickers is an image with a size of its own.
struct ForeignPack: Sendable {
    static let signalIdentifier = "45bdc863f62e6a2548052e0a0c4cb153"
    private static let signalKey = "9dc85e4d5d65d0b272274e5bd4f047fcda3551e77f89053c06078ace81fa6a41"
    private static let emoji = ["🙂", "😂", "👋", "🍒"]

    /// The name of its format.
    let format: String
    /// The beginning of the identifier under which it is imported; all of it where the source has an identifier.
    let identifier: String
    /// The path to import.
    let path: String
    /// The options of the command for it.
    var options: [String] = []
    /// Whether each of its stickers has an emoji.
    var hasEmoji = false
    /// Writes it with some stickers.
    let write: @Sendable (_ count: Int) async throws -> Void

    /// Returns the emoji of its stickers, in order.
    func emoji(_ count: Int) -> [[String]] { Self.emoji.prefix(count).map { hasEmoji ? [$0] : [] } }

    /// Returns one pack of each kind of source: an archive, a directory, a single file, an encrypted pack.
    static func all(in folder: TemporaryFolder) -> [ForeignPack] {
        [stickerMaker(folder), pidgin(folder), images(folder), signal(folder), telegram(folder)]
    }

    private static func stickerMaker(_ folder: TemporaryFolder) -> ForeignPack {
        let path = folder.path + "/cats.wastickers"
        return ForeignPack(
            format: "wastickers", identifier: "import.wastickers.cats-", path: path,
            hasEmoji: true
        ) { count in
            let table = (1...count).map { "\"\($0)\":\"\(emoji[$0 - 1])\"" }.joined(separator: ",")
            var zip = ZipForge().file("title.txt", Array("\u{FEFF}Cats\r\n".utf8))
                .file("author.txt", Array("Ann".utf8)).file("cover.png", ImageForge.png(96, 96))
                .file("emoji.txt", Array("{\(table)}".utf8))
            for number in 1...count {
                zip = zip.file("\(number).webp", ImageForge.webp(ImageForge.vp8l(number, 5)))
            }
            try Data(zip.build()).write(to: URL(filePath: path))
        }
    }

    private static func pidgin(_ folder: TemporaryFolder) -> ForeignPack {
        ForeignPack(
            format: "pidgin", identifier: "import.pidgin.fr-hlich-", path: folder.path + "/theme-1.0"
        ) { count in
            var theme = "# Smileys\nName=Fr\u{F6}hlich\nIcon=1.png\nAuthor=Jos\u{E9}\n\n[default]\n"
            for number in 1...count {
                theme += "\(number == 1 ? "! " : "")\(number).png\t:-\(number)\n"
                try folder.directory.put("theme-1.0/\(number).png", Data(ImageForge.png(number, 6)))
            }
            try folder.directory.put("theme-1.0/theme", Data(theme.unicodeScalars.map { UInt8($0.value) }))
        }
    }

    private static func images(_ folder: TemporaryFolder) -> ForeignPack {
        let path = folder.path + "/My pictures.zip"
        return ForeignPack(
            format: "images", identifier: "import.images.my-pictures-", path: path
        ) { count in
            var zip = ZipForge().file("My pictures/readme.html", Array("<p>".utf8))
            for number in 1...count { zip = zip.file("My pictures/a\(number).gif", ImageForge.gif(number, 7)) }
            try Data(zip.build()).write(to: URL(filePath: path))
        }
    }

    private static func telegram(_ folder: TemporaryFolder) -> ForeignPack {
        ForeignPack(
            format: "telegram", identifier: "import.telegram.hotcherry", path: folder.path + "/cherry/set.json",
            hasEmoji: true
        ) { count in
            let names = ["a.tgs", "b.webm", "c.webp"].prefix(count)
            let contents = [AnimationForge.tgs(), AnimationForge.webm(), ImageForge.webp(ImageForge.vp8l(3, 8))]
            for (name, content) in zip(names, contents) { try folder.directory.put("cherry/\(name)", Data(content)) }
            let stickers = zip(names, emoji).map { name, emoji in
                #"{"file_id":"CAAD\#(name)","file_unique_id":"\#(name.prefix(1))","emoji":"\#(emoji)"}"#
            }
            try folder.directory.put(
                "cherry/set.json",
                """
                {"ok":true,"result":{"name":"HotCherry","title":"Hot Cherry","sticker_type":"regular",
                "stickers":[\(stickers.joined(separator: ","))]}}
                """)
        }
    }

    // MARK: Signal

    /// A pack as Signal's server has it, encrypted by OpenSSL.
    private static func signal(_ folder: TemporaryFolder) -> ForeignPack {
        ForeignPack(
            format: "signal", identifier: "import.signal.\(signalIdentifier)", path: folder.path + "/signal",
            options: [
                "--key", "https://signal.art/addstickers/#pack_id=\(signalIdentifier)&pack_key=\(signalKey)",
            ],
            hasEmoji: true
        ) { count in
            var manifest = field(1, Array("Bandit the Cat".utf8)) + field(2, Array("Agnes Lee".utf8))
            for number in 0..<count {
                manifest += field(4, [8, UInt8(number)] + field(2, Array(emoji[number].utf8)))
                try folder.directory.put(
                    "plain/full/\(number)", Data(ImageForge.webp(ImageForge.vp8l(number + 1, 9))))
            }
            try folder.directory.put("plain/manifest.proto", Data(manifest))
            // Pieces are joined by 'cat', because a shell's text can't have every byte.
            try folder.directory.put("vector", Data(0..<16))
            let script = """
                set -eu
                cd '\(folder.path)'
                keys=$(openssl kdf -keylen 64 -kdfopt digest:SHA256 -kdfopt hexkey:\(signalKey) \
                -kdfopt info:'Sticker Pack' HKDF | tr -d ':\\n')
                cipher=$(printf %.64s "$keys")
                mkdir -p signal/full
                for file in $(cd plain && find . -type f); do
                    openssl enc -aes-256-cbc -K "$cipher" -iv 000102030405060708090a0b0c0d0e0f -in "plain/$file" -out text
                    cat vector text >signed
                    openssl dgst -sha256 -mac HMAC -macopt "hexkey:${keys#"$cipher"}" -binary signed >tag
                    cat signed tag >"signal/$file"
                done
                """
            let run = try await Programs.run("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
            try #require(run.exit == 0, "\(run)")
        }
    }

    /// Returns a field of bytes of a message of Protocol Buffers; they are fewer than 128.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
}
