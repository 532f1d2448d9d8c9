import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
import StoreTerminal
import StoreTrust

struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the keys of a signed store",
        discussion: """
            A signed store has keys for four roles. The keys of 'root' sign which keys count, those of 'targets' sign the \
            catalogue; keep them offline. Those of 'snapshot' and 'timestamp' sign that the catalogue is the current one; \
            the machine that runs 'storehouse renew' needs them.

            Changes of keys make a new version of root.json, which clients get with the next publish.

            Environment:
              STOREHOUSE_PASSPHRASE  passphrase of the keys, without --passphrase-file
            """,
        subcommands: [
            KeyInit.self, KeyList.self, KeyCreate.self, KeyAdd.self, KeyRotate.self, KeyRevoke.self,
            KeyThreshold.self, KeyLifetime.self, KeyRenew.self,
        ])
}

struct KeyInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store a signed one",
        discussion: """
            Generates a key for each role and signs the first root. Give the fingerprint to the users of the store by \
            another way than the store itself.
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var signing: SigningOptions

    func run() throws { try Self.makeKeys(of: store, signing.ring(of: store.open(), makesKeys: true)) }

    /// Generates the keys of a store and prints the fingerprint of its root.
    static func makeKeys(of argument: StoreArgument, _ keys: KeyRing) throws {
        let store = try argument.open()
        let fingerprint = try store.makeKeys(keys, at: PublicationTime.now())
        Output.console.line("Made the keys of '\(store.path)' in '\(keys.directory?.path ?? "")'.")
        Output.console.line("The fingerprint of its root is \(fingerprint.grouped)")
        Output.console.hint("keep copies of the keys of root and targets offline; clients see the keys after 'publish'")
    }
}

struct KeyList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of a store, their roles and the expiry of the root")

    @OptionGroup var store: StoreArgument
    @Flag(help: "Print one JSON document")
    var json = false

    private struct Document: Encodable {
        var version: Int
        var expires: Date
        var fingerprint: String
        var keys: [Row]
    }
    private struct Row: Encodable {
        var role: String
        var keyid: String
        var publicKey: String
        var threshold: Int
    }

    func run() throws {
        let opened = try store.open()
        let root = try opened.newestRoot()
        let rows = TopLevelRole.allCases.flatMap { role -> [Row] in
            let trusted = root.signed.keys(of: role)
            return trusted.keyIDs.map { identifier in
                Row(
                    role: role.rawValue, keyid: identifier, publicKey: root.signed.keys[identifier]?.value ?? "",
                    threshold: trusted.threshold)
            }
        }
        // Clients find the way from the first root to the newest one themselves.
        let fingerprint = RootFingerprint(of: try opened.firstRoot().bytes)
        guard !json else {
            Output.console.document(
                Document(
                    version: root.signed.version, expires: root.signed.expires, fingerprint: "\(fingerprint)",
                    keys: rows))
            return
        }
        var table = Table([.init(title: "ROLE"), .init(title: "THRESHOLD"), .init(title: "KEY", flexible: true)])
        for row in rows { table.add(row.role, "\(row.threshold)", row.keyid) }
        Output.console.table(table)
        Output.console.line(
            "root.json version \(root.signed.version) expires on \(root.signed.expires.formatted(.iso8601)).")
        Output.console.line("Users add the store with the fingerprint of its first root, \(fingerprint.grouped)")
    }
}

struct KeyCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Generate a key in a file, for example on an offline machine",
        discussion: "Prints the public key, which 'storehouse key add --public-key' adds to a store on another machine."
    )

    @Argument(help: ArgumentHelp("File for the new key", valueName: "keyfile"), completion: .file())
    var file: String
    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let key = try KeyFile.create(path: file, passphrase: passphrase.source.newPassphrase(of: file))
        Output.console.line(key.value)
    }
}

struct KeyAdd: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a key to a role")

    @OptionGroup var store: StoreArgument
    @Argument(help: "Role: root, targets, snapshot or timestamp")
    var role: TopLevelRole
    @Option(
        help: ArgumentHelp(
            "Public key that 'storehouse key create' or an agent has printed; a new key by default", valueName: "hex"))
    var publicKey: String?
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        let key = publicKey.map { PublicKey(ed25519: $0) }
        if let key, !key.isUsable { throw StoreError(.keyValueInvalid, ["key": .untrusted(key.value)]) }
        let keys = try signing.ring(of: store, makesKeys: key == nil)
        let added = try store.addKey(to: role, publicKey: key, keys: keys, at: PublicationTime.now())
        Output.console.line("Added the key \(added.key.identifier) to '\(role.rawValue)'.")
        store.report(added.change)
    }
}

struct KeyRotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the keys of a role by new ones",
        discussion: "A root is signed by the old and the new keys. The files of the old keys stay.")

    @OptionGroup var store: StoreArgument
    @Argument(help: "Role: root, targets, snapshot or timestamp")
    var role: TopLevelRole
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        let keys = try signing.ring(of: store, makesKeys: true)
        let rotated = try store.rotateKeys(of: role, keys: keys, at: PublicationTime.now())
        for key in rotated.keys { Output.console.line("'\(role.rawValue)' has the new key \(key.identifier).") }
        store.report(rotated.change)
    }
}

struct KeyRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a key from all roles that have it",
        discussion: "Its file stays. To replace a role's only key, use 'storehouse key rotate'.")

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Identifier of the key, or its first digits", valueName: "key"))
    var key: String
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        let change = try store.revokeKey(key, keys: signing.ring(of: store), at: PublicationTime.now())
        Output.console.line("Revoked the key '\(key)'.")
        store.report(change)
    }
}

struct KeyThreshold: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threshold", abstract: "Set how many keys of a role have to sign")

    @OptionGroup var store: StoreArgument
    @Argument(help: "Role: root, targets, snapshot or timestamp")
    var role: TopLevelRole
    @Argument(help: ArgumentHelp("Number of keys that have to sign", valueName: "n"))
    var threshold: Int
    @OptionGroup var signing: SigningOptions

    func validate() throws {
        if threshold < 1 { throw ValidationError("the threshold must be at least 1") }
    }

    func run() throws {
        let store = try store.open()
        let keys = try signing.ring(of: store)
        store.report(try store.setThreshold(threshold, of: role, keys: keys, at: PublicationTime.now()))
    }
}

struct KeyLifetime: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lifetime",
        abstract: "Set for how many days the metadata of a role is valid",
        discussion: """
            Counts for what is signed from now on. Without a change, these are 365 days for root, 90 for targets, 7 for \
            snapshot and 1 for timestamp.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: "Role: root, targets, snapshot or timestamp")
    var role: TopLevelRole
    @Argument(help: ArgumentHelp("Number of days, from 1 to 3650", valueName: "days"))
    var days: Int

    func validate() throws {
        guard (1...3650).contains(days) else { throw ValidationError("the number of days must be from 1 to 3650") }
    }

    func run() throws {
        try store.open().setLifetime(days, of: role)
        Output.console.line("New versions of \(role.file) are valid for \(Output.count(days, "day")).")
    }
}

struct KeyRenew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Sign a new root with the same keys, before the current one expires")

    @OptionGroup var store: StoreArgument
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        store.report(try store.renewRoot(keys: signing.ring(of: store), at: PublicationTime.now()))
    }
}
