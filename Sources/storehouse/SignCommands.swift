import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
import StoreSystem
import StoreTrust

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign with keys that are kept on another machine",
        discussion: """
            Only files are carried between the machines. Where a key is missing, 'publish' and the commands of 'key' keep \
            what is to be signed. 'sign request' writes it to a file, 'sign add' adds signatures to the file on the \
            machine with the keys, 'sign import' takes them over, and 'publish' then publishes.

            Examples:
              storehouse sign request mystore --output request.json
              storehouse sign add request.json --key /media/safe/targets.json
              storehouse sign import mystore request.json
              storehouse publish mystore
            """,
        subcommands: [SignRequest.self, SignAdd.self, SignImport.self])
}

struct SignRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Write what waits for signatures to a file")

    @OptionGroup var store: StoreArgument
    @Option(
        name: [.short, .long], help: ArgumentHelp("File for the request", valueName: "file"), completion: .file())
    var output: String

    func run() throws {
        let request = try store.open().signingRequest()
        try request.write(to: output)
        Output.console.line("Wrote '\(output)' with \(request.items.map(\.role.file).joined(separator: " and ")).")
    }
}

struct SignAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Sign a request with keys of this machine",
        discussion: "Prints what is signed: compare it with what you expect before you carry the file back.")

    @Argument(help: ArgumentHelp("File of the request, to which signatures are added", valueName: "file"))
    var request: String
    @Option(
        name: .customLong("key"), help: ArgumentHelp("File of a private key; repeatable", valueName: "keyfile"),
        completion: .file())
    var keyFiles: [String] = []
    @Option(help: ArgumentHelp("Public key with which --agent signs; repeatable", valueName: "hex"))
    var publicKey: [String] = []
    @Option(help: ArgumentHelp("Shell command that signs; see 'storehouse publish'", valueName: "command"))
    var agent: String?
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        if keyFiles.isEmpty, publicKey.isEmpty { throw ValidationError("give a key with --key or --public-key") }
        if !publicKey.isEmpty, agent == nil { throw ValidationError("--public-key requires --agent") }
    }

    func run() throws {
        let source = passphrase.source
        let keys = KeyRing(files: keyFiles, agent: agent) { try source.passphrase(of: $0) }
        let publicKeys =
            try keyFiles.map { try KeyFile.read(path: $0).publicKey }
            + publicKey.map { PublicKey(ed25519: $0) }
        var signed = try SigningRequest(
            parsing: OpenFile.open(argument: request).readAll(limit: 16 << 20), path: request)
        for item in signed.items {
            Output.console.lines(item.summary)
            if let date = item.expires, date <= Date() {
                Output.console.warning("\(item.role.file) expired on \(date.formatted(.iso8601))")
                Output.console.hint("make a new request with 'storehouse publish' and 'storehouse sign request'")
            }
        }
        for (role, key) in try signed.sign(with: keys, publicKeys: publicKeys, path: request) {
            Output.console.line("Signed \(role.file) with the key \(key.identifier).")
        }
        try signed.write(to: request)
    }
}

struct SignImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take signatures over into a store")

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("File of the signed request", valueName: "file"), completion: .file())
    var request: String

    func run() throws {
        let signed = try SigningRequest(
            parsing: OpenFile.open(argument: request).readAll(limit: 16 << 20), path: request)
        for (role, count) in try store.open().importSignatures(of: signed, path: request) {
            Output.console.line("\(role.file) now has \(Output.count(count, "signature")).")
        }
        Output.console.hint("run 'storehouse publish \(store.path)' to publish it")
    }
}

extension SigningRequest {
    fileprivate func write(to path: String) throws {
        try Directory.replaceOutput(path, with: fileContent)
    }
}

extension SigningRequest.Item {
    /// What a person who signs has to know of the metadata file.
    fileprivate var summary: [String] {
        if let root = try? SignedMetadata<Root>(parsing: document.bytes, file: role.file) {
            return Self.head(root)
                + TopLevelRole.allCases.map { "  \($0.rawValue): " + Self.text(of: root.signed.keys(of: $0)) }
        }
        if let targets = try? SignedMetadata<Targets>(parsing: document.bytes, file: role.file) {
            var lines = Self.head(targets)
            for file in targets.signed.allFiles { lines.append("  \(file.path): SHA-256 \(file.hashes.nameDigest)") }
            for delegation in targets.signed.delegations {
                lines.append(
                    "  publisher \(delegation.role) for \(delegation.identifierPrefix ?? "nothing"): "
                        + Self.text(of: delegation.keys))
            }
            if let bins = targets.signed.bins {
                lines.append("  roles \(bins.namePrefix)-… for all other files: " + Self.text(of: bins.keys))
            }
            return lines
        }
        if let snapshot = try? SignedMetadata<Snapshot>(parsing: document.bytes, file: role.file) {
            return Self.head(snapshot)
                + snapshot.signed.files.sorted { $0.key < $1.key }.map { "  \($0.key) version \($0.value.version)" }
        }
        if let timestamp = try? SignedMetadata<Timestamp>(parsing: document.bytes, file: role.file) {
            let version = timestamp.signed.snapshot.version
            return Self.head(timestamp) + ["  \(TopLevelRole.snapshot.file) version \(version)"]
        }
        return ["\(role.file)"]
    }

    /// The date on which the metadata expires; `nil` if it can't be read.
    fileprivate var expires: Date? {
        func date<Role: MetadataRole>(_: Role.Type) -> Date? {
            (try? SignedMetadata<Role>(parsing: document.bytes, file: role.file))?.signed.expires
        }
        return switch role.topLevel {
        case .root: date(Root.self)
        case .targets, nil: date(Targets.self)
        case .snapshot: date(Snapshot.self)
        case .timestamp: date(Timestamp.self)
        }
    }

    private static func text(of keys: RoleKeys) -> String {
        "\(keys.threshold) of \(keys.keyIDs.joined(separator: ", "))"
    }

    private static func head<Role>(_ metadata: SignedMetadata<Role>) -> [String] {
        let date = metadata.signed.expires.formatted(.iso8601)
        return ["\(metadata.file) version \(metadata.signed.version), which expires on \(date):"]
    }
}

struct Renew: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Renew the metadata of a signed store that expires soon",
        discussion: """
            Run it from cron several times a day. It signs timestamp.json and snapshot.json anew if less than half of \
            their lifetime is left, and publishes them; the catalogue stays as it was last published. It needs the keys \
            of 'timestamp' and 'snapshot' only, and prints nothing unless something is wrong. With the timestamp it also \
            warns if root.json or the targets metadata expires soon, which need keys that are kept offline.

            Examples:
              storehouse renew mystore --keys /etc/mystore/keys \\
                --passphrase-file /etc/mystore/passphrase
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        let renewal = try store.renew(keys: signing.ring(of: store), at: PublicationTime.now())
        let now = Date()
        Output.console.warn(ofExpired: renewal.expiries, in: store, at: now)
        guard !renewal.renewed.isEmpty else { return }
        for expiring in renewal.expiring where expiring.date > now {
            let text = "\(expiring.role.file) expires on \(expiring.date.formatted(.iso8601)): "
            guard expiring.role.topLevel != nil else {
                Output.console.warning(text + "accept a new publication of the publisher '\(expiring.role.rawValue)'")
                continue
            }
            let command = expiring.role == .root ? "key renew" : "publish"
            Output.console.warning(text + "run 'storehouse \(command) \(store.path)' with its keys")
        }
    }
}
