import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Install: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install products",
        discussion: """
            Downloads and installs several products in parallel. If several stores offer ID, the store with the highest \
            priority is used; STORE/ID selects one. A file (./pack.zip) is installed as if from an unsigned store, \
            after confirmation or with --unsigned; hidden files in it are left out. A plugin requires consent to its permissions, which --consent gives \
            in advance. Queued downloads start in order of --priority, which also applies to downloads already queued. \
            Ctrl-C leaves downloads running.

            Examples:
              storectl install org.example.cups cups/org.example.mugs
              storectl install ./pack.zip --unsigned
              storectl install org.example.cats --priority 10
            """)

    @Argument(help: ArgumentHelp("Product identifiers, STORE/ID, or files", valueName: "id"))
    var ids: [String]

    @Option(help: ArgumentHelp("Install from this store", valueName: "name"))
    var store: String?

    @Flag(help: "Install unsigned files without confirmation")
    var unsigned = false

    @Option(
        help: ArgumentHelp(
            "Bandwidth limit of each download in bytes per second; suffixes k, M, G (powers of 1000)",
            valueName: "n"))
    var limitRate: ByteCountArgument?
    @Option(help: ArgumentHelp("Priority in the queue; higher starts first (default: 0)", valueName: "n"))
    var priority: Int?

    @OptionGroup var consenting: ConsentOptions

    @OptionGroup var waiting: WaitingOptions

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = distinct(ids)
        let files = ids.map { self.store == nil ? LocalPack.path(of: $0) : nil }
        for (name, file) in zip(ids, files) where file != nil && !unsigned {
            guard try await LocalPack.mayInstall(name, console) else {
                throw StoreError(.productCancelled, ["product": name])
            }
        }
        let (store, priority, rate) = (store, priority, limitRate?.bytes)
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
        let (products, wasInterrupted) = try await consenting.retryingWithConsent(console) { indices, consent in
            let wanted = (indices ?? Array(ids.indices)).map { (id: ids[$0], file: files[$0], consent: consent($0)) }
            return try await monitor.run(names: wanted.map(\.id)) {
                let names = try await ProductNames(store: store).parse(wanted.map(\.id), client)
                let requests = zip(wanted, names).map { (wanted: $0, name: $1) }
                return try await mapConcurrently(requests) { request in
                    let consent = request.wanted.consent
                    let product = request.wanted.file == nil ? request.name.id : request.wanted.id
                    return try await ProductInstallation(product) {
                        if let file = request.wanted.file {
                            return try await client.beginInstall(
                                file: file, consent: consent, priority: priority, rateLimit: rate)
                        }
                        let name = request.name
                        do {
                            return try await client.beginInstall(
                                name.id, store: name.store, consent: consent, priority: priority, rateLimit: rate)
                        } catch let error as ErrorReport {
                            throw LocalPack.clarify(request.wanted.id, error)
                        }
                    }
                }
            }
        }
        for product in products {
            console.warn(leftOut: product.installation?.leftOut ?? [], of: product.productIdentifier)
        }
        if wasInterrupted { return await monitor.interrupted(products, cancel: waiting.cancelOnInterrupt) }
        await waiting.report(products, verb: "Installed", client, console)
        return console.finish(products.map(\.result))
    }
}

/// The options of the commands that wait for downloads: whether to wait, and what Ctrl-C does.
struct WaitingOptions: ParsableArguments {
    @Flag(help: "Print the operations and return immediately")
    var noWait = false

    @Flag(help: "Cancel the downloads on Ctrl-C")
    var cancelOnInterrupt = false

    var waits: Bool { !noWait }

    /// Prints a line for each product that was installed or updated.
    ///
    /// - Parameter verb: the first word of the line, such as `Installed`.
    func report(_ products: [ProductInstallation], verb: String, _ client: StoreClient, _ console: Console) async {
        if console.json || (console.quiet && waits) { return }
        for product in products where product.result.error == nil {
            let id = product.productIdentifier
            if !product.isDownload {
                guard let pack = product.installation?.pack else {
                    console.confirmation("\(id) is up to date.")
                    continue
                }
                console.confirmation("\(id) is already installed: \(description(of: pack)).")
            } else if noWait {
                console.line("\(product.result.operation?.rawValue ?? "-")  \(id)")
            } else if product.result.end == .finished {
                guard let pack = try? await client.pack(id) else { continue }
                console.confirmation("\(verb) \(id): \(description(of: pack)).")
            }
        }
    }

    /// Returns the name, version, size and path of a pack as text for display.
    private func description(of pack: InstalledPack) -> String {
        let version = pack.version.map { "version \($0.text), " } ?? ""
        return "\(pack.name), \(version)\(AmountFormat.bytes(pack.size)), in \(pack.path)"
    }
}

extension ByteCountArgument: ExpressibleByArgument {}
