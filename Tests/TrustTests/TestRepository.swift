import Crypto
import Foundation
import StoreTrust

/// A repository of The Update Framework in memory, with which tests also do what attackers would do.
///
/// Tests change the description, and sign and serve it with ``publish(_:)``.
struct TestRepository {
    /// A role that signs files: the top-level targets or a delegated role.
    struct Role {
        var version = 1
        var expires = TestRepository.expires
        var files: [String: Data] = [:]
        /// The delegations, in their order.
        var delegations: [CanonicalJSON] = []
        var delegatedKeys: [SigningKey] = []
        var signers: [SigningKey] = []
    }

    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let expires = start + 30 * 86_400

    /// The files on the server by name.
    var server: [String: Data] = [:]
    var versions = ["root": 1, "timestamp": 1, "snapshot": 1]
    var expiries: [String: Date] = [:]
    /// The keys that the root names for each top-level role.
    var keys: [String: [SigningKey]] = [:]
    var thresholds: [String: Int] = [:]
    /// The keys that sign, where they are not those that the root names.
    var signers: [String: [SigningKey]] = [:]
    var roles = ["targets": Role()]
    var isConsistent = true
    /// Whether timestamp and snapshot state lengths and hashes.
    var statesHashes = true
    /// Called with the signed part of each metadata file before it is signed.
    var change: (_ role: String, inout CanonicalJSON) -> Void = { _, _ in }

    init() {
        for role in TopLevelRole.allCases { keys[role.rawValue] = [SigningKey(role.rawValue + "-key")] }
        publish()
    }

    static func text(_ date: Date) -> CanonicalJSON { .string(date.representable.formatted(.iso8601)) }

    /// Signs metadata and puts it on the server.
    mutating func publish(_ published: Set<String> = ["root", "targets", "snapshot", "timestamp"]) {
        if published.contains("root") {
            server["\(versions["root"]!).root.json"] = file("root", rootMembers)
        }
        for (name, role) in roles.sorted(by: { $0.key < $1.key }) where published.contains("targets") {
            serve(name, version: role.version, targets(name, role))
            for (path, content) in role.files { server[remotePath(path, content)] = content }
        }
        if published.contains("snapshot") {
            serve("snapshot", version: versions["snapshot"]!, file("snapshot", ["meta": listedTargets]))
        }
        if published.contains("timestamp") {
            let name = remoteName("snapshot", version: versions["snapshot"]!)
            let meta: CanonicalJSON = ["snapshot.json": listed(versions["snapshot"]!, server[name] ?? Data())]
            server["timestamp.json"] = file("timestamp", ["meta": meta])
        }
    }

    /// Publishes new versions of timestamp and snapshot, and of the targets metadata if a file is given.
    mutating func publishNext(file: String? = nil, content: String = "content") {
        if let file {
            roles["targets"]!.version += 1
            roles["targets"]!.files[file] = Data(content.utf8)
        }
        versions["snapshot"]! += 1
        versions["timestamp"]! += 1
        publish(["targets", "snapshot", "timestamp"])
    }

    /// Publishes a new version of the root.
    mutating func publishNextRoot() {
        versions["root"]! += 1
        publish(["root"])
    }

    /// Adds a delegation to a role, and the delegated role, which signs the files.
    mutating func delegate(
        from delegator: String = "targets", to name: String, paths: [CanonicalJSON] = ["*"],
        isTerminating: Bool = false, files: [String: String] = [:], key: SigningKey? = nil, threshold: Int = 1
    ) {
        let key = key ?? SigningKey(name + "-key")
        let delegation: CanonicalJSON = [
            "name": .string(name), "keyids": [.string(key.identifier)],
            "threshold": .integer(String(threshold)), "terminating": .bool(isTerminating), "paths": .array(paths),
        ]
        roles[delegator]!.delegations.append(delegation)
        roles[delegator]!.delegatedKeys.append(key)
        if roles[name] == nil { roles[name] = Role(signers: [key]) }
        for (path, content) in files { roles[name]!.files[path] = Data(content.utf8) }
    }

    // MARK: Documents

    private func remoteName(_ role: String, version: Int) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let name = role.addingPercentEncoding(withAllowedCharacters: unreserved)! + ".json"
        return isConsistent ? "\(version).\(name)" : name
    }

    func remotePath(_ path: String, _ content: Data) -> String {
        guard isConsistent else { return path }
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return path[..<slash] + Data(SHA256.hash(data: content)).hex + "." + path[slash...]
    }

    private mutating func serve(_ role: String, version: Int, _ bytes: Data) {
        server[remoteName(role, version: version)] = bytes
    }

    private func file(_ role: String, _ members: CanonicalJSON) -> Data {
        var signed = members
        signed["_type"] = .string(role)
        signed["spec_version"] = "1.0.31"
        signed["version"] = .integer(String(versions[role]!))
        signed["expires"] = Self.text(expiries[role] ?? Self.expires)
        change(role, &signed)
        return SigningKey.metadata(signed, by: signers[role] ?? keys[role]!)
    }

    private func targets(_ name: String, _ role: Role) -> Data {
        var files: CanonicalJSON = [:]
        for (path, content) in role.files {
            files[path] = [
                "length": .integer(String(content.count)),
                "hashes": ["sha256": .string(Data(SHA256.hash(data: content)).hex)],
            ]
        }
        var signed: CanonicalJSON = [
            "_type": "targets", "spec_version": "1.0.31", "version": .integer(String(role.version)),
            "expires": Self.text(role.expires), "targets": files,
        ]
        if !role.delegations.isEmpty {
            signed["delegations"] = ["keys": Self.described(role.delegatedKeys), "roles": .array(role.delegations)]
        }
        change(name, &signed)
        return SigningKey.metadata(signed, by: name == "targets" ? signers[name] ?? keys[name]! : role.signers)
    }

    private static func described(_ keys: [SigningKey]) -> CanonicalJSON {
        .object(Dictionary(keys.map { ($0.identifier, $0.description) }) { first, _ in first })
    }

    private var rootMembers: CanonicalJSON {
        var roles: CanonicalJSON = [:]
        for (role, keys) in keys {
            roles[role] = [
                "keyids": .array(keys.map { .string($0.identifier) }),
                "threshold": .integer(String(thresholds[role] ?? 1)),
            ]
        }
        let all = keys.sorted { $0.key < $1.key }.flatMap(\.value)
        return ["consistent_snapshot": .bool(isConsistent), "keys": Self.described(all), "roles": roles]
    }

    private func listed(_ version: Int, _ bytes: Data) -> CanonicalJSON {
        guard statesHashes else { return ["version": .integer(String(version))] }
        return [
            "version": .integer(String(version)), "length": .integer(String(bytes.count)),
            "hashes": ["sha256": .string(Data(SHA256.hash(data: bytes)).hex)],
        ]
    }

    private var listedTargets: CanonicalJSON {
        var meta: CanonicalJSON = [:]
        for (name, role) in roles {
            meta[name + ".json"] = listed(role.version, server[remoteName(name, version: role.version)] ?? Data())
        }
        return meta
    }
}
