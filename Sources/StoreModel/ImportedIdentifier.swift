/// The identifiers of products that were imported from other programs' formats: `import.FORMAT.SOURCE-ID`.
///
/// No store can offer a product with such an identifier, so that neither replaces the other.
public enum ImportedIdentifier {
    /// The beginning of the identifier of every imported product.
    public static let prefix = "import."

    /// Returns whether a product identifier belongs to an imported product.
    public static func contains(_ productIdentifier: String) -> Bool {
        productIdentifier.utf8.starts(with: prefix.utf8)
    }

    /// Returns the product identifier of a pack that was imported from a format.
    public static func make(format: String, source: String) -> String { "\(prefix)\(format).\(source)" }
}
