import StoreModel
import StoreSystem
import StoreXML

/// Reads XML files of a skin's folder, all of them together within ``SkinLimits``.
struct SkinXML {
    private let folder: Directory
    private var rest = SkinLimits.size

    init(_ folder: Directory) { self.folder = folder }

    /// - Throws: ``SkinError`` with the file and, where it is known, the line; what `visit` throws.
    mutating func read(_ name: String, _ visit: (XMLEvent) throws -> Void) throws {
        let file = try folder.openFile(name)
        let size = try file.status().size
        guard size <= rest else {
            throw SkinError(
                .skinTooLarge,
                "The skin's XML has more than \(SkinLimits.size) bytes, which '\(name)' goes over. Tell its author.",
                file: name)
        }
        rest -= size
        try SkinXML.read(file.read(count: size, at: 0), called: name, visit)
    }

    static func read(_ bytes: [UInt8], called name: String, _ visit: (XMLEvent) throws -> Void) throws {
        do {
            try XMLReader(limits: SkinLimits.xml).read(bytes, visit)
        } catch let error as StoreError where error.isXMLError {
            throw SkinError(
                error.code, "'\(name)' can't be read: \(error.message). Tell the skin's author.", file: name,
                line: error.number("line"))
        }
    }
}
