public import FoundationEssentials
import StoreModel
import StoreSystem
public import StoreTrust

extension Storehouse {
    /// The result of changing the keys of a signed store.
    public struct RootChange: Sendable, Hashable {
        /// The version of the new root.
        public var version: Int
        /// The number of signatures that the new root has, of those that it needs; `nil` if it has enough.
        public var missing: Missing?

        /// The signatures of a new root that are missing.
        public struct Missing: Sendable, Hashable {
            /// The number of signatures so far.
            public var found: Int
            /// The number of signatures that are needed.
            public var threshold: Int
        }
    }

    /// Whether the publisher's store is signed.
    public var isSigned: Bool { get throws { try MetadataArchive.open(in: root) != nil } }

    /// Makes the store a signed one: generates a key for each role, and signs the first root.
    ///
    /// Clients see it after the next publication.
    ///
    /// - Returns: the fingerprint of the root.
    /// - Throws: `key.exists` if the store is signed already.
    public func makeKeys(_ keys: KeyRing, at time: Date) throws -> RootFingerprint {
        try locked {
            try requireNoPublisher()
            guard try MetadataArchive.open(in: root) == nil else {
                throw StoreError(.keysExist, ["path": .path(path)])
            }
            var content = RootContent(keys: [:])
            var rootKey: PrivateKey?
            for role in TopLevelRole.allCases {
                let key = try keys.makeKey()
                content.keys[role] = [key.publicKey]
                if role == .root { rootKey = key }
            }
            let archive = try MetadataArchive.create(in: root)
            var document = MetadataDocument.root(
                version: 1, expires: time + archive.lifetime(of: .root), content)
            try rootKey.map { try document.sign(by: $0) }
            try archive.store(document.bytes, of: .root, version: 1)
            return RootFingerprint(of: document.bytes)
        }
    }

    /// The newest root of a signed store, with the keys as clients will see them after the next publication.
    ///
    /// - Throws: `key.not-signed`.
    public func newestRoot() throws -> SignedMetadata<Root> { try archive().newestRoot() }

    /// The first root of a signed store; its fingerprint is what users compare when they add the store.
    ///
    /// - Throws: `key.not-signed`.
    public func firstRoot() throws -> SignedMetadata<Root> { try archive().firstRoot() }

    /// The keys that the store will have when all signatures are there; those of the newest root if none are missing.
    ///
    /// - Throws: `key.not-signed`.
    public func nextKeys() throws -> RootContent { try Self.nextKeys(archive()) }

    func archive() throws -> MetadataArchive {
        guard let archive = try MetadataArchive.open(in: root) else {
            try requireNoPublisher()
            throw StoreError(.keyStoreUnsigned, ["path": .path(path)])
        }
        return archive
    }

    private static func nextKeys(_ archive: MetadataArchive) throws -> RootContent {
        if let draft = try archive.draft(of: .root) {
            return RootContent(
                try SignedMetadata<Root>(parsing: draft.bytes, file: TopLevelRole.root.file).signed)
        }
        return RootContent(try archive.newestRoot().signed)
    }

    // MARK: Changes

    /// Adds a key to a role.
    ///
    /// - Parameter publicKey: the public key of a private one that is kept elsewhere; `nil` generates a key.
    /// - Returns: the public key, and the new root.
    /// - Throws: `key.not-signed`, then no key is generated; `key.exists` if the role has the public key already.
    public func addKey(
        to role: TopLevelRole, publicKey: PublicKey? = nil, keys: KeyRing, at time: Date
    ) throws -> (key: PublicKey, change: RootChange) {
        try locked {
            // Before a key is made, which would stay in the directory of the keys.
            let present = try Self.nextKeys(archive()).keys[role] ?? []
            if let publicKey, present.contains(publicKey) {
                throw StoreError(
                    .keyInRole, ["role": role.rawValue, "key": .untrusted(publicKey.identifier), "path": .path(path)])
            }
            let key = try publicKey ?? keys.makeKey().publicKey
            let change = try changeRoot(keys, at: time) { $0.keys[role, default: []].append(key) }
            return (key, change)
        }
    }

    /// Replaces all keys of a role by one new key each, with which the threshold stays the same.
    ///
    /// - Returns: the new public keys, and the new root.
    public func rotateKeys(
        of role: TopLevelRole, keys: KeyRing, at time: Date
    ) throws -> (keys: [PublicKey], change: RootChange) {
        try locked {
            let count = try Self.nextKeys(archive()).keys[role]?.count ?? 1
            let new = try (0..<max(count, 1)).map { _ in try keys.makeKey().publicKey }
            return (new, try changeRoot(keys, at: time) { $0.keys[role] = new })
        }
    }

    /// Takes a key from all roles that have it.
    ///
    /// - Parameter identifier: the identifier of the key, or the beginning of it.
    /// - Throws: `key.unknown`; `key.threshold` if too few keys remain.
    public func revokeKey(_ identifier: String, keys: KeyRing, at time: Date) throws -> RootChange {
        try locked {
            try changeRoot(keys, at: time) { content in
                let all = Set(content.keys.values.flatMap { $0 }.map(\.identifier))
                let matching = all.filter { !identifier.isEmpty && $0.hasPrefix(identifier.lowercased()) }
                guard let revoked = matching.first else {
                    throw StoreError(.keyNotInRoot, ["key": .untrusted(identifier), "path": .path(path)])
                }
                guard matching.count == 1 else { throw StoreError(.keyAmbiguous, ["key": .untrusted(identifier)]) }
                for role in TopLevelRole.allCases { content.keys[role]?.removeAll { $0.identifier == revoked } }
            }
        }
    }

    /// Sets how many of a role's keys have to sign.
    ///
    /// - Throws: `key.threshold`.
    public func setThreshold(
        _ threshold: Int, of role: TopLevelRole, keys: KeyRing, at time: Date
    ) throws -> RootChange {
        try locked { try changeRoot(keys, at: time) { $0.thresholds[role] = threshold } }
    }

    /// Signs a new root with the same keys, so that it expires later.
    public func renewRoot(keys: KeyRing, at time: Date) throws -> RootChange {
        try locked { try changeRoot(keys, at: time) { _ in } }
    }

    /// Sets for how many days the metadata of a role is valid; it counts for what is signed from now on.
    public func setLifetime(_ days: Int, of role: TopLevelRole) throws {
        try locked {
            var archive = try archive()
            try archive.setLifetime(days, of: role)
        }
    }

    /// Changes the content of the next root, and signs it with the keys at hand.
    ///
    /// The keys of the current root and those of the new one have to sign (section 6.1 of the specification).
    private func changeRoot(
        _ keys: KeyRing, at time: Date, _ change: (inout RootContent) throws -> Void
    ) throws -> RootChange {
        let archive = try archive()
        let current = try archive.newestRoot()
        var content = try Self.nextKeys(archive)
        try change(&content)
        for role in TopLevelRole.allCases {
            let count = Set(content.keys[role] ?? []).count
            guard count >= content.threshold(of: role), content.threshold(of: role) > 0 else {
                throw StoreError(
                    .keyThresholdTooHigh,
                    ["role": role.rawValue, "count": count, "threshold": content.threshold(of: role)])
            }
        }
        let version = current.signed.version + 1
        let document = MetadataDocument.root(version: version, expires: time + archive.lifetime(of: .root), content)
        return RootChange(version: version, missing: try signRoot(document, archive, keys))
    }

    /// Signs a new root as far as keys are at hand, and makes it the newest one if it has enough signatures.
    ///
    /// - Returns: the signatures that are missing; `nil` if there are enough.
    func signRoot(
        _ draft: MetadataDocument, _ archive: MetadataArchive, _ keys: KeyRing
    ) throws -> RootChange.Missing? {
        let current = try archive.newestRoot().signed
        let next = try SignedMetadata<Root>(parsing: draft.bytes, file: TopLevelRole.root.file).signed
        var document = draft
        var missing: RootChange.Missing?
        for root in [current, next] {
            let trusted = root.keys(of: .root)
            let found = try keys.sign(&document, by: trusted, of: root.keys)
            if found < trusted.threshold {
                missing = missing ?? RootChange.Missing(found: found, threshold: trusted.threshold)
            }
        }
        if missing == nil {
            try archive.store(document.bytes, of: .root, version: next.version)
        } else {
            try archive.store(draft: document, of: .root)
        }
        return missing
    }
}
