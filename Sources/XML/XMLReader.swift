import StoreCXML
import StoreModel

/// Reads untrusted XML as a sequence of events, without entities and without access to other files.
public struct XMLReader: Sendable {
    /// The limits beyond which a document is rejected.
    public var limits: XMLLimits

    /// Creates a reader.
    public init(limits: XMLLimits = XMLLimits()) { self.limits = limits }

    /// Reads a whole document.
    ///
    /// The events before an error are reported before the error is thrown.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, with or without a byte order mark.
    ///   - visit: called with each event; an error that it throws ends the reading.
    /// - Throws: ``StoreError`` with a code `xml.…`, whose arguments `line` and `column` are the position, or the error that
    ///   `visit` threw.
    public func read(_ bytes: [UInt8], _ visit: (XMLEvent) throws -> Void) throws {
        // Rejects documents for which libxml2 would take more than linear time.
        try XMLScan(bytes, limits: limits).check()
        _ = XMLReader.libraryIsInitialized
        try withoutActuallyEscaping(visit) { visit in
            try bytes.withUnsafeBytes { all in
                let content = all.starts(with: XMLScan.byteOrderMark) ? all.dropFirst(3)[...] : all[...]
                try XMLParse(limits: limits, visit: visit).run(UnsafeRawBufferPointer(rebasing: content))
            }
        }
    }

    /// libxml2 has to be initialized once before several threads use it.
    private static let libraryIsInitialized: Void = xmlInitParser()
}
