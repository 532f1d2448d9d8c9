public import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust

/// The root with which a user adds a signed store.
public enum StoreRoot: Sendable {
    /// The bytes of the root, from a file of the user.
    case data(Data)
    /// The URL of the root, which need not be on the store's server.
    case url(URL)
    /// The first root on the store's server, which is only accepted with its fingerprint.
    case offered
}

/// The directory `trust` of the data directory, with what is trusted of each signed store.
struct StoreTrusts: Sendable {
    let directory: Directory

    /// The beginning of the name under which the trust in a store is prepared; no store's name begins like this.
    private static let prepared = ".new-"

    /// Opens what is trusted of a store; `nil` if the store is unsigned.
    ///
    /// Where nothing is left of it, each refresh ends with `trust.no-root`.
    func state(of store: StoreConfiguration) throws -> StoreTrustState? {
        guard !store.unsigned else { return nil }
        return try StoreTrustState(directory.createDirectory(store.name), fingerprint: store.root ?? "")
    }

    /// Removes the trust in stores that are not signed ones of the list, which a crash left.
    func removeLeftovers(exceptOf stores: [StoreConfiguration]) {
        let wanted = Set(stores.filter { !$0.unsigned }.map(\.name))
        for entry in (try? directory.entries()) ?? [] where !wanted.contains(entry.name) {
            try? directory.removeTree(entry.name)
        }
    }

    /// Removes what is trusted of a store.
    func remove(_ store: String) { try? directory.removeTree(store) }

    /// The trust in a store that is being added, which is not in its place yet.
    struct Prepared {
        let state: StoreTrustState
        let store: String
        let directory: Directory

        private var name: String { StoreTrusts.prepared + store }

        /// Puts the trust in its place, and what was there before aside.
        func commit() throws {
            if try directory.status(of: store) == nil {
                try directory.rename(name, to: directory, as: store)
            } else if try !directory.exchange(name, with: directory, store) {
                try directory.removeTree(store)
                try directory.rename(name, to: directory, as: store)
            }
        }

        /// Puts back what was in its place before.
        func revert() {
            if (try? directory.status(of: name)) ?? nil != nil {
                _ = try? directory.exchange(name, with: directory, store)
            } else {
                try? directory.rename(store, to: directory, as: name)
            }
        }

        /// Removes what is not in its place: what was prepared, or what was there before.
        func clean() { try? directory.removeTree(name) }
    }

    /// Prepares the trust in a root for a store.
    ///
    /// Metadata that was verified for the store before is taken over: what the keys of the new root have signed, too,
    /// goes on to prevent that older metadata is accepted.
    ///
    /// - Throws: `trust.malformed`, `trust.unsupported` or `trust.signature` if the root is not valid; a file error.
    func prepare(_ root: Data, for store: String) throws -> Prepared {
        let name = Self.prepared + store
        try directory.removeTree(name)
        let new = try directory.createDirectory(name)
        do {
            let state = try StoreTrustState(new, fingerprint: "\(RootFingerprint(of: root))")
            try state.metadata.initialize(root: root)
            if let old = try? directory.openDirectory(store + "/metadata") {
                let metadata = try new.openDirectory("metadata")
                for role in [TopLevelRole.timestamp, .snapshot, .targets] {
                    guard let data = try? old.read(role.file, limit: TrustLimits().targetsLength) else { continue }
                    try metadata.replace(role.file, with: data)
                }
            }
            return Prepared(state: state, store: store, directory: directory)
        } catch {
            try? directory.removeTree(name)
            throw error
        }
    }
}
