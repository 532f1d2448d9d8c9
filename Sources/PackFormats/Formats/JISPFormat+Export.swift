import StoreModel
import StoreXML

extension JISPFormat: PackExporting {
    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        let stickers = pack.stickers(ExportedPack.pictures, in: "an icon style", &exported)
        guard !stickers.isEmpty else { return exported }
        func element(_ name: String, _ text: String?) -> String {
            text.map { "    <\(name)>\(XMLEscaping.content($0))</\(name)>\n" } ?? ""
        }
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<icondef>\n  <meta>\n"
        xml += element("name", pack.name)
        xml += element("version", pack.pack.version?.text ?? "1.0")
        xml += element("description", pack.pack.license.map { "License: \($0)" } ?? pack.name)
        xml += element("author", pack.pack.publisher)
        xml += element("home", pack.website)
        xml += "  </meta>\n"
        let types = ["png": "image/png", "gif": "image/gif", "jpg": "image/jpeg", "webp": "image/webp"]
        for (sticker, file) in stickers {
            xml += "  <icon>\n"
            for text in sticker.shortcuts { xml += element("text", text) }
            let type = types[file.suffix] ?? "image/png"
            xml += "    <object mime=\"\(type)\">\(XMLEscaping.content(file))</object>\n  </icon>\n"
            exported.files["\(name)/\(file)"] = .copy(sticker.file)
        }
        exported.files["\(name)/icondef.xml"] = .bytes(Array((xml + "</icondef>\n").utf8))
        // The root directory has the name of the file (XEP-0038, section 3).
        exported.archives["\(name).jisp"] = exported.files.keys.sorted()
        return exported
    }
}
