import StoreModel

/// The differences between the installed version of a product and the version that its store offers, as text.
struct VersionChanges {
    /// Both versions, such as `1.0.0 → 1.2.0`; `nil` if neither has a number.
    let versions: String?
    /// What the offered version needs or requests otherwise than the installed one; `nil` if nothing.
    let summary: String?

    init(from pack: InstalledPack, to product: ProductItem) {
        let numbers = [pack.version, product.version].map { $0?.text ?? "unknown" }
        versions = pack.version == nil && product.version == nil ? nil : numbers.joined(separator: " → ")
        let (old, new) = (Set(pack.dependencies), Set(product.dependencies))
        let permissions = Set(product.permissions).subtracting(pack.permissions).sorted().map(\.meaning)
        let parts = [
            Self.part("requests permission to", permissions),
            Self.part("also requires", new.subtracting(old).sorted()),
            Self.part("no longer requires", old.subtracting(new).sorted()),
        ].compactMap { $0 }
        summary = parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func part(_ text: String, _ words: [String]) -> String? {
        words.isEmpty ? nil : text + " " + words.joined(separator: ", ")
    }
}
