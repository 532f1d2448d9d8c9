public import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTrust

extension Storehouse {
    /// The result of publishing a store: numbers of products and files, and whether the catalogue changed.
    public struct Published: Sendable, Hashable {
        /// The number of products that the published catalogue offers.
        public var products: Int
        /// The number of products in the published catalogue that were withdrawn, and are not offered any more.
        public var withdrawn: Int
        /// Whether clients see another catalogue, or other signed metadata, after the publication than before.
        public var changed: Bool
        /// The number of files that the publication added to the public directory.
        public var filesAdded: Int
        /// The number of files that the publication removed from the public directory.
        ///
        /// Neither this publication nor the previous one refers to them.
        public var filesRemoved: Int
        /// The metadata files that the publication signed; empty for a store that is not signed.
        public var signed: [SignedFile] = []
        /// The metadata files that expire soon, and for whose successors signatures are missing.
        public var waiting: [SignedFile] = []
        /// The dates on which the published metadata files expire; empty for a store that is not signed.
        ///
        /// Clients accept nothing from a store of which one has expired.
        public var expiries: [Expiry] = []
    }

    /// Publishes the store: makes all added packs visible to clients, atomically.
    ///
    /// A client that reads the store meanwhile sees the previous catalogue, whose files stay until the next
    /// publication.
    ///
    /// - Parameter mirrors: the URLs of copies of the public directory, for the failover of clients; stored for later
    ///   publications. `nil` keeps the stored ones.
    /// - Throws: `publish.bad-mirror`; `publish.version-changed` if a version was published with other contents;
    ///   `catalogue.too-large` if clients would refuse the catalogue; `publish.store-damaged` if an object is missing.
    public func publish(mirrors: [URL]? = nil) throws -> Published {
        try publish(mirrors: mirrors, keys: KeyRing(), at: Date())
    }

    /// Publishes the store as ``publish(mirrors:)`` does; the metadata of a signed store is part of the publication.
    ///
    /// - Parameters:
    ///   - mirrors: the URLs of copies of the public directory; `nil` keeps the stored ones.
    ///   - keys: the keys that sign.
    ///   - time: the time from which the signed metadata is valid.
    /// - Throws: also `key.missing-signatures`; clients then see what they saw before.
    public func publish(mirrors: [URL]? = nil, keys: KeyRing, at time: Date) throws -> Published {
        let bases = try mirrors?.map(Self.base)
        return try locked {
            var state = try state()
            let hasNewMirrors = bases.map { $0 != state.mirrors ?? [] } ?? false
            if let bases, hasNewMirrors { state.mirrors = bases.isEmpty ? nil : bases }
            let publication = try Publication(state)
            try publication.checkCatalogue(at: URL(filePath: publicPath).appending(path: StoreLayout.index))
            if hasNewMirrors { try Self.write(state, to: root) }
            let objects = try ObjectStore(in: root)
            let publicDirectory = try publicDirectory(of: state)
            let before = try publicDirectory.published()
            let pathsInUse = try publicDirectory.pathsInUse(before)
            try checkVersions(of: state, against: before)

            for document in publication.documents { _ = try objects.put(document.data, in: document.directory) }
            try objects.commit()
            let files = publication.documents.map(\.file) + publication.files
            for file in files where try !objects.has(file) {
                throw StoreError(.storeObjectDamaged, ["path": .path("\(path)/\(StoreLayout.objects)/\(file.path)")])
            }
            var added: [StoredFile] = []
            let signature: PublicationSignature
            do {
                for file in files where try publicDirectory.add(file, from: objects) { added.append(file) }
                signature = try self.signature(of: publication, state, keys, at: time)
            } catch {
                // A key, its passphrase or a signature is missing, or the disk is full: clients go on seeing `before`.
                publicDirectory.remove(added.filter { !pathsInUse.contains($0.path) })
                throw error
            }
            let changed = before?.index != publication.index
            let revealed = try reveal(signature, of: publication) {
                if changed || !added.isEmpty { try publicDirectory.replaceIndex(with: publication.index) }
            }

            let removed = try publicDirectory.sweep(keeping: publication.paths.union(pathsInUse))
            try objects.sweep(keeping: publication.paths.union(state.filesToKeep))
            return Published(
                products: publication.offeredCount, withdrawn: publication.withdrawnCount,
                changed: changed || revealed, filesAdded: added.count, filesRemoved: removed, signed: signature.renewed,
                waiting: signature.waiting, expiries: signature.expiries)
        }
    }

    /// Returns the directory of the files that clients fetch: `public`, or the publisher's directory beneath it.
    func publicDirectory(of state: PublishingState) throws -> PublicDirectory {
        guard let publisher = state.publisher else { return try PublicDirectory(path: publicPath) }
        return try PublicDirectory(path: "\(publicPath)/\(publisher.directory)")
    }

    /// Signs the metadata with which clients verify a publication, if the store is signed; clients don't see it yet.
    private func signature(
        of publication: Publication, _ state: PublishingState, _ keys: KeyRing, at time: Date
    ) throws -> PublicationSignature {
        if let publisher = state.publisher {
            var signer = MetadataSigner(try MetadataArchive.create(in: root), keys: keys, at: time, storePath: path)
            return .publisher(try signer.sign(index: publication.index, by: publisher))
        }
        guard let archive = try MetadataArchive.open(in: root) else { return .unsigned }
        var signer = MetadataSigner(archive, keys: keys, at: time, storePath: path)
        return .store(try signer.sign(index: publication.index, publishers: state.publishers ?? []))
    }

    /// Shows a publication to clients: writes its metadata, and the index.
    ///
    /// - Parameter replaceIndex: publishes the index, after what signed metadata will refer to.
    /// - Returns: whether the metadata is other than what was served before.
    private func reveal(
        _ signature: PublicationSignature, of publication: Publication, replaceIndex: () throws -> Void
    ) throws -> Bool {
        switch signature {
        case .unsigned:
            try replaceIndex()
            return false
        case .store(let signed):
            let publicDirectory = try PublicDirectory(path: publicPath)
            let served = publicDirectory.servedMetadata()
            try publicDirectory.prepare(signed, index: publication.index)
            try replaceIndex()
            let isNew = try !publicDirectory.serves(signed)
            if isNew { try publicDirectory.reveal(signed) }
            try publicDirectory.sweepMetadata(keeping: signed, served)
            return isNew
        case .publisher(let signed):
            // The store's owner shows it to clients.
            try replaceIndex()
            let metadata = try Directory.create(publicPath, mode: 0o755)
                .createDirectory(StoreLayout.metadata, mode: 0o755)
            let name = PublicDirectory.name(signed.targets)
            let isNew = try metadata.status(of: name) == nil
            try metadata.replace(name, with: signed.targets.bytes, mode: 0o644)
            for entry in try metadata.entries() where entry.name != name { try metadata.removeTree(entry.name) }
            return isNew
        }
    }

    /// Returns a mirror's URL as text with a slash at its end, to which the paths of files are appended.
    ///
    /// - Throws: `publish.bad-mirror`.
    private static func base(_ url: URL) throws(StoreError) -> String {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), !(url.host() ?? "").isEmpty,
            url.query == nil, url.fragment == nil, url.user == nil, url.password == nil
        else {
            throw StoreError(.mirrorInvalid, ["url": url])
        }
        let text = url.absoluteString
        return text.hasSuffix("/") ? text : text + "/"
    }

    /// Checks that no published version of a product changed its contents.
    ///
    /// ``add(_:options:time:)`` checks new versions against the state; this check also works when the state was lost.
    private func checkVersions(of state: PublishingState, against published: PublishedCatalogue?) throws {
        for product in state.products where !product.withdrawn {
            guard let before = published?.products[product.productIdentifier], let digest = before.resource?.sha256,
                before.version == product.current.version, digest != product.current.archive.sha256
            else { continue }
            throw StoreError(
                .publishedVersionChanged,
                ["product": product.productIdentifier, "version": product.current.version.text])
        }
    }
}

extension PublishingState {
    /// The paths of the files of all products in the publisher's private directory that must be kept.
    ///
    /// Those that a withdrawn product needs when it is offered again are included.
    fileprivate var filesToKeep: Set<String> { Set(products.flatMap { $0.current.files.map(\.path) }) }
}
