import StoreModel
import StoreSystem
import StoreXML

/// A reader of the XML files of one skin, which together may have ``SkinLimits/size`` bytes.
struct SkinXML {
    private let directory: Directory
    /// The number of bytes that may still be read.
    private(set) var remaining: Int
    private let isLimitedByChain: Bool

    /// Creates a reader.
    ///
    /// - Parameter chainRemaining: the number of bytes that may still be read of the skin and its ancestors.
    init(_ directory: Directory, chainRemaining: Int = SkinLimits.chainSize) {
        self.directory = directory
        remaining = min(SkinLimits.size, chainRemaining)
        isLimitedByChain = chainRemaining < SkinLimits.size
    }

    /// Reads an XML file of a skin and passes its events to `visit`.
    ///
    /// - Throws: `skin.too-large`; an XML error with the file and, if known, the line; an error of `visit`.
    mutating func read(_ name: String, _ visit: (XMLEvent) throws -> Void) throws {
        try SkinXML.read(bytes(of: name), called: name, visit)
    }

    /// Reads a theme file of a skin with a reader for its content.
    ///
    /// - Throws: as ``read(_:_:)``; an error of the reader.
    mutating func read(_ name: String, with reader: inout ThemeReader) throws {
        let bytes = try bytes(of: name)
        reader.reserveCapacity(forFileOf: bytes.count)
        try SkinXML.parse(name) { xml in
            try xml.readParts(bytes) { try reader.process($0, in: name) }
        }
    }

    private mutating func bytes(of name: String) throws -> [UInt8] {
        let file = try directory.openFile(name)
        let size = try file.status().size
        guard size <= remaining else {
            if isLimitedByChain {
                throw StoreError(.skinChainTooLarge, ["file": name, "limit": .bytes(SkinLimits.chainSize)])
            }
            throw StoreError(.skinXMLTooLarge, ["file": name, "limit": .bytes(SkinLimits.size)])
        }
        remaining -= size
        return try file.read(count: size, at: 0)
    }

    /// Parses the bytes of an XML file of a skin and passes its events to `visit`.
    static func read(_ bytes: [UInt8], called name: String, _ visit: (XMLEvent) throws -> Void) throws {
        try parse(name) { try $0.read(bytes, visit) }
    }

    /// Calls a function with a reader for an XML file of a skin, and adds the file's name to an XML error that it throws.
    private static func parse(_ name: String, _ body: (XMLReader) throws -> Void) throws {
        do {
            try body(XMLReader(limits: SkinLimits.xml))
        } catch let error as StoreError where error.isXMLError {
            // The file is not at fault where memory or the XML library failed.
            if error.code == .xmlFailed { throw StoreError(.skinXMLUnread, ["file": name], cause: error) }
            throw StoreError(.skinXMLInvalid, ["file": name], cause: error)
        }
    }
}
