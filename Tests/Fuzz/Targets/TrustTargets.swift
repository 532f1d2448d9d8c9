import FoundationEssentials
import StoreModel

@testable import StoreTrust

extension FuzzTarget {
    /// Checks a metadata file of any role, as a server sends it before anything of it is verified.
    @Sendable static func metadata(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        checkParsing(Root.self, data)
        checkParsing(Timestamp.self, data)
        checkParsing(Snapshot.self, data)
        if let targets = checkParsing(Targets.self, data) { checkTargets(targets.signed) }
        guard case .accepted(let document) = verdict({ try MetadataDocument(parsing: data, file: "file.json") }) else {
            return
        }
        // The canonical form does not escape control characters, so that it is no JSON with them.
        guard document.bytes.allSatisfy({ $0 >= 0x20 }) else { return }
        // Written again it is canonical, and the same is signed.
        let again = try MetadataDocument(parsing: document.bytes, file: "file.json")
        requireSame(again, document, "metadata that is written again")
        requireSame(again.bytes, document.bytes, "canonical metadata")
        requireSame(again.signedBytes, document.signedBytes, "what is signed")
    }

    @discardableResult
    private static func checkParsing<Role: MetadataRole>(_ role: Role.Type, _ data: Data) -> SignedMetadata<Role>? {
        func parsed() -> SignedMetadata<Role>? { try? SignedMetadata<Role>(parsing: data, file: "file.json") }
        guard let first = parsed() else {
            require(parsed() == nil, "two readings")
            return nil
        }
        require(first.signed.version > 0, "the version")
        requireSame(parsed()?.signed.version, first.signed.version, "two readings")
        // Nobody has the private key.
        let trusted = RoleKeys(keyIDs: ["trusted"], threshold: 1)
        require(
            first.validSignatures(by: trusted, of: ["trusted": FuzzRepository.otherKey.publicKey]) == 0, "a signature")
        return first
    }

    private static func checkTargets(_ targets: Targets) {
        for path in ["catalogue.json", "publishers/cats/catalogue.json", "a/b/c", "", "\u{0}"] {
            let followed = targets.delegations(of: path)
            require(targets.bins != nil || followed.count <= targets.delegations.count, "delegations")
            if let file = targets.file(path) { require(file.path.utf8.elementsEqual(path.utf8), "the path") }
        }
        for delegation in targets.delegations { require(TopLevelRole(rawValue: delegation.role) == nil, "a role") }
        guard
            case .accepted(let table) = verdict({ () throws -> [String] in
                let table = try PublisherTable(targets)
                for publisher in table.publishers {
                    // No identifier has two owners.
                    require(table.owner(of: publisher.identifierPrefix + "x")?.name == publisher.name, "the owner")
                    require(!publisher.owns(path: "publishers/\(publisher.name)/../x"), "a path")
                    _ = try? table.check(targets, of: publisher.name)
                }
                return table.publishers.map(\.name)
            })
        else { return }
        requireSame(Set(table).count, table.count, "publishers")
    }

    /// Checks an update whose answers are signed by trusted keys: what a thief of a key can send.
    ///
    /// The first byte selects the file; the others are its signed part. All other files are valid.
    @Sendable static func signedMetadata(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let role = TopLevelRole.allCases[Int(first) % TopLevelRole.allCases.count]
        guard let forged = FuzzRepository.signed(bytes.dropFirst(), role) else { return }
        let repository = FuzzRepository.shared
        var update = try MetadataUpdate(root: repository.root, at: FuzzRepository.start)
        var steps = 0
        while case .fetch(let request) = update.step {
            steps += 1
            require(steps < 10, "an update that does not end")
            require(request.limit <= TrustLimits().targetsLength, "the limit")
            let answer = request.file == role.file ? forged : repository.file(request.file)
            let changes = verdict { () throws -> [MetadataUpdate.Change] in
                guard let answer, request.file != TopLevelRole.root.file || steps == 1 else {
                    return try update.receiveMissing()
                }
                return try update.receive(answer)
            }
            guard case .accepted(let stored) = changes else { return }
            for case .store(_, let data) in stored { require(data == answer, "what is stored") }
        }
        guard case .done(let metadata) = update.step else { return }
        require(metadata.expires > FuzzRepository.start, "the expiry")
        requireSame(
            metadata.snapshot.signed.version, metadata.timestamp.signed.snapshot.version, "the snapshot's version")
        requireSame(
            metadata.targets.signed.version, metadata.snapshot.signed.files["targets.json"]?.version,
            "the targets' version")
    }

    /// Checks the file of an encrypted private key.
    @Sendable static func keyFile(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        guard case .accepted(let content) = verdict({ try EncryptedKey(parsing: data, path: "key").fileContent })
        else { return }
        let again = try EncryptedKey(parsing: content, path: "key")
        requireSame(try again.fileContent, content, "a key that is written again")
        require(again.publicKey.isUsable, "the public key")
    }
}

/// A valid repository, whose keys sign what the fuzzer makes.
private struct FuzzRepository: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let shared = FuzzRepository()
    /// The key of all roles: of fixed bytes, so that the same input has the same result in each run.
    private static let key = PrivateKey(bytes: [UInt8](repeating: 7, count: 32)) ?? PrivateKey()
    /// A key that signs nothing.
    static let otherKey = PrivateKey(bytes: [UInt8](repeating: 9, count: 32)) ?? PrivateKey()

    // Not as `Data`, whose reference has tag bits that the leak checker does not recognise as a pointer.
    private let rootBytes: [UInt8]
    private let fileBytes: [String: [UInt8]]

    var root: Data { Data(rootBytes) }

    /// Returns a file by its name without version; `nil` if there is none.
    func file(_ name: String) -> Data? { fileBytes[name].map { Data($0) } }

    private init() {
        let expires = Self.start + 86_400
        let keys = Dictionary(uniqueKeysWithValues: TopLevelRole.allCases.map { ($0, [Self.key.publicKey]) })
        do {
            rootBytes = Array(try Self.signed(.root(version: 1, expires: expires, RootContent(keys: keys))))
            let targets = try Self.signed(.targets(version: 1, expires: expires, files: ["catalogue.json": Data()]))
            let snapshot = try Self.signed(
                .snapshot(
                    version: 1, expires: expires, targets: SignedMetadata(parsing: targets, file: "targets.json")))
            let timestamp = try Self.signed(
                .timestamp(
                    version: 1, expires: expires, snapshot: SignedMetadata(parsing: snapshot, file: "snapshot.json")))
            fileBytes = ["targets.json": targets, "snapshot.json": snapshot, "timestamp.json": timestamp]
                .mapValues { Array($0) }
        } catch {
            fatalError("the repository: \(error)")
        }
    }

    private static func signed(_ document: MetadataDocument) throws -> Data {
        var document = document
        try document.sign(by: key)
        return document.bytes
    }

    /// Returns metadata with a signed part that is signed by the trusted key; `nil` if it is no JSON.
    static func signed(_ content: some Sequence<UInt8>, _ role: TopLevelRole) -> Data? {
        let text = Data("{\"signatures\":[],\"signed\":".utf8) + Data(content) + Data("}".utf8)
        return (try? MetadataDocument(parsing: text, file: role.file)).flatMap { try? signed($0) }
    }
}
