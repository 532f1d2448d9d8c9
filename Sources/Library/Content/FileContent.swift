public import StoreImages
import StoreModel

/// The type of a file, recognised by its first bytes alone and not by its name.
public enum FileContent: Sendable, Hashable {
    case empty
    case image(ImageFormat)
    /// Text without control characters, such as documents and source code of most languages.
    ///
    /// Scripts are a ``program(_:)`` instead.
    case text
    /// An XML document that begins with an XML declaration, and the name of its root element.
    case xml(root: String)
    /// A program that a system or an interpreter runs, with a description for messages, such as `a program (ELF)`.
    case program(String)
    /// A file of any other type, with a description for messages, such as `a ZIP archive`; `nil` if unknown.
    case other(String?)

    /// The number of bytes at the start of a file by which its type is recognised.
    public static let headLength = ImageFormat.headLength

    /// Recognises the type of a file by its first bytes.
    ///
    /// - Parameter head: the first ``headLength`` bytes of the file, or all bytes of a shorter one.
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

    /// A description of the file type with an article if one fits, for messages, such as `an empty file`.
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

    /// Returns whether bytes may be text in UTF-8 or a single-byte encoding.
    ///
    /// Text has no control characters except tabs, line breaks and form feeds.
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
    }
}
