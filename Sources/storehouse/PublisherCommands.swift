import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
import StoreTerminal
import StoreTrust

struct Publisher: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the publishers of a signed store that has several",
        discussion: """
            Each publisher signs the products whose identifiers begin with a prefix of their own, with keys of their own, in \
            a directory of their own. The store's owner names the publishers in the store's signed metadata, and accepts \
            what they publish; for that, the keys of 'snapshot' and 'timestamp' suffice.

            Examples:
              # on the publisher's machine
              storehouse publisher init mypacks cats --prefix org.example.cats.
              # on the store's machine
              storehouse publisher add mystore cats --prefix org.example.cats. \\
                --public-key HEX
              storehouse publish mystore
              storehouse publisher accept mystore mypacks
            """,
        subcommands: [
            PublisherInit.self, PublisherKeys.self, PublisherAdd.self, PublisherChange.self, PublisherList.self,
            PublisherRemove.self, PublisherAccept.self,
        ])
}

/// The options that name public keys of a publisher.
struct PublicKeyOptions: ParsableArguments {
    @Option(
        name: .customLong("public-key"),
        help: ArgumentHelp(
            "Public key that 'storehouse publisher init', 'storehouse key create' or an agent has printed; repeatable",
            valueName: "hex"))
    var publicKeys: [String] = []
    @Option(help: ArgumentHelp("Number of keys that have to sign", valueName: "n"))
    var threshold: Int?

    var keys: [PublicKey] { publicKeys.map { PublicKey(ed25519: $0) } }

    func validate() throws {
        if let threshold, threshold < 1 { throw ValidationError("the threshold must be at least 1") }
    }
}

extension StorePublisher {
    /// Checks the publisher that the command line describes; an error in its description is one of the command line.
    fileprivate static func checkOptions(_ publisher: () throws -> StorePublisher) throws {
        do {
            _ = try publisher()
        } catch let error as StoreError {
            throw ValidationError(error.message)
        }
    }
}

// MARK: The publisher

struct PublisherInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a publisher's directory, and its key",
        discussion: """
            Packs are added to the directory, published and signed as in a store. Its subdirectory 'public', or all of it, is \
            what the store's owner accepts. With --public-key, no key is made.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Name of the publisher in the store: a to z, 0 to 9, '-'", valueName: "name"))
    var name: String
    @Option(help: ArgumentHelp("Beginning of the product identifiers, such as org.example.", valueName: "prefix"))
    var prefix: String
    @OptionGroup var publicKeys: PublicKeyOptions
    @OptionGroup var signing: SigningOptions

    private var threshold: Int { publicKeys.threshold ?? 1 }

    private func publisher(_ keys: [PublicKey]) throws -> StorePublisher {
        try StorePublisher(name: name, identifierPrefix: prefix, keys: keys, threshold: threshold)
    }

    func validate() throws {
        // Before keys are made, and the directory with them.
        try StorePublisher.checkOptions {
            try publisher(
                publicKeys.keys.isEmpty ? (0..<threshold).map { _ in PrivateKey().publicKey } : publicKeys.keys)
        }
    }

    func run() throws {
        try Storehouse.createPublisher(at: store.path) {
            guard publicKeys.keys.isEmpty else { return try publisher(publicKeys.keys) }
            let keys = try signing.ring(ofDirectory: store.path, makesKeys: true, signing.passphrase.source)
            return try publisher(keys.makeKeys(threshold))
        }
        Output.console.line("Created the directory of publisher '\(name)' in '\(store.path)'.")
        Output.console.printKeys(of: try store.open().publisher())
    }
}

struct PublisherKeys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print or replace the public keys of a publisher's directory",
        discussion: """
            After a replacement, publish with the new keys, and let the store's owner name them with 'storehouse publisher \
            change'.
            """)

    @OptionGroup var store: StoreArgument
    @Flag(help: "Replace the keys by those of --public-key, or by new ones")
    var replace = false
    @OptionGroup var publicKeys: PublicKeyOptions
    @OptionGroup var signing: SigningOptions

    func validate() throws {
        if !replace, !publicKeys.publicKeys.isEmpty || publicKeys.threshold != nil {
            throw ValidationError("--public-key and --threshold require --replace")
        }
    }

    func run() throws {
        let store = try store.open()
        if replace {
            _ = try store.publisher()
            let ring = try signing.ring(of: store, makesKeys: publicKeys.keys.isEmpty)
            _ = try store.replacePublisherKeys(publicKeys.keys, threshold: publicKeys.threshold, keys: ring)
        }
        Output.console.printKeys(of: try store.publisher(), isChange: replace)
    }
}

extension Console {
    /// Prints the keys of a publisher, and what the store's owner has to do with them.
    fileprivate func printKeys(of publisher: StorePublisher, isChange: Bool = false) {
        for key in publisher.keys { line("public key: \(key)") }
        let options = publisher.keys.map { "--public-key \($0)" }.joined(separator: " ")
        let threshold = publisher.threshold == 1 ? "" : " --threshold \(publisher.threshold)"
        let command =
            isChange
            ? "change DIR \(publisher.name)" : "add DIR \(publisher.name) --prefix \(publisher.identifierPrefix)"
        hint("the store's owner runs 'storehouse publisher \(command) \(options)\(threshold)'")
    }
}

// MARK: The store's owner

struct PublisherAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Name a publisher in the store's metadata",
        discussion: "Clients see it after the next publish, which needs the keys of 'targets'.")

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Name of the publisher: a to z, 0 to 9, '-'", valueName: "name"))
    var name: String
    @Option(help: ArgumentHelp("Beginning of the product identifiers, such as org.example.", valueName: "prefix"))
    var prefix: String
    @OptionGroup var publicKeys: PublicKeyOptions

    func validate() throws {
        if publicKeys.publicKeys.isEmpty { throw ValidationError("give at least one key with --public-key") }
        try StorePublisher.checkOptions(publisher)
    }

    private func publisher() throws -> StorePublisher {
        try StorePublisher(
            name: name, identifierPrefix: prefix, keys: publicKeys.keys, threshold: publicKeys.threshold ?? 1)
    }

    func run() throws {
        let store = try store.open()
        try store.addPublisher(publisher())
        Output.console.line("Added publisher '\(name)' for products whose identifiers begin with '\(prefix)'.")
        Output.console.hint("run 'storehouse publish \(store.path)', and then 'storehouse publisher accept'")
    }
}

struct PublisherChange: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Replace the keys of a publisher in the store's metadata",
        discussion: """
            After the next publish, clients refuse what the previous keys have signed, and the products of the publisher are \
            missing until a publication with the new keys is accepted.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Name of the publisher", valueName: "name"))
    var name: String
    @OptionGroup var publicKeys: PublicKeyOptions

    func validate() throws {
        if publicKeys.publicKeys.isEmpty, publicKeys.threshold == nil {
            throw ValidationError("give --public-key or --threshold")
        }
    }

    func run() throws {
        let store = try store.open()
        try store.changePublisher(name, keys: publicKeys.keys, threshold: publicKeys.threshold)
        Output.console.line("Changed publisher '\(name)'; publish to make this visible to clients.")
    }
}

struct PublisherRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a publisher from the store's metadata",
        discussion: """
            After the next publish, clients no longer see the publisher's products; what is installed stays. The name should \
            not be given to someone else.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Name of the publisher", valueName: "name"))
    var name: String

    func run() throws {
        try store.open().removePublisher(name)
        Output.console.line("Removed publisher '\(name)'; publish to make this visible to clients.")
    }
}

struct PublisherList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the publishers of a store, their prefixes and what was accepted of them")

    @OptionGroup var store: StoreArgument
    @Flag(help: "Print one JSON document")
    var json = false

    func run() throws {
        let publishers = try store.open().publishers()
        guard !json else {
            Output.console.document(["publishers": publishers])
            return
        }
        guard !publishers.isEmpty else {
            Output.console.note("The store has no publishers beside its owner.")
            Output.console.hint("add one with 'storehouse publisher add'")
            return
        }
        var table = Table([
            .init(title: "NAME"), .init(title: "PREFIX", flexible: true), .init(title: "KEYS"), .init(title: "VERSION"),
            .init(title: "EXPIRES"), .init(title: "STATE"),
        ])
        for publisher in publishers {
            table.add(
                publisher.name, publisher.identifierPrefix, "\(publisher.threshold) of \(publisher.keyIDs.count)",
                publisher.version.map(String.init) ?? "-", publisher.expires?.formatted(.iso8601) ?? "-",
                publisher.stateText)
        }
        Output.console.table(table)
    }
}

extension Storehouse.ListedPublisher {
    fileprivate var stateText: String {
        if !isSigned { return "not published" }
        if version == nil { return "nothing accepted" }
        return isVerified ? "accepted" : "signed by previous keys"
    }
}

struct PublisherAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Verify what a publisher has published, and show it to clients",
        discussion: """
            Takes a publisher's directory, or a copy of its 'public'. The signatures, the prefix, the versions and the hashes of \
            all files are verified before anything becomes visible. The keys of 'snapshot' and 'timestamp' suffice.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Directory of the publisher", valueName: "publisherdir"), completion: .directory)
    var directory: String
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try store.open()
        let accepted = try store.accept(directory, keys: signing.ring(of: store), at: PublicationTime.now())
        defer { Output.console.warn(ofExpired: accepted.expiries, in: store) }
        if !accepted.signed.isEmpty { Output.console.line("Signed \(accepted.signed.text).") }
        let products = Output.count(accepted.products, "product")
        guard accepted.isNew else {
            Output.console.line(
                "Version \(accepted.version) of publisher '\(accepted.publisher)' was accepted before (\(products)).")
            return
        }
        let added = Output.count(accepted.filesAdded, "new file")
        let removed = accepted.filesRemoved == 0 ? "" : ", \(accepted.filesRemoved) old removed"
        Output.console.line(
            "Accepted version \(accepted.version) of publisher '\(accepted.publisher)': \(products), \(added)\(removed)."
        )
    }
}
