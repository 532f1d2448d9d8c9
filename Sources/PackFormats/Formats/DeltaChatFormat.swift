import StoreModel

/// A directory of stickers for Delta Chat: one directory with images for each pack.
struct DeltaChatFormat: PackExporting {
    let format = "deltachat"
    let title = "Delta Chat sticker directory"

    /// Delta Chat lists these; a PNG may be animated.
    private static let suffixes = ["png": "png", "apng": "png", "webp": "webp", "gif": "gif"]

    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        for (sticker, file) in pack.stickers(Self.suffixes, in: "Delta Chat", &exported) {
            exported.files["\(name)/\(file)"] = .copy(sticker.file)
        }
        exported.notes.append(
            EnglishText.filled("Delta Chat's directories hold neither emoji nor the author and the license"))
        return exported
    }
}
