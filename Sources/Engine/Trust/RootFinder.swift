import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreTrust

/// A finder of the root with which a signed store is added: from a file, a URL, or the store's server.
struct RootFinder: Sendable {
    let store: String
    let location: StoreLocation
    /// Fetches over the network, with the credentials of the store.
    let documents: any DocumentFetching

    /// Returns the root of a store, after the check of its fingerprint.
    ///
    /// - Parameter fingerprint: the fingerprint that the user has stated; `nil` accepts the root as it is.
    /// - Throws: `trust.fingerprint`; `trust.no-root` if there is none at the URL; `trust.too-large`; an error of the
    ///   network.
    func root(_ root: StoreRoot, fingerprint: String?) async throws -> Data {
        let expected = try fingerprint.map { text in
            guard let fingerprint = RootFingerprint(parsing: text) else {
                throw StoreError(.trustFingerprintInvalid, ["fingerprint": .untrusted(text)])
            }
            return fingerprint
        }
        let limit = TrustLimits().rootLength
        let data: Data
        let name: String
        switch root {
        case .data(let bytes): (data, name) = (bytes, TopLevelRole.root.file)
        case .url(let url): (data, name) = (try await fetch(url, limit: limit), url.withoutSecrets)
        case .offered:
            guard let url = location.metadata(StoreLocation.firstRoot) else {
                throw StoreError(.trustRootNotFound, ["url": "\(StoreLocation.firstRoot)"])
            }
            (data, name) = (try await fetch(url, limit: limit), url.withoutSecrets)
        }
        guard data.count <= limit else { throw StoreError(.trustRootTooLong, ["limit": .bytes(limit)]) }
        if let expected, RootFingerprint(of: data) != expected {
            throw StoreError(
                .trustFingerprintDiffers,
                ["root": "\(name)", "found": "\(RootFingerprint(of: data))", "expected": "\(expected)"])
        }
        return data
    }

    /// Returns the error for a store that was added without a root: of a signed store with the fingerprint of the root
    /// that its server has, which the user may confirm.
    ///
    /// - Returns: `nil` if the store has no signed metadata.
    func rootNeeded() async throws -> StoreError? {
        do {
            let root = try await root(.offered, fingerprint: nil)
            _ = try MetadataUpdate(root: root, at: .distantPast)
            return StoreError(
                .trustRootRequired, ["store": store, "fingerprint": "\(RootFingerprint(of: root))"])
        } catch let error as StoreError where [.trustNoRoot, .trustMalformed, .trustTooLarge].contains(error.code) {
            // Some servers send a page for every path.
            return nil
        } catch let error as StoreError where error.template == .transferAccessRefused {
            // Servers of object storage answer 403 for a file that does not exist.
            return nil
        }
    }

    private func fetch(_ url: URL, limit: Int) async throws -> Data {
        switch try await documents.fetch(url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: limit) {
        case .document(let data, _, _, _): return data
        case .tooLarge: throw StoreError(.trustRootTooLong, ["limit": .bytes(limit)])
        case .missing, .notModified: throw StoreError(.trustRootNotFound, ["url": url])
        }
    }
}
