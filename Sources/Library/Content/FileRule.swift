public import StoreImages
import StoreModel
import StoreXML

/// A rule that accepts one type of file, such as images, in packs of a product kind.
public struct FileRule: Sendable {
    /// A description of the files that the rule accepts, for messages, such as `images`.
    let title: String
    /// A function that returns whether the rule accepts a file of a pack.
    ///
    /// It throws an error if the file is of the rule's type and malformed.
    let takes: @Sendable (PackFile) throws -> Bool

    /// Creates a rule that accepts one type of file in packs.
    ///
    /// - Parameters:
    ///   - title: a description of the accepted files, for messages.
    ///   - takes: returns whether the rule accepts a file; throws if the file is of the rule's type and malformed.
    public init(_ title: String, takes: @escaping @Sendable (PackFile) throws -> Bool) {
        self.title = title
        self.takes = takes
    }

    // MARK: Images

    /// Returns a rule that accepts images in packs that are complete and within limits, whatever their file names.
    ///
    /// Applications recognise an image by its bytes, and existing packs sometimes name a JPEG `.png`. An image that is
    /// damaged or too large is an error of the module `Images` with the file's path.
    public static func images(_ limits: ImageLimits) -> FileRule {
        let reader = ImageReader(limits: limits)
        return FileRule("images (PNG, GIF, JPEG, WebP, SVG)") { file in
            guard case .image(let format) = file.content else { return false }
            do {
                if let open = file.file {
                    _ = try reader.read(open, head: file.head, size: file.size, as: format)
                } else {
                    _ = try reader.read(file.head, as: format)
                }
                return true
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.imageInPack, ["path": .untrusted(file.path)], cause: error)
            }
        }
    }

    // MARK: Text

    /// The maximum size in bytes of a text file in a pack.
    ///
    /// The longest text that a pack needs is its information file.
    private static let textLimit = PackInformation.sizeLimit
    /// The file name extensions of text files in packs that are read and not run.
    ///
    /// The empty one stands for a name without extension.
    private static let textSuffixes: Set<String> = [
        "", "txt", "text", "md", "markdown", "rst", "json", "ini", "cfg", "conf", "toml", "yaml", "yml", "csv", "tsv",
        "meta", "theme", "license", "licence", "copying", "authors", "nfo",
    ]

    /// Returns a rule that accepts text and empty files in packs if they have the file name of a document.
    ///
    /// Only its name makes a program of a text. Text with any other name is refused with `content.file-type`, and text
    /// of more than 4 MiB with `content.too-large`.
    ///
    /// - Parameter suffixes: extensions to accept beside those of documents, in lower case and without the dot.
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

    /// A rule that accepts well-formed XML documents in packs.
    ///
    /// They must be in UTF-8, without a document type, without elements of a web page or an SVG, and not linked to a style
    /// sheet. A file is an XML document if it has an XML declaration, or is text with the extension `.xml`. An SVG is an
    /// image, which has a rule of its own; one whose first element is far from the beginning is not recognized as an image, and is refused.
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
                case .start(let element) where element.namespace == "http://www.w3.org/2000/svg":
                    throw StoreError(.drawingRefused, ["path": .untrusted(file.path), "line": element.line])
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
