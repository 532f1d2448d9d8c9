public import StoreModel
public import StoreTrust

/// A publisher of a store with several: who signs which products with which keys.
///
/// The store's owner has it as an entry of the table that the top-level targets sign; the publisher has it as the
/// description of their own directory.
public struct StorePublisher: Sendable, Hashable, Codable {
    /// The name of the publisher, which is part of paths: 1 to 64 of `a` to `z`, `0` to `9` and `-`.
    public var name: String
    /// The beginning of the identifiers of the publisher's products, such as `org.example.`.
    public var identifierPrefix: String
    /// The publisher's Ed25519 public keys in hexadecimal digits.
    public var keys: [String]
    /// The number of keys that have to sign.
    public var threshold: Int

    /// Creates the description of a publisher.
    ///
    /// - Throws: `trust.publishers` if the name or the prefix is not valid; `key.damaged` for what is no key;
    ///   `key.threshold` if there are fewer keys than have to sign.
    public init(name: String, identifierPrefix: String, keys: [PublicKey], threshold: Int = 1) throws(StoreError) {
        for key in keys where !key.isUsable { throw StoreError(.keyValueInvalid, ["key": .untrusted(key.value)]) }
        guard threshold > 0, Set(keys).count >= threshold else {
            throw StoreError(
                .publisherThresholdTooHigh,
                ["publisher": .untrusted(name), "count": Set(keys).count, "threshold": threshold])
        }
        self.name = name
        self.identifierPrefix = identifierPrefix
        var values: [String] = []
        for key in keys where !values.contains(key.value) { values.append(key.value) }
        self.keys = values
        self.threshold = threshold
        _ = try delegation
    }

    /// The publisher's public keys.
    public var publicKeys: [PublicKey] { keys.map { PublicKey(ed25519: $0) } }

    /// The identifiers of the publisher's keys, and how many have to sign.
    var roleKeys: RoleKeys { RoleKeys(keyIDs: publicKeys.map(\.identifier), threshold: threshold) }

    /// The delegation with which the top-level targets name the publisher.
    var delegation: Delegation {
        get throws(StoreError) {
            try .publisher(name, identifierPrefix: identifierPrefix, keys: roleKeys)
        }
    }

    /// The directory of the publisher's files in the directory that is served, such as `publishers/example`.
    var directory: String { "\(Publisher.directory)/\(name)" }

    /// The path of the publisher's index, which is the only file that the publisher's metadata lists.
    var indexPath: String { "\(directory)/\(StoreLayout.index)" }

    /// Returns whether a product's identifier, compared as UTF-8 bytes, begins with the publisher's prefix.
    func owns(_ productIdentifier: String) -> Bool { productIdentifier.utf8.starts(with: identifierPrefix.utf8) }

    /// Checks that a product's identifier begins with the publisher's prefix.
    ///
    /// - Throws: `publish.outside-prefix`.
    func check(_ productIdentifier: String) throws(StoreError) {
        guard owns(productIdentifier) else {
            throw StoreError(
                .productOutsidePrefix,
                [
                    "product": .untrusted(productIdentifier), "publisher": .untrusted(name),
                    "prefix": .untrusted(identifierPrefix),
                ])
        }
    }

    /// Returns whether a text has the form of a publisher's name.
    static func isName(_ text: String) -> Bool {
        (try? Delegation.publisher(text, identifierPrefix: "a.", keys: RoleKeys(keyIDs: [], threshold: 1))) != nil
    }
}
