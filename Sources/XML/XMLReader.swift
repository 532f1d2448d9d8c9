import StoreCXML
import StoreModel

/// Reads untrusted XML as a sequence of events, without declared entities and without access to other files.
public struct XMLReader: Sendable {
    /// The sizes and numbers that an XML document must not exceed, and whether it may have a document type.
    public var limits: XMLLimits

    /// Creates an XML reader that rejects documents that exceed `limits`.
    public init(limits: XMLLimits = XMLLimits()) { self.limits = limits }

    /// Reads a whole XML document and calls a function with each of its parts.
    ///
    /// A document that is too large, contains a NUL byte, is not UTF-8, declares another encoding, or has an element
    /// with too many attributes is rejected before the first event. For any other error, the events before it are
    /// reported first.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, with or without a byte order mark.
    ///   - visit: called with each event; an error that it throws ends the reading.
    /// - Throws: ``StoreError`` with a code `xml.…`, whose arguments `line` and `column` are the position where it is
    ///   known; or the error that `visit` threw.
    public func read(_ bytes: [UInt8], _ visit: (XMLEvent) throws -> Void) throws {
        try readParts(bytes) { part in
            switch part {
            case .start(let tag): try visit(.start(XMLElement(tag)))
            case .end: try visit(.end)
            case .text(let text): try visit(.text(text.string, line: text.line))
            case .instruction(let target, let line): try visit(.instruction(target: target, line: line))
            }
        }
    }

    /// Reads a whole XML document like ``read(_:_:)``, but leaves it to a function which values become strings.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, with or without a byte order mark.
    ///   - visit: called with each part; an error that it throws ends the reading.
    /// - Throws: as ``read(_:_:)``.
    public func readParts(_ bytes: [UInt8], _ visit: (borrowing XMLPart) throws -> Void) throws {
        // Rejects documents for which libxml2 would take more than linear time.
        try XMLScan(bytes, limits: limits).check()
        _ = XMLReader.libraryIsInitialized
        try withoutActuallyEscaping(visit) { visit in
            try bytes.withUnsafeBytes { all in
                let content = all.starts(with: XMLScan.byteOrderMark) ? all.dropFirst(3)[...] : all[...]
                var parse = XMLParse(limits: limits, visit: visit)
                try parse.run(UnsafeRawBufferPointer(rebasing: content))
            }
        }
    }

    /// Initializes libxml2 once per process, which has to happen before several threads use it.
    private static let libraryIsInitialized: Void = xmlInitParser()
}
