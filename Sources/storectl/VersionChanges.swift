import StoreMessages
import StoreModel

/// The differences between the installed version of a product and the version that its store offers, as text.
struct VersionChanges {
    /// Both versions, such as `1.0.0 → 1.2.0`; `nil` if neither has a number.
    let versions: String?
    /// What the offered version needs or requests otherwise than the installed one; `nil` if nothing.
    let summary: String?

    init(from pack: InstalledPack, to product: ProductItem, _ messages: Messages = .of(.english)) {
        let numbers = [pack.version, product.version].map { $0?.text ?? messages.text("unknown") }
        versions = pack.version == nil && product.version == nil ? nil : numbers.joined(separator: " → ")
        let (old, new) = (Set(pack.dependencies), Set(product.dependencies))
        let permissions = Set(product.permissions).subtracting(pack.permissions).sorted().map(messages.meaning)
        let (added, removed) = (new.subtracting(old).sorted(), old.subtracting(new).sorted())
        let parts = [
            permissions.isEmpty
                ? nil
                : messages.text(
                    "requests permission to {permissions}", ["permissions": messages.list(permissions)]),
            added.isEmpty
                ? nil : messages.text("also requires {products}", ["products": added.joined(separator: ", ")]),
            removed.isEmpty
                ? nil : messages.text("no longer requires {products}", ["products": removed.joined(separator: ", ")]),
        ].compactMap { $0 }
        summary = parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
