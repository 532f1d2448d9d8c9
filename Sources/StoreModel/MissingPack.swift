/// An installed pack whose directory was removed by something else than the program, as far as the history tells.
///
/// It is not among the installed packs. A repair installs it again, and an uninstallation forgets it.
public struct MissingPack: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// The name of the store that the missing pack was installed from; `nil` for a local file.
    @OrNull public var store: String?
    /// The version of the missing pack that was installed; `nil` if it had none.
    @OrNull public var version: Version?
    /// The identifier of the operation that installed the missing pack.
    public var operation: OperationID

    /// Creates the description of a missing pack.
    public init(productIdentifier: String, store: String?, version: Version?, operation: OperationID) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.version = version
        self.operation = operation
    }

    /// The warning that the pack's directory is missing, as a text for display.
    public var warning: String {
        EnglishText.filled(
            "the directory of the installed pack '{product}' is missing, or can't be read; restore it with "
                + "'storectl verify --repair', or forget it with 'storectl uninstall {product}'",
            ["product": productIdentifier])
    }
}

extension MissingPack: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var productIdentifier: String?
        var store: String?
        var version: String?
        var operation: String?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "productIdentifier": productIdentifier = try reader.string()
            case "store": store = try reader.null() ? nil : reader.string()
            case "version": version = try reader.null() ? nil : reader.string()
            case "operation": operation = try reader.string()
            default: try reader.skip()
            }
        }
        guard let productIdentifier, let operation else { throw reader.malformed }
        self.init(
            productIdentifier: productIdentifier, store: store, version: version.map(Version.init),
            operation: OperationID(rawValue: operation))
    }
}
