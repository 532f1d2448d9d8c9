public import StoreImages
import StoreModel
import StoreXML

/// A type of file that packs of a kind may hold.
public struct FileRule: Sendable {
    /// A description, such as `images`.
    let title: String
    /// Returns whether a file is of the type; throws if it is and is malformed.
    let takes: @Sendable (PackFile) throws -> Bool

    public init(_ title: String, takes: @escaping @Sendable (PackFile) throws -> Bool) {
        self.title = title
        self.takes = takes
    }

    // MARK: Images

    /// Accepts complete images within limits, whatever their file names.
    ///
    /// Applications recognise an image by its bytes, and existing packs sometimes name a JPEG `.png`.
    public static func images(_ limits: ImageLimits) -> FileRule {
        let reader = ImageReader(limits: limits)
        return FileRule("images (PNG, GIF, JPEG, WebP, SVG)") { file in
            guard case .image(let format) = file.content else { return false }
            do {
                _ = try reader.read(file.file, head: file.head, size: file.size, as: format)
                return true
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.imageInPack, ["path": .untrusted(file.path)], cause: error)
            }
        }
    }

    // MARK: Text

    /// The largest text file in bytes; the information file is the longest that is needed.
    private static let textLimit = PackInformation.sizeLimit
    /// The extensions of text that is read and not run.
    private static let textSuffixes: Set<String> = [
        "", "txt", "text", "md", "markdown", "rst", "json", "ini", "cfg", "conf", "toml", "yaml", "yml", "csv", "tsv",
        "meta", "theme", "license", "licence", "copying", "authors", "nfo",
    ]

    /// Accepts text with the file name of a document: only the name makes a program of a text.
    ///
    /// - Parameter suffixes: additional extensions.
    public static func texts(_ suffixes: Set<String> = []) -> FileRule {
        FileRule("text") { file in
            guard file.content == .text || file.content == .empty else { return false }
            guard textSuffixes.contains(file.suffix) || suffixes.contains(file.suffix) else {
                if file.content == .empty || ImageFormat.allSuffixes.contains(file.suffix) {
                    throw StoreError(
                        .fileNameMisleading, ["path": .untrusted(file.path), "content": file.content.title])
                }
                throw StoreError(.textNameRefused, ["path": .untrusted(file.path)])
            }
            // The rest of the file has to be text as well.
            return FileContent.isText(try file.bytes(limit: textLimit))
        }
    }

    // MARK: XML

    /// Accepts well-formed XML documents in UTF-8 that declare no entities and are no web pages.
    public static let xml = FileRule("XML") { file in
        switch file.content {
        case .xml: break
        case .text where file.suffix == "xml": break
        default: return false
        }
        let limits = XMLLimits()
        do {
            try XMLReader(limits: limits).read(file.bytes(limit: limits.size)) { event in
                switch event {
                case .start(let element) where element.namespace == "http://www.w3.org/1999/xhtml":
                    throw StoreError(.webPageRefused, ["path": .untrusted(file.path), "line": element.line])
                case .instruction("xml-stylesheet", let line):
                    throw StoreError(.styleSheetRefused, ["path": .untrusted(file.path), "line": line])
                default: break
                }
            }
            return true
        } catch let error as StoreError where error.isXMLError {
            throw StoreError(.documentInPack, ["path": .untrusted(file.path)], cause: error)
        }
    }
}
