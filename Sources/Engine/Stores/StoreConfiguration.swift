import FoundationEssentials
import StoreModel

/// A store as the user added it: its entry in `stores.json`.
struct StoreConfiguration: Sendable, Hashable, Codable {
    var name: String
    var url: URL
    var unsigned: Bool
    var priority: Int
    /// Whether user and password for the store are read from the user's `.netrc` file; `false` if `nil`.
    var netrc: Bool?
    /// Whether the store was at a local address when it was added (``StoreScope``); `nil` in older lists, where its URL
    /// decides.
    var local: Bool?
    /// The fingerprint of the root with which a signed store was added; `nil` for an unsigned store.
    var root: String?
    /// The fingerprints of the roots with which the store was added before; `nil` if there are none.
    var formerRoots: [String]?

    /// The keys by which references in messages name the store; the first is that of new references.
    ///
    /// The others are those of references that were made when the store had another key: with another root, or before it
    /// was signed.
    var keys: [StoreKey] {
        let roots =
            unsigned ? [] : ([root].compactMap(\.self) + (formerRoots ?? [])).compactMap(SHA256Digest.init(hex:))
        return roots.map(StoreKey.root) + [StoreKey(address: url)]
    }

    /// The maximum number of former roots; the oldest are dropped.
    private static let maximumFormerRoots = 8

    /// Adds the roots of the store's previous configuration to the former roots, except the present root.
    mutating func keepRoots(of previous: StoreConfiguration?) {
        var former = previous?.formerRoots ?? []
        if let root = previous?.root { former.insert(root, at: 0) }
        former.removeAll { $0 == root }
        formerRoots = former.isEmpty ? nil : Array(former.prefix(Self.maximumFormerRoots))
    }

    /// Returns the configuration of a store after checking that its name and URL are valid.
    ///
    /// - Throws: `store.bad-name`, `store.bad-address`.
    static func checked(name: String, url: URL, unsigned: Bool, priority: Int) throws(StoreError) -> StoreConfiguration
    {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
        guard !name.isEmpty, name.count <= 64, name.allSatisfy(allowed.contains), !name.hasPrefix("."),
            !name.hasPrefix("-"),
            name != Receipt.localFiles
        else {
            throw StoreError(.invalidStoreName, ["store": .untrusted(name)])
        }
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw StoreError(.invalidStoreAddress, ["url": url])
        }
        return StoreConfiguration(name: name, url: url, unsigned: unsigned, priority: priority)
    }
}
