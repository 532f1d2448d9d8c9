public import FoundationEssentials
public import StoreModel
import StoreSystem
public import StoreTrust

/// The store's owner: the table of publishers, which the top-level targets sign with the next publication.
extension Storehouse {
    /// A publisher in the list that the owner's tool prints.
    public struct ListedPublisher: Sendable, Hashable, Codable {
        /// The name of the publisher.
        public var name: String
        /// The beginning of the identifiers of the publisher's products.
        public var identifierPrefix: String
        /// The identifiers of the publisher's keys.
        public var keyIDs: [String]
        /// The number of keys that have to sign.
        public var threshold: Int
        /// Whether the signed metadata names the publisher with these keys.
        public var isSigned: Bool
        /// The version of the metadata that was accepted from the publisher; `nil` if there is none.
        @OrNull public var version: Int?
        /// The date on which the accepted metadata expires.
        @OrNull public var expires: Date?
        /// Whether the publisher's present keys have signed the accepted metadata.
        public var isVerified: Bool
    }

    /// Adds a publisher to the store's table.
    ///
    /// Clients see it from the next publication on, which needs the keys of the targets.
    ///
    /// - Throws: `key.not-signed`; `publish.publisher-exists`; `trust.publishers` if the prefix overlaps with another
    ///   publisher's; `publish.outside-prefix` if the store itself offers a product within the prefix.
    public func addPublisher(_ publisher: StorePublisher) throws {
        _ = try archive()
        try change { state in
            guard state.publishers?.contains(where: { $0.name == publisher.name }) != true else {
                throw StoreError(.publisherNameTaken, ["publisher": .untrusted(publisher.name), "path": .path(path)])
            }
            if let product = state.products.first(where: { !$0.withdrawn && publisher.owns($0.productIdentifier) }) {
                throw StoreError(
                    .productOfOwner,
                    ["product": product.productIdentifier, "prefix": .untrusted(publisher.identifierPrefix)])
            }
            let publishers = (state.publishers ?? []) + [publisher]
            _ = try PublisherTable(delegations: publishers.map { try $0.delegation }, files: [])
            state.publishers = publishers
        }
    }

    /// Replaces the keys of a publisher.
    ///
    /// After the next publication, clients refuse what the previous keys have signed.
    ///
    /// - Parameters:
    ///   - keys: the new keys; empty to keep them.
    ///   - threshold: the number of keys that have to sign; `nil` keeps it.
    /// - Throws: `trust.unknown-publisher`; `key.threshold`.
    public func changePublisher(_ name: String, keys: [PublicKey] = [], threshold: Int? = nil) throws {
        try changePublishers { publishers in
            let index = try position(of: name, in: publishers)
            let before = publishers[index]
            publishers[index] = try StorePublisher(
                name: name, identifierPrefix: before.identifierPrefix, keys: keys.isEmpty ? before.publicKeys : keys,
                threshold: threshold ?? before.threshold)
        }
    }

    /// Removes a publisher from the store's table; clients see its products no longer after the next publication.
    ///
    /// - Throws: `trust.unknown-publisher`.
    public func removePublisher(_ name: String) throws {
        try changePublishers { $0.remove(at: try position(of: name, in: $0)) }
    }

    private func changePublishers(_ body: (inout [StorePublisher]) throws -> Void) throws {
        _ = try archive()
        try change { state in
            var publishers = state.publishers ?? []
            try body(&publishers)
            state.publishers = publishers
        }
    }

    private func position(of name: String, in publishers: [StorePublisher]) throws -> Int {
        guard let index = publishers.firstIndex(where: { $0.name == name }) else {
            throw StoreError(.publisherNotInTable, ["publisher": .untrusted(name), "path": .path(path)])
        }
        return index
    }

    /// Returns the publishers of the store, in the order in which they were added.
    ///
    /// - Throws: `key.not-signed`.
    public func publishers() throws -> [ListedPublisher] {
        let archive = try archive()
        let targets: SignedMetadata<Targets>? = try archive.metadata(.targets)
        return try (state().publishers ?? []).map { publisher in
            let signed = targets?.signed.delegations.first { $0.role == publisher.name }
            let metadata: SignedMetadata<Targets>? = try archive.metadata(SignedRole(publisher: publisher.name))
            let keys = Dictionary(publisher.publicKeys.map { ($0.identifier, $0) }) { first, _ in first }
            let isVerified = (try? metadata?.verify(by: publisher.roleKeys, of: keys)) != nil
            return ListedPublisher(
                name: publisher.name, identifierPrefix: publisher.identifierPrefix, keyIDs: publisher.roleKeys.keyIDs,
                threshold: publisher.threshold,
                isSigned: signed?.keys == publisher.roleKeys && signed?.identifierPrefix == publisher.identifierPrefix,
                version: metadata?.signed.version, expires: metadata?.signed.expires, isVerified: isVerified)
        }
    }

    /// Checks that this is a store's directory, and not a publisher's.
    ///
    /// - Throws: `publish.publisher-directory`.
    func requireNoPublisher() throws {
        guard let publisher = try state().publisher else { return }
        throw StoreError(.storeIsPublishers, ["path": .path(path), "publisher": .untrusted(publisher.name)])
    }
}

extension PublishingState {
    /// Checks that the owner of this directory may offer a product.
    ///
    /// - Throws: `publish.outside-prefix`.
    func checkOwner(of productIdentifier: String) throws(StoreError) {
        try publisher?.check(productIdentifier)
        guard let other = publishers?.first(where: { $0.owns(productIdentifier) }) else { return }
        throw StoreError(
            .productOfPublisher,
            [
                "product": .untrusted(productIdentifier), "publisher": .untrusted(other.name),
                "prefix": .untrusted(other.identifierPrefix),
            ])
    }
}
