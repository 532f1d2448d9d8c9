import StoreXML

extension EmojiSetDescription {
    /// Returns the XML description of the set, and its images by the paths that the description gives them.
    ///
    /// Reading the description together with the images results in the same set.
    public func xml() -> (text: String, images: [String: [UInt8]]) {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<emojis total=\"\(items.count)\">"]
        var images: [String: [UInt8]] = [:]
        for group in groups {
            lines.append("  <category name=\"\(XMLEscaping.attribute(group.name))\">")
            for subgroup in group.subgroups {
                let isNamed = !subgroup.name.isEmpty || group.subgroups.count > 1
                if isNamed { lines.append("    <subgroup name=\"\(XMLEscaping.attribute(subgroup.name))\">") }
                for item in subgroup.emoji {
                    lines += self.lines(of: item, indent: isNamed ? "      " : "    ", &images)
                }
                if isNamed { lines.append("    </subgroup>") }
            }
            lines.append("  </category>")
        }
        return ((lines + ["</emojis>"]).joined(separator: "\n") + "\n", images)
    }

    private func lines(of item: Item, indent: String, _ images: inout [String: [UInt8]]) -> [String] {
        var parts: [String] = []
        for (number, image) in item.images.enumerated() {
            let stem = item.sequence.fileStem + (number == 0 ? "" : "~\(number + 1)")
            let path = "\(stem).\(image.format.suffixes[0])"
            images[path] = image.bytes
            parts.append("\(indent)  <image file=\"\(path)\"/>")
        }
        for (language, names) in item.texts.sorted(by: { $0.key < $1.key }) {
            let tag = XMLEscaping.attribute(language)
            // Also without a name, so that a language without texts for the emoji is not one without an entry.
            parts.append("\(indent)  <name language=\"\(tag)\">\(XMLEscaping.content(names.name))</name>")
            if !names.keywords.isEmpty {
                let words = names.keywords.map(XMLEscaping.content).joined(separator: " | ")
                parts.append("\(indent)  <keywords language=\"\(tag)\">\(words)</keywords>")
            }
        }
        return ["\(indent)<emoji unicode=\"\(item.sequence.hexadecimal())\">"] + parts + ["\(indent)</emoji>"]
    }
}
