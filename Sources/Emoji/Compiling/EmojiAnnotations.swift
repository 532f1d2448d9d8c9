import StoreModel
import StoreXML

/// The names and keywords of emoji in one language, read from an annotations file of Unicode's CLDR.
public struct EmojiAnnotations: Sendable, Hashable {
    /// The language tag, such as `de` or `pt-PT`.
    public private(set) var language = ""
    private var names: [[UInt32]: EmojiNames] = [:]

    /// Reads an annotations file: `annotations/de.xml` or `annotationsDerived/de.xml` of CLDR.
    ///
    /// - Parameter file: the name of the file, for errors.
    /// - Throws: `emoji.source`; `xml.…` if the file is not well-formed.
    public init(_ bytes: [UInt8], file: String) throws {
        var limits = XMLLimits()
        // The files begin with a document type that names CLDR's own.
        limits.acceptsEmptyDoctype = true
        var (tag, root): ([String], String) = ([], "")
        var open: (key: [UInt32], isName: Bool)?
        var text = ""
        do {
            try XMLReader(limits: limits).read(bytes) { event in
                switch event {
                case .start(let element):
                    if root.isEmpty { root = element.name }
                    switch element.name {
                    case "language", "script", "territory": if let type = element["type"] { tag.append(type) }
                    case "annotation":
                        open = EmojiSequence(text: element["cp"] ?? "").map { ($0.key, element["type"] == "tts") }
                        text = ""
                    default: break
                    }
                case .text(let part, _): text += part
                case .end:
                    guard let (key, isName) = open else { return }
                    if isName {
                        names[key, default: EmojiNames()].name = text.trimmed
                    } else {
                        names[key, default: EmojiNames()].keywords = EmojiNames.keywords(text)
                    }
                    open = nil
                case .instruction: break
                }
            }
        } catch let error as StoreError where error.isXMLError {
            throw StoreError(.emojiSourceFile, ["file": .untrusted(file)], cause: error)
        }
        guard root == "ldml", let first = tag.first, first != "root" else {
            throw StoreError(
                .emojiSourceInvalid,
                [
                    "file": .untrusted(file), "line": 1, "found": .untrusted("the root element '\(root)'"),
                    "expected": "an annotations file of CLDR: 'ldml' with the type of a language",
                ])
        }
        language = tag.joined(separator: "-")
    }

    /// Returns the name and the keywords of an emoji; `nil` if the file has none.
    public subscript(_ sequence: EmojiSequence) -> EmojiNames? { names[sequence.key] }
}
