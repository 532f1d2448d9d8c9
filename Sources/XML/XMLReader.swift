import StoreCXML
import StoreModel

/// Reads a document from a stranger as a row of events: no tree, no entities, nothing from anywhere else.
public struct XMLReader: Sendable {
    public var limits: XMLLimits

    public init(limits: XMLLimits = XMLLimits()) { self.limits = limits }

    /// Reads a whole document. What stands before an error has been told of when the error is thrown.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without its mark at the start.
    ///   - visit: told of each event; what it throws ends the reading.
    /// - Throws: ``XMLError``, or what `visit` threw.
    public func read(_ bytes: [UInt8], _ visit: (XMLEvent) throws -> Void) throws {
        // What takes libxml2 more than its length in time is found before it sees the document.
        try XMLScan(bytes, limits: limits).check()
        _ = XMLReader.libraryIsReady
        try withoutActuallyEscaping(visit) { visit in
            try bytes.withUnsafeBytes { all in
                let content = all.starts(with: XMLScan.byteOrderMark) ? all.dropFirst(3)[...] : all[...]
                try XMLParse(limits: limits, visit: visit).run(UnsafeRawBufferPointer(rebasing: content))
            }
        }
    }

    /// libxml2 wants to be made ready once, before several threads use it.
    private static let libraryIsReady: Void = xmlInitParser()
}
