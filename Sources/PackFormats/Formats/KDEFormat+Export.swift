import StoreModel

extension KDEFormat: PackExporting {
    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        let stickers = pack.stickers(ExportedPack.pictures, in: "KDE", &exported)
        guard !stickers.isEmpty else { return exported }
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        // A comment must not contain two hyphens.
        let rights = [pack.name, pack.pack.publisher, pack.pack.license, pack.website].compactMap(\.self)
        xml += "<!-- \(rights.joined(separator: ", ").replacing("--", with: "- -").escapedForXML) -->\n"
        xml += "<messaging-emoticon-map>\n"
        for (sticker, file) in stickers {
            xml += "  <emoticon file=\"\(file.escapedForXML)\">\n"
            for text in sticker.shortcuts { xml += "    <string>\(text.escapedForXML)</string>\n" }
            xml += "  </emoticon>\n"
            exported.files["\(name)/\(file)"] = .copy(sticker.file)
        }
        exported.files["\(name)/emoticons.xml"] = .bytes(Array((xml + "</messaging-emoticon-map>\n").utf8))
        return exported
    }
}

extension String {
    /// The text with the characters replaced that have a meaning in XML; characters that XML can't hold are left out.
    var escapedForXML: String {
        var made = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": made += "&amp;"
            case "<": made += "&lt;"
            case ">": made += "&gt;"
            case "\"": made += "&quot;"
            case "'": made += "&apos;"
            case "\t", "\n": made += " "
            default: if scalar.value >= 0x20, scalar.value & 0xFFFE != 0xFFFE { made.unicodeScalars.append(scalar) }
            }
        }
        return made
    }
}
