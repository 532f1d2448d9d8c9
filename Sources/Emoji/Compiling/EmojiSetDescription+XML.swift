public import StoreImages
import StoreModel
public import StoreSystem
import StoreXML

extension EmojiSetDescription {
    /// Reads the XML description of an emoji set, and the images that it names.
    ///
    /// The module's page about the files of an emoji set describes the elements.
    ///
    /// - Parameters:
    ///   - name: the name of the XML file in the directory.
    ///   - directory: the directory, to which the paths of images are relative.
    /// - Throws: `emoji.source` with the line and what was expected; `xml.…` if the file is not well-formed; the error of
    ///   an image that is missing or damaged, with the line that names it.
    public init(xml name: String, in directory: Directory, limits: ImageLimits = ImageLimits()) throws {
        var parse = XMLDescriptionParser(file: name)
        do {
            try XMLReader().read(Array(directory.read(name, limit: XMLLimits().size))) { try parse.handle($0) }
        } catch let error as StoreError where error.isXMLError {
            throw StoreError(.emojiSourceFile, ["file": .untrusted(name)], cause: error)
        }
        try parse.finish()
        self.init(groups: parse.groups)
        var number = 0
        try updateEach { item in
            let line = parse.items[number].line
            for path in parse.items[number].images {
                do {
                    item.images.append(try EmojiImage(Array(directory.read(path, limit: limits.size)), limits: limits))
                } catch let error as StoreError {
                    throw StoreError(
                        .emojiSourceImage, ["file": .untrusted(name), "line": line, "image": .untrusted(path)],
                        cause: error)
                }
            }
            number += 1
        }
    }
}

/// Builds an emoji set from the events of its XML description.
private struct XMLDescriptionParser {
    struct ItemSource {
        var images: [String] = []
        var line: Int
    }

    let file: String
    private(set) var groups: [EmojiSetDescription.Group] = []
    /// The images and the line of each emoji, in the order of ``EmojiSetDescription/items``.
    private(set) var items: [ItemSource] = []
    private var open: [String] = []
    private var total: (number: Int, line: Int)?
    private var language = ""
    private var text = ""

    init(file: String) { self.file = file }

    mutating func handle(_ event: XMLEvent) throws {
        switch event {
        case .start(let element):
            try start(element)
            open.append(element.name)
        case .end:
            end(open.removeLast())
        case .text(let part, let line):
            if open.last == "name" || open.last == "keywords" {
                text += part
            } else if !part.allSatisfy(\.isWhitespace) {
                throw mistake(line, "text outside of 'name' and 'keywords'", "no text")
            }
        case .instruction: break
        }
    }

    private mutating func start(_ element: XMLElement) throws {
        switch (open.last, element.name) {
        case (nil, "emojis"):
            guard let stated = element["total"] else { return }
            guard let number = Int(stated), number >= 0 else {
                throw mistake(element.line, "total=\"\(stated)\"", "a number of emoji")
            }
            total = (number, element.line)
        case ("emojis", "category"):
            groups.append(EmojiSetDescription.Group(name: try attribute("name", of: element), subgroups: []))
        case ("category", "subgroup"):
            groups[groups.count - 1].subgroups.append(
                EmojiSetDescription.Subgroup(name: try attribute("name", of: element), emoji: []))
        case ("category", "emoji"), ("subgroup", "emoji"): try startEmoji(element)
        case ("emoji", "image"):
            items[items.count - 1].images.append(try attribute("file", of: element))
        case ("emoji", "name"), ("emoji", "keywords"):
            language = try attribute("language", of: element)
            text = ""
        default:
            let expected =
                switch open.last {
                case nil: "the root element 'emojis'"
                case "emojis": "an element 'category'"
                case "category": "an element 'subgroup' or 'emoji'"
                case "subgroup": "an element 'emoji'"
                case "emoji": "an element 'image', 'name' or 'keywords'"
                default: "no element"
                }
            throw mistake(element.line, "the element '\(element.name)'", expected)
        }
    }

    private mutating func startEmoji(_ element: XMLElement) throws {
        let points = try attribute("unicode", of: element)
        guard let sequence = EmojiSequence(hexadecimal: points) else {
            throw mistake(element.line, "unicode=\"\(points)\"", "code points in hexadecimal, separated by spaces")
        }
        let group = groups.count - 1
        if open.last == "category", groups[group].subgroups.last?.name != "" {
            groups[group].subgroups.append(EmojiSetDescription.Subgroup(emoji: []))
        }
        let subgroup = groups[group].subgroups.count - 1
        groups[group].subgroups[subgroup].emoji.append(EmojiSetDescription.Item(sequence: sequence))
        items.append(ItemSource(images: element["image"].map { [$0] } ?? [], line: element.line))
    }

    private mutating func end(_ name: String) {
        guard open.last == "emoji", name == "name" || name == "keywords" else { return }
        let group = groups.count - 1
        let subgroup = groups[group].subgroups.count - 1
        let item = groups[group].subgroups[subgroup].emoji.count - 1
        var names = groups[group].subgroups[subgroup].emoji[item].texts[language] ?? EmojiNames()
        if name == "name" { names.name = text.trimmed } else { names.keywords += EmojiNames.keywords(text) }
        groups[group].subgroups[subgroup].emoji[item].texts[language] = names
    }

    func finish() throws {
        if let total, total.number != items.count {
            throw mistake(total.line, "total=\"\(total.number)\"", "the number of emoji, \(items.count)")
        }
        if let empty = items.first(where: \.images.isEmpty) {
            throw mistake(empty.line, "an emoji without an image", "the attribute 'image' or an element 'image'")
        }
    }

    private func attribute(_ name: String, of element: XMLElement) throws -> String {
        guard let value = element[name] else {
            throw mistake(element.line, "an element '\(element.name)' without '\(name)'", "the attribute '\(name)'")
        }
        return value
    }

    private func mistake(_ line: Int, _ found: String, _ expected: String) -> StoreError {
        StoreError(
            .emojiSourceInvalid,
            ["file": .untrusted(file), "line": line, "found": .untrusted(found), "expected": expected])
    }
}

extension EmojiNames {
    /// Returns the keywords of a text that separates them by vertical bars, as Unicode's annotations do.
    static func keywords(_ text: String) -> [String] {
        text.split(separator: "|").map(\.trimmed).filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// The text without white space at its beginning and end.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
