import StoreModel
import StoreSystem
public import StoreTrust

/// The publisher: a directory of their own, in which they add packs, publish and sign as in a store.
extension Storehouse {
    /// Creates the directory of a publisher of a store that someone else owns.
    ///
    /// `public` in it has the layout of the store's: `publishers/NAME/catalogue.json` with the publisher's files, and
    /// `metadata/N.NAME.json`.
    ///
    /// - Parameters:
    ///   - path: the path of the directory, which is created if it is missing.
    ///   - publisher: makes the publisher's keys and description; it is called when the directory is found to be empty.
    /// - Throws: `publish.not-empty`; an error of `publisher`.
    public static func createPublisher(at path: String, _ publisher: () throws -> StorePublisher) throws {
        guard try create(at: path, PublishingState(publisher: publisher())) else {
            throw StoreError(.storeDirectoryNotEmpty, ["path": .path(path), "entry": StoreLayout.state])
        }
    }

    /// The publisher whose directory this is.
    ///
    /// - Throws: `publish.publisher-directory` if it is a store.
    public func publisher() throws -> StorePublisher {
        guard let publisher = try state().publisher else {
            throw StoreError(.storeIsNoPublishers, ["path": .path(path)])
        }
        return publisher
    }

    /// Replaces the publisher's keys; the next publication is signed with the new ones.
    ///
    /// The store's owner has to name them in the store's table as well.
    ///
    /// - Parameters:
    ///   - publicKeys: the new keys; empty to generate as many as there were, but no fewer than have to sign.
    ///   - threshold: the number of keys that have to sign; `nil` keeps it.
    /// - Returns: the new public keys.
    /// - Throws: `publish.publisher-directory`; `key.threshold`.
    public func replacePublisherKeys(
        _ publicKeys: [PublicKey] = [], threshold: Int? = nil, keys: KeyRing
    ) throws -> [PublicKey] {
        let before = try publisher()
        let threshold = threshold ?? before.threshold
        let new = try publicKeys.isEmpty ? keys.makeKeys(max(before.keys.count, threshold)) : publicKeys
        let changed = try StorePublisher(
            name: before.name, identifierPrefix: before.identifierPrefix, keys: new, threshold: threshold)
        try change { $0.publisher = changed }
        return new
    }
}

extension KeyRing {
    /// Generates private keys in the directory of keys, and returns the public ones.
    public func makeKeys(_ count: Int) throws -> [PublicKey] { try (0..<count).map { _ in try makeKey().publicKey } }
}
