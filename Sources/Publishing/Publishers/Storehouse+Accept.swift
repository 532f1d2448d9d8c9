public import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust

extension Storehouse {
    /// The result of accepting what a publisher has published.
    public struct Accepted: Sendable, Hashable {
        /// The name of the publisher.
        public var publisher: String
        /// The version of the publisher's metadata.
        public var version: Int
        /// Whether the metadata is newer than what was accepted before.
        public var isNew: Bool
        /// The number of products that the publisher offers.
        public var products: Int
        /// The number of files that were copied.
        public var filesAdded: Int
        /// The number of files that were removed, to which neither this nor the previous catalogue refers.
        public var filesRemoved: Int
        /// The metadata files of the store that were signed.
        public var signed: [SignedFile]
        /// The dates on which the published metadata files expire.
        public var expiries: [Expiry]
    }

    /// Verifies what a publisher has published, takes it over, and shows it to clients.
    ///
    /// The keys of snapshot and timestamp suffice: the publisher's keys have signed the catalogue, and those of the
    /// targets the table of publishers. After an interrupted call, clients see what they saw before, and the same call
    /// completes it.
    ///
    /// - Parameters:
    ///   - folder: the path of the publisher's directory, or of a copy of its `public`.
    ///   - keys: the keys that sign.
    ///   - time: the time from which the signed metadata is valid.
    /// - Throws: `publish.no-publication`; `trust.unknown-publisher`; `trust.signature`; `trust.expired`;
    ///   `trust.rollback`; `trust.publisher-scope`; `publish.bad-publication`; `publish.version-changed` if a version of a
    ///   product, or of the metadata, had other contents before; `key.missing-signatures`.
    public func accept(_ folder: String, keys: KeyRing, at time: Date) throws -> Accepted {
        try locked {
            let archive = try archive()
            let handed = try HandedPublication(path: folder)
            let publicDirectory = try PublicDirectory(path: publicPath)
            let targets = try publishedTargets(archive, publicDirectory, publicDirectory.servedMetadata())
            try requireInTable(handed.name, targets.signed)
            let verified = try handed.verified(against: targets.signed, at: time)
            let isNew = try checkVersion(of: handed.metadata, archive)

            let ownDirectory = try PublicDirectory(path: "\(publicPath)/\(Publisher.directory)/\(handed.name)")
            let before = try ownDirectory.published()
            try check(verified, against: before)
            var added = 0
            for file in verified.files where try handed.copy(file, to: ownDirectory) { added += 1 }
            let name = PublicDirectory.indexName(SHA256Digest(of: verified.index))
            try ownDirectory.write(verified.index, as: name, to: ownDirectory.directory)
            try ownDirectory.directory.syncFileSystem()
            try archive.store(
                handed.metadata.bytes, of: SignedRole(publisher: handed.name), version: handed.metadata.signed.version)

            let signed = try publishRenewed(archive, keys, at: time)
            // Last, so that a call that is interrupted before still knows which files clients may be reading.
            if before?.index != verified.index { try ownDirectory.replaceIndex(with: verified.index) }
            let kept = Set(verified.files.map(\.path)).union(before?.paths ?? [])
            var removed = try ownDirectory.sweep(keeping: kept)
            let indexes =
                [name] + [before].compactMap { $0.map { PublicDirectory.indexName(SHA256Digest(of: $0.index)) } }
            for entry in try ownDirectory.directory.entries()
            where StoreLayout.isObjectName(entry.name) && !indexes.contains(entry.name) {
                try ownDirectory.directory.remove(entry.name)
                removed += 1
            }
            if let missing = signed.waiting.first { throw missing.error(storePath: path) }
            return Accepted(
                publisher: handed.name, version: handed.metadata.signed.version, isNew: isNew,
                products: verified.products.count { !$0.withdrawn }, filesAdded: added, filesRemoved: removed,
                signed: signed.renewed, expiries: signed.expiries)
        }
    }

    private func requireInTable(_ name: String, _ targets: Targets) throws {
        if targets.delegations.contains(where: { $0.role == name }) { return }
        let isWaiting = try state().publishers?.contains { $0.name == name } == true
        throw StoreError(
            isWaiting ? .publisherNotSigned : .publisherNotInTable,
            ["publisher": .untrusted(name), "path": .path(path)])
    }

    /// Checks that metadata of a publisher is not older than what clients have seen.
    ///
    /// - Returns: whether it is newer than what was accepted before.
    private func checkVersion(of metadata: SignedMetadata<Targets>, _ archive: MetadataArchive) throws -> Bool {
        let role = SignedRole(publisher: String(metadata.file.dropLast(".json".count)))
        let accepted: SignedMetadata<Targets>? = try archive.metadata(role)
        let snapshot: SignedMetadata<Snapshot>? = try archive.metadata(.snapshot)
        let version = metadata.signed.version
        let seen = max(accepted?.signed.version ?? 0, snapshot?.signed.files[metadata.file]?.version ?? 0)
        guard version >= seen else {
            throw StoreError(.trustOlder, ["file": .untrusted(metadata.file), "found": version, "trusted": seen])
        }
        guard version == seen else { return true }
        guard accepted?.bytes == metadata.bytes else {
            throw StoreError(.publicationVersionUsed, ["file": .untrusted(metadata.file), "version": version])
        }
        return false
    }

    /// Checks that no version of a product has other contents than before.
    private func check(_ verified: HandedPublication.Verified, against before: PublishedCatalogue?) throws {
        for item in verified.products {
            guard let version = item.version, let digest = item.resource?.sha256,
                let known = before?.products[item.productIdentifier], known.version == version,
                let previous = known.resource?.sha256, previous != digest
            else { continue }
            throw StoreError(
                .publishedVersionChanged,
                ["product": .untrusted(item.productIdentifier), "version": .untrusted(version.text)])
        }
    }

    /// Returns the top-level targets as they are published.
    private func publishedTargets(
        _ archive: MetadataArchive, _ publicDirectory: PublicDirectory, _ served: PublicDirectory.ServedMetadata
    ) throws -> SignedMetadata<Targets> {
        let newest: SignedMetadata<Targets>? = try archive.metadata(.targets)
        // A publication that failed for want of a key may have signed targets whose index and files are not served.
        guard let newest, let targets = try publicDirectory.servesIndex(of: newest) ? newest : served.targets else {
            throw StoreError(.keyNothingPublished, ["path": .path(path)])
        }
        return targets
    }

    /// Signs snapshot and timestamp where that is needed for the targets as they are published, and publishes them.
    func publishRenewed(_ archive: MetadataArchive, _ keys: KeyRing, at time: Date) throws -> MetadataSigner.Signed {
        let publicDirectory = try PublicDirectory(path: publicPath)
        let previous = publicDirectory.servedMetadata()
        let targets = try publishedTargets(archive, publicDirectory, previous)
        var signer = MetadataSigner(archive, keys: keys, at: time, storePath: path)
        let signed = try signer.renew(targets)
        if try !publicDirectory.serves(signed) {
            // The index is served under its hash since its publication.
            try publicDirectory.prepare(signed, index: nil)
            try publicDirectory.reveal(signed)
            try publicDirectory.sweepMetadata(keeping: signed, previous)
        }
        return signed
    }
}
