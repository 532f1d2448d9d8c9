public import StoreImages
import StoreModel

/// What a file is, told by its first bytes and by nothing else.
public enum FileContent: Sendable, Hashable {
    case empty
    case image(ImageFormat)
    /// Nothing but letters so far. Documents, and all that is written in a language of programs.
    case text
    /// A document that says it is one, with the name of its first element.
    case xml(root: String)
    /// Something that a system or an interpreter runs; in words, with an article.
    case program(String)
    /// What is known and has no place in a pack of images, in words with an article; `nil` for what is not known.
    case other(String?)

    /// How many bytes from the start tell all that is told.
    public static let headLength = ImageFormat.headLength

    /// - Parameter head: the first ``headLength`` bytes of a file, or all it has.
    public init(head: ArraySlice<UInt8>) {
        if head.isEmpty {
            self = .empty
        } else if let format = ImageFormat(head: head) {
            self = .image(format)
        } else if let known = FileSignature.all.first(where: { $0.fits(head) }) {
            self = known.isProgram ? .program(known.title) : .other(known.title)
        } else if FileContent.isText(head) {
            self = FileContent(text: head)
        } else {
            self = .other(nil)
        }
    }

    private init(text: ArraySlice<UInt8>) {
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        let begin = String(decoding: start.drop { $0 <= 0x20 }.prefix(40), as: UTF8.self).lowercased()
        let head = XMLHead(text)
        if begin.hasPrefix("#!") {
            self = .program("a script")
        } else if begin.hasPrefix("[desktop entry]") {
            self = .program("a desktop entry that starts a program")
        } else if begin.hasPrefix("<?php") {
            self = .program("a PHP script")
        } else if ["html", "head", "body", "script", "iframe"].contains(head.root?.lowercased())
            || begin.hasPrefix("<!doctype html")
        {
            self = .other("a web page")
        } else if head.hasDeclaration, let root = head.root {
            self = .xml(root: root)
        } else {
            self = .text
        }
    }

    /// In words, with an article.
    public var title: String {
        switch self {
        case .empty: "an empty file"
        case .image(let format): format.title + " image"
        case .text: "text"
        case .xml: "an XML document"
        case .program(let title): title
        case .other(let title): title ?? "a file of no known kind"
        }
    }

    public var isImage: Bool { if case .image = self { true } else { false } }

    /// Text of today, or of an encoding of one byte a letter: no control characters but those between words and lines.
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
    }
}
