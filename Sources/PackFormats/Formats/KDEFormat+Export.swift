import StoreModel
import StoreXML

extension KDEFormat: PackExporting {
    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        let stickers = pack.stickers(ExportedPack.pictures, in: "KDE", &exported)
        guard !stickers.isEmpty else { return exported }
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        let rights = [pack.name, pack.pack.publisher, pack.pack.license, pack.website].compactMap(\.self)
        // A comment must not contain two hyphens; of three, the first replacement leaves two.
        let comment = rights.joined(separator: ", ").replacing("--", with: "- -").replacing("--", with: "- -")
        xml += "<!-- \(XMLEscaping.content(comment)) -->\n"
        xml += "<messaging-emoticon-map>\n"
        for (sticker, file) in stickers {
            xml += "  <emoticon file=\"\(XMLEscaping.attribute(file))\">\n"
            for text in sticker.shortcuts { xml += "    <string>\(XMLEscaping.content(text))</string>\n" }
            xml += "  </emoticon>\n"
            exported.files["\(name)/\(file)"] = .copy(sticker.file)
        }
        exported.files["\(name)/emoticons.xml"] = .bytes(Array((xml + "</messaging-emoticon-map>\n").utf8))
        return exported
    }
}
