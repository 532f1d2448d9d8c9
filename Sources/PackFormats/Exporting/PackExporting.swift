public import StoreModel
public import StoreSystem

/// A writer of sticker packs in the format of another program.
///
/// An exporter only says which files there are to be; ``ExportDirectory`` writes them.
public protocol PackExporting: Sendable {
    /// The name of the format in commands, such as `deltachat`: lower-case letters and digits.
    var format: String { get }

    /// A description of the format for lists, such as `Delta Chat sticker directory`.
    var title: String { get }

    /// Returns the files of a pack in this format.
    ///
    /// - Parameters:
    ///   - pack: the pack with its open directory.
    ///   - name: the name of the pack's file without extension, or of its directory.
    /// - Throws: a file error where an image can't be read.
    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles
}

/// An installed sticker pack to export.
public struct ExportedPack: Sendable {
    public let pack: StickerPack
    /// The open directory of the pack.
    public let directory: Directory
    /// The web page of the pack or its author; `nil` if its information file names none.
    public let website: String?

    /// Creates the description of a pack to export.
    public init(_ pack: StickerPack, in directory: Directory, website: String? = nil) {
        self.pack = pack
        self.directory = directory
        self.website = website
    }

    /// The name of the pack in English, or in any language.
    var name: String { pack.name.text(in: ["en"]) }
}

/// The files of a pack in the format of another program.
public struct ExportedFiles: Sendable {
    /// The content of one exported file.
    public enum Content: Sendable {
        /// A copy of the pack's file with this path.
        case copy(String)
        case bytes([UInt8])
    }

    /// The contents by path, relative to the target directory, or to the root of the archive.
    public var files: [String: Content] = [:]
    /// The archives into which the files are packed, by name: the paths that each has; empty for a directory.
    public var archives: [String: [String]] = [:]
    /// The stickers that the format can't hold, and why.
    public var leftOut: [ImportReport.File] = []
    /// What of the pack the format can't hold; text for people.
    public var notes: [String] = []

    /// Creates an empty list of files.
    public init() {}

    /// Records that a sticker is left out.
    mutating func leaveOut(_ sticker: Sticker, because reason: String) {
        leftOut.append(ImportReport.File(source: sticker.file, outcome: .leftOut, reason: reason))
    }
}

extension ExportedPack {
    /// Returns the stickers whose images have one of these formats, each with the name of its exported file.
    ///
    /// The others are recorded as left out.
    ///
    /// - Parameter suffixes: the extension of the exported file by the extensions that the pack's file may have.
    func stickers(
        _ suffixes: [String: String], in format: String, _ exported: inout ExportedFiles
    ) -> [(sticker: Sticker, file: String)] {
        var (names, found): (UniqueNames, [(Sticker, String)]) = (UniqueNames(), [])
        for sticker in pack.stickers {
            guard let suffix = suffixes[sticker.file.suffix] else {
                exported.leaveOut(
                    sticker,
                    because: EnglishText.filled(
                        "{format} does not show .{suffix} files", ["format": format, "suffix": sticker.file.suffix]))
                continue
            }
            let stem = sticker.file.stem.portableName
            let name = names.make("\(stem).\(suffix)", comparedBy: \.caseFolded) { "\(stem)-\($0).\(suffix)" }
            found.append((sticker, name))
        }
        return found
    }

    /// The extensions of images that most programs show, each with the one that these programs expect.
    static let pictures = [
        "png": "png", "apng": "png", "gif": "gif", "jpg": "jpg", "jpeg": "jpg", "webp": "webp",
    ]
}

extension Sticker {
    /// The texts that a chat program may replace with the sticker's image: its emoji, and emoticons such as `:-)`.
    ///
    /// Words are not among them: a message that contains the word would show the image instead. A sticker without any
    /// gets its identifier between colons.
    var shortcuts: [String] {
        let texts = (emoji + keywords).filter { $0.isEmoji || $0.isEmoticon }
        return texts.isEmpty ? [":\(id.replacing(" ", with: "_")):"] : texts
    }
}

extension String {
    /// Whether the text is an emoticon, such as `:-)`, `:smile:`, `XD` or `<3`, and not a word or a sentence.
    var isEmoticon: Bool {
        guard !isEmpty, !contains(where: \.isWhitespace), utf8.count <= 40 else { return false }
        if !allSatisfy(\.isLetter) { return true }
        return count <= 3 && dropFirst().contains(where: \.isUppercase)
    }
}
