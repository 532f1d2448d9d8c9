import StoreModel
import StoreXML

/// An element of a small XML document with what it contains.
struct XMLNode {
    let name: String
    let namespace: String
    let attributes: [XMLAttribute]
    /// The line of the document on which the element's start tag ends, counted from 1.
    let line: Int
    /// The text directly in the element, without that of its children.
    fileprivate(set) var text = ""
    fileprivate(set) var children: [XMLNode] = []

    subscript(name: String) -> String? {
        attributes.first { $0.name == name && ($0.namespace.isEmpty || name == "lang") }?.value
    }

    /// Returns the first child with this name.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }
}

/// A small XML document of another program, read whole.
///
/// It may be in another encoding than UTF-8, which is converted, and have a document type, which is removed.
struct XMLDocument {
    let root: XMLNode
    let notes: [String]

    /// Reads a document whose path is only for messages.
    ///
    /// - Throws: `import.malformed` with the reason of the XML reader.
    init(_ bytes: [UInt8], path: String) throws {
        let content = LenientText(bytes, declared: Self.declaredEncoding(bytes))
        var notes = content.notes(about: path)
        let (body, hadDoctype) = Self.body(of: content.text)
        if hadDoctype { notes.append(EnglishText.filled("the document type of '{path}' was ignored", ["path": path])) }
        var open: [XMLNode] = []
        var root: XMLNode?
        do {
            try XMLReader().read(Array(body.utf8)) { event in
                switch event {
                case .start(let element):
                    open.append(
                        XMLNode(
                            name: element.name, namespace: element.namespace, attributes: element.attributes,
                            line: element.line))
                case .text(let text, _): if !open.isEmpty { open[open.count - 1].text += text }
                case .end:
                    let node = open.removeLast()
                    if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
                case .instruction: break
                }
            }
        } catch let error as StoreError {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": error.message])
        }
        guard let root else {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it has no element"])
        }
        self.root = root
        self.notes = notes
    }

    /// Returns the encoding that the document's XML declaration names.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard head.contains("<?xml"), let key = head.firstRange(of: "encoding") else { return nil }
        let value = head[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "'" || quote == "\"" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// Returns the document without XML declaration, which may name another encoding, and document type.
    ///
    /// The lines keep their numbers.
    private static func body(of text: String) -> (text: String, hadDoctype: Bool) {
        var (rest, lines, hadDoctype) = (text[...], 0, false)
        func skip(after end: String) {
            let stop = rest.firstRange(of: end)?.upperBound ?? rest.endIndex
            lines += rest[..<stop].count { $0 == "\n" }
            rest = rest[stop...]
        }
        while true {
            let space = rest.prefix(while: \.isWhitespace)
            lines += space.count { $0 == "\n" }
            rest = rest[space.endIndex...]
            if rest.hasPrefix("<?") {
                skip(after: "?>")
            } else if rest.hasPrefix("<!--") {
                skip(after: "-->")
            } else if rest.hasPrefix("<!DOCTYPE") {
                hadDoctype = true
                if rest.prefix(while: { $0 != ">" }).contains("[") { skip(after: "]") }
                skip(after: ">")
            } else {
                return (String(repeating: "\n", count: lines) + rest, hadDoctype)
            }
        }
    }
}

extension ImportSource {
    /// Returns the XML document in a file.
    func xml(_ path: String) throws -> XMLDocument { try XMLDocument(read(path), path: path) }
}
