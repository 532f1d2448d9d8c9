import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

/// The command `storectl store add`: adds a store, signed or unsigned.
struct StoreAdd: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a store",
        discussion: """
            Fetches the catalogue immediately; a store whose catalogue can't be read or verified is not added. URL is the \
            directory of catalogue.json, or the document itself; https://, http://, or file:// for a directory of this \
            machine. A token, or the user and password from ~/.netrc, is \
            only sent to the scheme, host and port of URL; the token is stored readable by the user alone. Adding a \
            store again changes its priority and credentials, if they are given.

            A signed store is verified with its root, a file that its publisher gives you by another way than the store: \
            '--root' names the file or a URL, which the daemon fetches, and '--fingerprint' what the root's SHA-256 must be. \
            '--fingerprint' alone accepts the root of the store's server if it has that fingerprint. On a terminal, \
            without either, you are asked whether to trust the root of the server. '--root' on an unsigned store makes it \
            a signed one; a signed store never becomes an unsigned one.

            Examples:
              storectl store add cups https://store.example/ --root root.json
              storectl store add cups https://store.example/ --fingerprint 9f2c…
              storectl store add here file:///srv/store/public/ --unsigned --priority 10
              storectl store add mugs https://store.example/mugs/ --root root.json \\
                --token-file token.txt
            """)

    @Argument(help: "Name of the store")
    var name: String

    @Argument(help: "URL of the store")
    var url: String

    @Option(
        help: ArgumentHelp("Root of a signed store: a file or a URL", valueName: "file|url"), completion: .file())
    var root: String?

    @Option(help: ArgumentHelp("Fingerprint that the root must have", valueName: "hex"))
    var fingerprint: String?

    /// The further groups of a fingerprint that is pasted as it is shown, without quotation marks.
    @Argument(help: .hidden)
    var fingerprintGroups: [String] = []

    @Flag(help: "Accept a store that is not signed")
    var unsigned = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "If several stores offer a product, the highest priority is used (default: 0, or unchanged)",
            valueName: "n"))
    var priority: Int?

    @Option(
        help: ArgumentHelp("File that contains the store's access token", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Flag(help: "Use the user and password from ~/.netrc")
    var netrc = false

    static let createsHome = true

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if name.isEmpty { throw ValidationError(EnglishText.filled("the store's name must not be empty")) }
        guard Self.isAddress(url) else {
            if Self.isAddress(name) {
                throw ValidationError(
                    EnglishText.filled(
                        "the name comes before the URL; did you mean 'storectl store add {name} {url}'?",
                        ["name": url, "url": name]))
            }
            throw ValidationError(
                EnglishText.filled(
                    "invalid URL '{url}': expected https://…, http://… or file:///…", ["url": url]))
        }
        if let extra = fingerprintGroups.first, fingerprint == nil || !extra.allSatisfy(\.isHexDigit) {
            throw ValidationError(EnglishText.filled("unexpected argument '{argument}'", ["argument": extra]))
        }
        if let fingerprint = wholeFingerprint, fingerprint.count != 64 || !fingerprint.allSatisfy(\.isHexDigit) {
            throw ValidationError(
                EnglishText.filled(
                    "invalid fingerprint '{fingerprint}': expected 64 hexadecimal digits, in groups or not",
                    ["fingerprint": fingerprint]))
        }
        if tokenFile != nil, netrc {
            throw ValidationError(EnglishText.filled("--token-file and --netrc exclude each other"))
        }
        if unsigned, root != nil || fingerprint != nil {
            throw ValidationError(EnglishText.filled("--unsigned excludes --root and --fingerprint"))
        }
    }

    /// The fingerprint without what separates its groups: spaces or colons.
    private var wholeFingerprint: String? {
        fingerprint.map { ([$0] + fingerprintGroups).joined().filter { !$0.isWhitespace && $0 != ":" } }
    }

    private static func isAddress(_ text: String) -> Bool {
        ["http", "https", "file"].contains(URL(string: text)?.scheme?.lowercased())
    }

    /// Returns the form of a store's URL that is the same for its directory and for its catalogue.
    static func comparable(_ url: URL) -> String {
        var text = url.absoluteString[...]
        if text.hasSuffix("/catalogue.json") { text = text.dropLast("catalogue.json".count) }
        while text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }

    private func token() throws -> String? {
        guard let tokenFile else { return nil }
        let text = String(decoding: try OpenFile.read(argument: tokenFile, limit: 64 << 10), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The maximum size of a root in bytes, which is that of the daemon.
    private static let rootLimit = 512_000

    /// Adds the store, after the question whether to trust the root of its server if none was given.
    private func add(_ client: StoreClient, _ address: URL, _ console: Console) async throws -> StoreSummary {
        let isURL = root.map(Self.isAddress) ?? false
        let data = isURL ? nil : try root.map { try OpenFile.read(argument: $0, limit: Self.rootLimit) }
        let token = try token()
        do {
            return try await client.addStore(
                name: name, url: address, unsigned: unsigned, root: data,
                rootURL: isURL ? root.flatMap { URL(string: $0) } : nil, fingerprint: wholeFingerprint,
                priority: priority,
                token: token, netrc: netrc ? true : nil)
        } catch let error as ErrorReport where error.rootFingerprint != nil && console.canAsk {
            guard let offered = error.rootFingerprint else { throw error }
            console.note(console.messages.text("The store is signed. The root on its server has the fingerprint"))
            console.note("  " + RootFingerprintText.grouped(offered))
            console.note(console.messages.text("Compare it with the one that the publisher states elsewhere."))
            let question = console.messages.text("Trust this root from now on?")
            guard try await console.ask(question) == true else { throw error }
            return try await client.addStore(
                name: name, url: address, fingerprint: offered, priority: priority, token: token,
                netrc: netrc ? true : nil)
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        guard let address = URL(string: url) else { return .usage }
        let client = try client()
        let known = (try? await client.stores()) ?? []
        let store = try await add(client, address, console)
        let others = known.filter {
            $0.name != store.name && Self.comparable($0.url) == Self.comparable(store.url)
        }
        if let other = others.first {
            console.warning(
                console.messages.text(
                    "the store '{store}' has the same URL; remove one with 'storectl store remove NAME'",
                    ["store": other.name]))
        }
        if console.json {
            console.document(store)
            return .done
        }
        let values = ["store": store.name, "products": store.productCount(console.messages)]
        console.confirmation(
            known.contains { $0.name == store.name }
                ? console.messages.text("Changed store {store} ({products}).", values)
                : console.messages.text("Added store {store} ({products}).", values))
        if let signature = store.signature {
            console.confirmation(
                console.messages.text(
                    "It is verified with the root {fingerprint}.",
                    ["fingerprint": RootFingerprintText.grouped(signature.fingerprint)]))
        } else if store.signatureAvailable {
            console.showSignatureHint(for: store)
        }
        return .done
    }
}

extension Console {
    /// Prints that a store which was added without its root publishes signed metadata, and how to use it.
    func showSignatureHint(for store: StoreSummary) {
        let values = ["store": store.name, "url": store.url.absoluteString]
        warning(
            messages.text(
                "the store '{store}' is signed, but it was added with '--unsigned', so its signatures are not checked",
                values))
        hint(
            messages.text(
                "get the root from its publisher and run 'storectl store add {store} {url} --root FILE'", values))
    }
}
