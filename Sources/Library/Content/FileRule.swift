public import StoreImages
import StoreModel
import StoreXML

/// One type of file that packs of a kind may hold.
public struct FileRule: Sendable {
    /// In words, such as `images`.
    let title: String
    /// Whether a file is of the type. One that is, and is not as it must be, is refused.
    let takes: @Sendable (PackFile) throws -> Bool

    public init(_ title: String, takes: @escaping @Sendable (PackFile) throws -> Bool) {
        self.title = title
        self.takes = takes
    }

    // MARK: Images

    /// Images, whole and within limits. How one is called does not matter: whoever shows it tells it by its bytes, and
    /// packs that others made call a JPEG a PNG now and then.
    public static func images(_ limits: ImageLimits) -> FileRule {
        let reader = ImageReader(limits: limits)
        return FileRule("images (PNG, GIF, JPEG, WebP, SVG)") { file in
            guard case .image(let format) = file.content else { return false }
            do {
                _ = try reader.read(file.file, head: file.head, size: file.size, as: format)
                return true
            } catch let error as ImageError {
                throw LibraryError(error.code, "'\(file.path)' is \(error.message).")
            }
        }
    }

    // MARK: Text

    /// In bytes; the information file is the longest there is reason for.
    private static let textLimit = PackInformation.sizeLimit
    /// What text is called that is read and not run.
    private static let textSuffixes: Set<String> = [
        "", "txt", "text", "md", "markdown", "rst", "json", "ini", "cfg", "conf", "toml", "yaml", "yml", "csv", "tsv",
        "meta", "theme", "license", "licence", "copying", "authors", "nfo",
    ]

    /// Text that is called as documents are: in a pack of images nothing is called as a program is.
    ///
    /// - Parameter suffixes: what else it may be called at its end.
    public static func texts(_ suffixes: Set<String> = []) -> FileRule {
        FileRule("text") { file in
            guard file.content == .text || file.content == .empty else { return false }
            guard textSuffixes.contains(file.suffix) || suffixes.contains(file.suffix) else {
                if file.content == .empty || ImageFormat.allSuffixes.contains(file.suffix) {
                    throw LibraryError(
                        .fileType, "'\(file.path)' is \(file.content.title), and not what its name says.")
                }
                throw LibraryError(
                    .fileType, "'\(file.path)' is text that is not called as documents are (.txt, .md, .json).")
            }
            // What follows after the first bytes is to be text as well.
            return FileContent.isText(try file.bytes(limit: textLimit))
        }
    }

    // MARK: XML

    /// XML documents that are well-formed, in UTF-8, declare no entities, and are no web page.
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
                    throw LibraryError(.fileType, "'\(file.path)' is a web page (line \(element.line)).")
                case .instruction("xml-stylesheet", let line):
                    throw LibraryError(.fileType, "'\(file.path)' asks for a style sheet (line \(line)).")
                default: break
                }
            }
            return true
        } catch let error as XMLError {
            throw LibraryError(error.code, "'\(file.path)' is an XML document that can't be read: \(error.message).")
        }
    }
}
