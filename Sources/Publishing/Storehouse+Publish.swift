public import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem

extension Storehouse {
    /// What a publication came to.
    public struct Published: Sendable, Hashable {
        /// Products that the catalogue lists, withdrawn ones too.
        public var products: Int
        /// False where clients see what they saw before.
        public var changed: Bool
        /// Files that were not there.
        public var filesAdded: Int
        /// Files that nothing has led to since the publication before.
        public var filesRemoved: Int
    }

    /// Makes everything that was added visible to clients, in one step.
    ///
    /// Whoever is reading the store meanwhile sees it as it was: its files stay until the publication after this one.
    ///
    /// - Parameter mirrors: addresses of folders that hold a copy of what is published, to which clients turn where this
    ///   store fails them; remembered for the next publications. `nil` leaves them as they were.
    /// - Throws: `publish.bad-mirror`; `publish.version-changed` where clients were already given a version with other contents;
    ///   `publish.store-damaged` where an object is not there any more.
    public func publish(mirrors: [URL]? = nil) throws -> Published {
        let bases = try mirrors?.map(Self.base)
        return try locked {
            var state = try state()
            if let bases, bases != state.mirrors ?? [] {
                state.mirrors = bases.isEmpty ? nil : bases
                try Self.write(state, to: root)
            }
            let publication = try Publication(state)
            let objects = try ObjectFolder(in: root)
            let folder = try PublicFolder(path: path + "/" + StoreLayout.published)
            let before = folder.published()
            try checkVersions(of: state, against: before)

            for document in publication.documents { _ = try objects.put(document.data, in: document.folder) }
            try objects.commit()
            var added = 0
            for file in publication.documents.map(\.file) + publication.files {
                guard try objects.has(file) else {
                    throw PublishingError(
                        .storeDamaged,
                        "'\(path)/\(StoreLayout.objects)/\(file.path)' is missing or damaged. Add its pack again.")
                }
                if try folder.add(file, from: objects) { added += 1 }
            }
            let changed = before?.index != publication.index
            if changed || added > 0 { try folder.replaceIndex(with: publication.index) }

            let removed = try folder.sweep(keeping: publication.paths.union(before?.paths ?? []))
            try objects.sweep(keeping: publication.paths.union(state.filesToKeep))
            return Published(
                products: publication.productCount, changed: changed, filesAdded: added, filesRemoved: removed)
        }
    }

    /// The address that a file's place is put behind.
    private static func base(_ url: URL) throws(PublishingError) -> String {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), !(url.host() ?? "").isEmpty,
            url.query == nil, url.fragment == nil, url.user == nil, url.password == nil
        else {
            throw PublishingError(
                .badMirror,
                "'\(url.absoluteString)' can't be a mirror. Give the http or https address of a folder with a copy of "
                    + "'public', without user, query or fragment.")
        }
        let text = url.absoluteString
        return text.hasSuffix("/") ? text : text + "/"
    }

    /// `add` refuses it too; here it is held against what clients were given, whatever became of the state.
    private func checkVersions(of state: PublishingState, against published: PublishedCatalogue?) throws {
        for product in state.products where !product.withdrawn {
            guard let before = published?.products[product.productIdentifier], let digest = before.resource?.sha256,
                before.version == product.current.version, digest != product.current.archive.sha256
            else { continue }
            throw PublishingError(
                .versionChanged,
                "'\(product.productIdentifier)' \(product.current.version) was published with other contents. Clients"
                    + " that have it would not learn of the change: add it with a higher version (--version).")
        }
    }
}

extension PublishingState {
    /// What a withdrawn product needs when it is offered again.
    fileprivate var filesToKeep: Set<String> { Set(products.flatMap { $0.current.files.map(\.path) }) }
}
