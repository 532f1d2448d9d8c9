import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Install: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Downloads and installs products.",
        discussion: """
            Several are brought in side by side. ID takes the one store that has it, or the one of the highest \
            priority; STORE/ID says which. A file (./pack.zip) is installed as if from an unsigned store, after a \
            question, or with --unsigned. Ctrl-C leaves the downloads running. A plugin is installed after consent \
            to what it may do, which --consent gives without a question. Of those that wait for their turn the one \
            of the highest --priority comes first; one that waits already gets it, too.

            For example:
              storectl install org.example.cups cups/org.example.mugs
              storectl install ./pack.zip --unsigned
              storectl install org.example.cats --priority 10
            """)

    @Argument(help: ArgumentHelp("Products, STORE/ID, or files.", valueName: "id"))
    var ids: [String]

    @Option(help: ArgumentHelp("Take them from this store.", valueName: "name"))
    var store: String?

    @Flag(help: "Install files without asking, although nothing says who made them.")
    var unsigned = false

    @Option(
        help: ArgumentHelp(
            "Bytes a second for each of them; k, M and G stand for thousands. The setting network.bandwidth is for all.",
            valueName: "n"))
    var limitRate: ByteCount?
    @Option(help: ArgumentHelp("Whose turn comes first: the higher; 0 unless given.", valueName: "n"))
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
                throw ErrorReport(code: .cancelled, message: "'\(name)' was not installed.")
            }
        }
        let (store, priority, rate) = (store, priority, limitRate?.bytes)
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
        let (products, wasInterrupted) = try await consenting.asking(console) { places, consent in
            let wanted = (places ?? Array(ids.indices)).map { (id: ids[$0], file: files[$0], consent: consent($0)) }
            return try await monitor.run(names: wanted.map(\.id)) {
                let names = try await ProductNames(store: store).read(wanted.map(\.id), client)
                let requests = zip(wanted, names).map { (wanted: $0, name: $1) }
                return try await sideBySide(requests) { request in
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
                            throw LocalPack.naming(request.wanted.id, error)
                        }
                    }
                }
            }
        }
        if wasInterrupted { return await monitor.interrupted(products, cancel: waiting.cancelOnInterrupt) }
        await waiting.report(products, done: "Installed", client, console)
        return console.finish(products.map(\.result))
    }
}

/// What commands take that wait for downloads.
struct WaitingOptions: ParsableArguments {
    @Flag(help: "Print the operations and return at once.")
    var noWait = false

    @Flag(help: "Let Ctrl-C stop the downloads.")
    var cancelOnInterrupt = false

    var waits: Bool { !noWait }

    /// One closing line for each product that went well.
    ///
    /// - Parameter done: what was done, such as `Installed`.
    func report(_ products: [ProductInstallation], done: String, _ client: StoreClient, _ console: Console) async {
        if console.json || (console.quiet && waits) { return }
        for product in products where product.result.error == nil {
            let id = product.productIdentifier
            if !product.isDownload {
                guard let pack = product.installation?.pack else {
                    console.confirmation("\(id) is up to date.")
                    continue
                }
                console.confirmation("\(id) is installed already: \(facts(pack)).")
            } else if noWait {
                console.line("\(product.result.operation?.rawValue ?? "-")  \(id)")
            } else if product.result.end == .finished {
                guard let pack = try? await client.pack(id) else { continue }
                console.confirmation("\(done) \(id): \(facts(pack)).")
            }
        }
    }

    /// What, version, size, where.
    private func facts(_ pack: InstalledPack) -> String {
        let version = pack.version.map { "version \($0.text), " } ?? ""
        return "\(pack.name), \(version)\(Amounts.bytes(pack.size)), in \(pack.path)"
    }
}

extension ByteCount: ExpressibleByArgument {}
