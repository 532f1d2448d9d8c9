import StoreModel

extension PidginFormat: PackExporting {
    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        // Pidgin draws what GdkPixbuf loads without additional loaders.
        let suffixes = ["png": "png", "apng": "png", "gif": "gif", "jpg": "jpg", "jpeg": "jpg"]
        let stickers = pack.stickers(suffixes, in: "Pidgin", &exported)
        guard let first = stickers.first else { return exported }
        func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let icon = stickers.first { $0.sticker.file == pack.pack.cover }?.file ?? first.file
        var theme = "Name=\(line(pack.name))\nDescription=\(line(pack.name))\nIcon=\(fileName(icon))\n"
        theme += "Author=\(line(pack.pack.publisher ?? "unknown"))\n"
        if let license = pack.pack.license { theme += "# License: \(line(license))\n" }
        theme += "\n[default]\n"
        for (sticker, file) in stickers {
            let texts = sticker.shortcuts.map { $0.replacing("\\", with: "\\\\") }
            theme += "\(fileName(file))\t\(texts.joined(separator: "\t"))\n"
            exported.files["\(name)/\(fileName(file))"] = .copy(sticker.file)
        }
        exported.files["\(name)/theme"] = .bytes(Array(theme.utf8))
        return exported
    }

    /// Returns a file name without white space, which separates the words of a line.
    private func fileName(_ name: String) -> String {
        String(name.map { $0.isWhitespace ? "_" : $0 })
    }
}
