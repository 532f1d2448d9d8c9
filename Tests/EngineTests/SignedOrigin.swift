import FoundationEssentials
import StoreEngine
import StoreModel
import StoreTestSupport
import StoreTrust
import Synchronization

/// A signed store of format 2 on a server, with publishers, which tests change as its owner or as an attacker would.
final class SignedOrigin: Sendable {
    /// A product of the store, whose archive is a pack of one file.
    struct Product: Sendable {
        var identifier: String
        var version = "1"
        var publisher: String?
        /// The file `1.png` of the archive; `nil` for a file of text.
        var image: Data?
    }

    /// What the store publishes next.
    struct Content: Sendable {
        var products: [Product] = [Product(identifier: "org.shop.cups")]
        /// The identifier prefixes of the publishers, by name.
        var publishers: [String: String] = [:]
        var rootVersion = 1
        /// The version of targets, snapshot and timestamp, which are published together.
        var version = 0
        var lifetime: TimeInterval = 86_400
        var date = Date()
        var keys: [TopLevelRole: PrivateKey] = [:]
        var publisherKeys: [String: PrivateKey] = [:]
        /// Whether a publisher's metadata is signed by a key that is not theirs.
        var forged: Set<String> = []
        /// The publishers of whom no publication was accepted yet.
        var unaccepted: Set<String> = []
    }

    let origin: Origin
    private let lastIndexPath = Mutex("")
    /// The path of the index of the store's own catalogue, which has its hash.
    var indexPath: String { lastIndexPath.withLock { $0 } }
    private let content: Mutex<Content>
    /// The first root, as the publisher hands it to users.
    let root: Data
    var fingerprint: String { "\(RootFingerprint(of: root))" }

    init(_ change: (inout Content) -> Void = { _ in }) throws {
        origin = try Origin()
        var content = Content()
        for role in TopLevelRole.allCases { content.keys[role] = PrivateKey() }
        change(&content)
        let signed = try Self.signedRoot(content, by: [content.keys[.root]])
        root = signed
        self.content = Mutex(content)
        origin.serve("/metadata/1.root.json", Array(signed))
        try publish()
    }

    private static func signedRoot(_ content: Content, by signers: [PrivateKey?]) throws -> Data {
        let keys = RootContent(keys: content.keys.mapValues { [$0.publicKey] })
        var document = MetadataDocument.root(
            version: content.rootVersion, expires: content.date + 365 * 86_400, keys)
        for case let key? in signers { try document.sign(by: key) }
        return document.bytes
    }

    /// Replaces the key of a role by a new root, and returns that.
    @discardableResult
    func rotate(_ role: TopLevelRole) throws -> Data {
        try content.withLock { content in
            let old = content.keys[.root]
            content.rootVersion += 1
            content.keys[role] = PrivateKey()
            let root = try Self.signedRoot(content, by: [old, content.keys[.root]])
            origin.serve("/metadata/\(content.rootVersion).root.json", Array(root))
            return root
        }
    }

    /// Publishes the next version of everything.
    func publish(_ change: (inout Content) -> Void = { _ in }) throws {
        let content = content.withLock { content in
            change(&content)
            content.version += 1
            for name in content.publishers.keys where content.publisherKeys[name] == nil {
                content.publisherKeys[name] = PrivateKey()
            }
            return content
        }
        let expires = content.date + content.lifetime
        var roles: [SignedMetadata<Targets>] = []
        var delegations: [Delegation] = []
        var keys: [String: PublicKey] = [:]
        for (name, prefix) in content.publishers.sorted(by: { $0.key < $1.key }) {
            guard let key = content.publisherKeys[name] else { continue }
            keys[key.publicKey.identifier] = key.publicKey
            delegations.append(
                try .publisher(
                    name, identifierPrefix: prefix, keys: RoleKeys(keyIDs: [key.publicKey.identifier], threshold: 1)))
            if content.unaccepted.contains(name) { continue }
            let index = serveCatalogue(content.products.filter { $0.publisher == name }, in: "publishers/\(name)/")
            var document = MetadataDocument.targets(
                version: content.version, expires: expires, files: ["publishers/\(name)/catalogue.json": index])
            try document.sign(by: content.forged.contains(name) ? PrivateKey() : key)
            serve(document, "\(content.version).\(name).json")
            roles.append(try SignedMetadata(parsing: document.bytes, file: name + ".json"))
        }
        let index = serveCatalogue(content.products.filter { $0.publisher == nil }, in: "")
        lastIndexPath.withLock { $0 = "/\(SHA256Digest(of: index).hex).catalogue.json" }
        var targets = MetadataDocument.targets(
            version: content.version, expires: expires, files: ["catalogue.json": index], delegations: delegations,
            keys: keys)
        try sign(&targets, .targets, content)
        serve(targets, "\(content.version).targets.json")
        var snapshot = MetadataDocument.snapshot(
            version: content.version, expires: expires,
            targets: try SignedMetadata(parsing: targets.bytes, file: "targets.json"), delegated: roles)
        try sign(&snapshot, .snapshot, content)
        serve(snapshot, "\(content.version).snapshot.json")
        var timestamp = MetadataDocument.timestamp(
            version: content.version, expires: expires,
            snapshot: try SignedMetadata(parsing: snapshot.bytes, file: "snapshot.json"))
        try sign(&timestamp, .timestamp, content)
        serve(timestamp, "timestamp.json")
    }

    private func sign(_ document: inout MetadataDocument, _ role: TopLevelRole, _ content: Content) throws {
        if let key = content.keys[role] { try document.sign(by: key) }
    }

    private func serve(_ document: MetadataDocument, _ name: String) {
        origin.serve("/metadata/" + name, Array(document.bytes))
    }

    /// Serves a catalogue of some products, and returns its index.
    private func serveCatalogue(_ products: [Product], in directory: String) -> Data {
        let entries = products.map { product in
            let text = Array("\(product.identifier) \(product.version)".utf8)
            let zip = (product.image.map { ZipForge().file("1.png", Array($0)) } ?? ZipForge().file("1.txt", text))
                .build()
            let archive = "\(product.identifier)-\(product.version).zip"
            origin.serve("/\(directory)\(archive)", zip)
            return """
                {"productIdentifier":"\(product.identifier)","productName":"A","productType":"sticker",
                "productPrice":"free","version":"\(product.version)","productResourceURL":"\(archive)",
                "productResourceSize":\(zip.count),"productResourceSHA256":"\(SHA256Digest(of: zip).hex)"}
                """
        }
        let shard = #"{"format":2,"products":[\#(entries.joined(separator: ","))]}"#
        let digest = SHA256Digest(of: shard.utf8).hex
        origin.serve("/\(directory)\(digest).json", shard)
        let index = """
            {"format":2,"products":\(products.count),"shards":[{"url":"\(digest).json","size":\(shard.utf8.count),
            "sha256":"\(digest)","products":\(products.count)}]}
            """
        origin.serve("/\(directory)catalogue.json", index)
        origin.serve("/\(directory)\(SHA256Digest(of: index.utf8).hex).catalogue.json", index)
        return Data(index.utf8)
    }
}
