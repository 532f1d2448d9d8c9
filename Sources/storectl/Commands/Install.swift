import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreSystem
import StoreTerminal

struct Install: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install products",
        discussion: """
            Downloads and installs several products in parallel. If several stores offer ID, the store with the highest \
            priority is used; STORE/ID selects one, and ID@VERSION one that offers this version. On a terminal, ID may \
            also be a name, or the end of an identifier after a dot, which is confirmed first. A file (./pack.zip) is \
            installed as if from an unsigned store, after confirmation or with --unsigned; hidden files in it are left \
            out. A plugin requires consent to its permissions, which --consent gives in advance. On a terminal, the plan \
            is shown first, and dependencies that are installed as well are confirmed, unless --yes is given; --dry-run \
            only prints the plan. Queued downloads start in order of --priority, which also applies to downloads already \
            queued. Ctrl-C leaves downloads running.

            Examples:
              storectl install org.example.cups cups/org.example.mugs
              storectl install org.example.cups@1.2.0
              storectl install ./pack.zip --unsigned
              storectl install org.example.cats --priority 10
              storectl install org.example.cats --dry-run
            """)

    @Argument(
        help: ArgumentHelp("Product identifiers, STORE/ID, ID@VERSION, or files", valueName: "id"),
        completion: CompletionCandidates.productsAndArchives)
    var ids: [String]

    @Option(
        help: ArgumentHelp("Install from this store", valueName: "name"), completion: CompletionCandidates.stores)
    var store: String?

    @Flag(help: "Install unsigned files without confirmation")
    var unsigned = false

    @Option(
        help: ArgumentHelp(
            "Bandwidth limit of each download in bytes per second; suffixes k, M, G (powers of 1000)",
            valueName: "n"))
    var limitRate: ByteCountArgument?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Priority in the queue; higher starts first (default: 0)", valueName: "n"))
    var priority: Int?

    @OptionGroup var consenting: ConsentOptions

    @OptionGroup var planning: PlanOptions

    @OptionGroup var waiting: WaitingOptions

    static let createsHome = true

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { store }

    func validate() throws {
        if ids.contains("") {
            throw ValidationError(EnglishText.filled("the product identifier must not be empty"))
        }
        // An identifier may contain a slash, so that only what can't be meant as one is a file here.
        if store != nil, ids.contains(where: { LocalPack.isPath($0) && LocalPack.path(of: $0) != nil }) {
            throw ValidationError(EnglishText.filled("--store can't be used with a file"))
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = distinct(ids)
        let files = ids.map { self.store == nil ? LocalPack.path(of: $0) : nil }
        for (name, file) in zip(ids, files) where file != nil && !unsigned && !planning.dryRun {
            guard try await LocalPack.mayInstall(name, console) else {
                throw StoreError(.productCancelled, ["product": name])
            }
        }
        let wanted: [Target]
        let agreed: ChangePlan?
        do {
            wanted = try await targets(ids, files, client, console)
            let decision = try await planning.decide(
                console, isShown: console.errors.isTerminal, names: ids, consent: consenting.permissions
            ) {
                try await plan(wanted, client)
            }
            switch decision {
            case .proceed(let plan): agreed = plan
            case .end(let exitCode): return exitCode
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let report = ErrorReport(error)
            return console.finish(ids.map { OperationResult(productIdentifier: $0, error: report) })
        }
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits, plan: agreed)
        let (products, wasInterrupted) = try await consenting.retryingWithConsent(console) { again, consent in
            let targets = again?.map { wanted[$0.index] } ?? wanted
            return try await monitor.run(names: targets.map(\.text)) {
                try await request(targets, consent, agreed?.agreement, client)
            }
        }
        for product in products {
            console.warn(leftOut: product.installation?.leftOut ?? [], of: product.productIdentifier)
        }
        let ended = await monitor.withPacks(products)
        waiting.report(ended, as: .installed, console)
        if wasInterrupted { return await monitor.interrupted(ended, cancel: waiting.cancelOnInterrupt) }
        return console.finish(ended)
    }

    /// A product or a file to install, as the command line names it.
    private struct Target: Sendable {
        let text: String
        /// The absolute path of the file to install; `nil` for a product.
        let file: String?
        let name: ProductName
        /// Why the product can't be installed in the version that the command line names; `nil` if it can.
        var failure: ErrorReport?

        /// The product or the file, as a request for a plan names it.
        var planned: ChangePlan.Product {
            file.map { ChangePlan.Product(file: $0) } ?? ChangePlan.Product(name.id, store: name.store)
        }
    }

    /// Returns what the command line names, after asking the user about texts that are names and not identifiers.
    private func targets(
        _ ids: [String], _ files: [String?], _ client: StoreClient, _ console: Console
    ) async throws -> [Target] {
        let names = try await ProductNames(store: store).parse(ids, client)
        let products = zip(files, names).compactMap { file, name in file == nil ? name : nil }
        let identifiers = await ProductCandidates.identifiers(among: products, client, console)
        var targets: [Target] = []
        for (text, (file, name)) in zip(ids, zip(files, names)) {
            guard file == nil else {
                targets.append(Target(text: text, file: file, name: name))
                continue
            }
            do {
                var product = try await ProductVersions.resolve(name, client)
                // What names a version names a product by its identifier.
                if product == name, !identifiers.contains(name) {
                    product = try await ProductCandidates.confirm(name, client, console)
                }
                targets.append(Target(text: text, file: nil, name: product))
            } catch let error as any CodedError where error.code != .cancelled {
                // The other products are installed nevertheless.
                targets.append(Target(text: text, file: nil, name: name, failure: await clarify(ErrorReport(error))))
            }
        }
        return targets
    }

    /// Requests the plan of the installation of products and files.
    private func plan(_ targets: [Target], _ client: StoreClient) async throws -> ChangePlan {
        let installable = targets.filter { $0.failure == nil }.map(\.planned)
        var plan = installable.isEmpty ? ChangePlan(steps: []) : try await client.plan(.install, installable)
        // The command line names the products differently than the daemon does.
        for (index, failure) in plan.failures.enumerated() {
            guard let target = targets.first(where: { $0.planned.name == failure.productIdentifier }) else { continue }
            plan.failures[index].productIdentifier = target.text
            plan.failures[index].error = await clarify(failure.error, of: target, client)
        }
        plan.failures += targets.compactMap { target in
            target.failure.map { ChangePlan.Failure(productIdentifier: target.text, error: $0) }
        }
        return plan
    }

    /// Returns a clearer error for an unknown product: one that says what the text may mean.
    private func clarify(_ error: ErrorReport, of target: Target, _ client: StoreClient) async -> ErrorReport {
        if error.code == .storeUnknown { return await clarify(error) }
        guard target.file == nil, error.code == .productUnknown else { return error }
        let clarified = LocalPack.clarify(target.text, error)
        guard ids.count <= SimilarIdentifiers.maximumCount else { return clarified }
        return await ProductCandidates.clarify(target.text, as: target.name, clarified, client)
    }

    /// Requests the installations of products and files: the products of a store together, and each file alone.
    ///
    /// - Parameter agreed: the identifiers of the plan's steps; `nil` if there was no plan.
    private func request(
        _ targets: [Target], _ consent: Consent, _ agreed: Set<String>?, _ client: StoreClient
    ) async throws -> [ProductInstallation] {
        async let requestedFiles = request(files: targets.filter { $0.file != nil }, consent, agreed, client)
        var products = targets.map { ProductInstallation($0.file == nil ? $0.name.id : $0.text, error: $0.failure) }
        var requested = targets.indices.filter { targets[$0].file == nil && targets[$0].failure == nil }
        while let first = requested.first, !Task.isCancelled {
            let batch = requested.filter { targets[$0].name.store == targets[first].name.store }.prefix(Self.batchSize)
            requested.removeAll(where: Set(batch).contains)
            let results = try await request(sameStore: batch.map { targets[$0] }, consent, agreed, client)
            for (index, result) in zip(batch, results) { products[index] = result }
        }
        // After Ctrl-C.
        for index in requested {
            products[index].error = ErrorReport(StoreError(.productCancelled, ["product": targets[index].name.id]))
        }
        for (index, result) in zip(targets.indices.filter { targets[$0].file != nil }, try await requestedFiles) {
            products[index] = result
        }
        return products
    }

    /// Requests the installations of files.
    private func request(
        files targets: [Target], _ consent: Consent, _ agreed: Set<String>?, _ client: StoreClient
    ) async throws -> [ProductInstallation] {
        try await mapConcurrently(targets) { target in
            try await ProductInstallation(target.text) {
                try await client.beginInstall(
                    file: target.file ?? "", consent: consent, agreed: agreed, priority: priority,
                    rateLimit: limitRate?.bytes)
            }
        }
    }

    /// The number of products that are requested at once: the first of a long list begin while the others are requested.
    private static let batchSize = 250

    /// Requests the installations of products that have the same store.
    private func request(
        sameStore targets: [Target], _ consent: Consent, _ agreed: Set<String>?, _ client: StoreClient
    ) async throws -> [ProductInstallation] {
        let (priority, rate) = (priority, limitRate?.bytes)
        // Ctrl-C does not interrupt it: which downloads it has begun would not be known, and they could not be cancelled.
        let request = Task {
            try await client.beginInstalls(
                targets.map(\.name.id), store: targets.first?.name.store, consent: consent, agreed: agreed,
                priority: priority, rateLimit: rate)
        }
        switch await request.result {
        case .success(let results):
            return try await mapConcurrently(Array(zip(targets, results))) { target, result in
                var product = ProductInstallation(target.name.id)
                product.installation = result.installation
                if let error = result.error { product.error = await clarify(error, of: target, client) }
                return product
            }
        case .failure(let error):
            let report = ErrorReport(error)
            return targets.map { ProductInstallation($0.name.id, error: report) }
        }
    }
}

/// The options of the commands that wait for downloads: whether to wait, and what Ctrl-C does.
struct WaitingOptions: ParsableArguments {
    @Flag(help: "Print the operations and return immediately")
    var noWait = false

    @Flag(help: "Cancel the downloads on Ctrl-C")
    var cancelOnInterrupt = false

    var waits: Bool { !noWait }

    /// Prints a line for each product that was installed or updated, and for each that was installed because of it.
    ///
    /// - Parameter action: what the command did with the products.
    func report(_ products: [ProductInstallation], as action: CompletedAction, _ console: Console) {
        if console.json || (console.quiet && waits) { return }
        let messages = console.messages
        var named = Set(products.map(\.productIdentifier))
        for product in products where product.result.error == nil {
            let id = product.productIdentifier
            if !product.isDownload {
                guard let pack = product.installation?.pack else {
                    console.confirmation(messages.text("{product} is up to date.", ["product": id]))
                    continue
                }
                console.confirmation(
                    messages.text(
                        "{product} is already installed: {pack}.",
                        ["product": id, "pack": description(of: pack, messages)]))
            } else if noWait {
                guard let operation = product.result.operation else { continue }
                console.line("\(operation.rawValue)  \(id)")
            } else if let pack = product.pack {
                for dependency in product.dependencies where named.insert(dependency.productIdentifier).inserted {
                    console.confirmation(
                        action.text(
                            dependency.productIdentifier, requiredBy: id, description(of: dependency, messages),
                            messages))
                }
                console.confirmation(action.text(id, description(of: pack, messages), messages))
            }
        }
    }

    /// Returns the name, version, size and path of a pack as text for display.
    private func description(of pack: InstalledPack, _ messages: Messages) -> String {
        let values = [
            "name": pack.name, "version": pack.version?.text ?? "", "path": pack.path,
            "size": AmountFormat.bytes(pack.size, messages),
        ]
        return pack.version == nil
            ? messages.text("{name}, {size}, in {path}", values)
            : messages.text("{name}, version {version}, {size}, in {path}", values)
    }
}

/// What a command did with products, for the lines that it prints about them.
enum CompletedAction {
    case installed, updated, imported

    /// Returns the line about a product.
    ///
    /// - Parameters:
    ///   - other: the product because of which it was installed; `nil` if the user named it.
    ///   - pack: the name, version, size and path of its pack.
    func text(_ product: String, requiredBy other: String? = nil, _ pack: String, _ messages: Messages) -> String {
        let values = ["product": product, "other": other ?? "", "pack": pack]
        return switch (self, other) {
        case (.installed, nil): messages.text("Installed {product}: {pack}.", values)
        case (.updated, nil): messages.text("Updated {product}: {pack}.", values)
        case (.imported, nil): messages.text("Imported {product}: {pack}.", values)
        case (.installed, _?): messages.text("Installed {product}, required by {other}: {pack}.", values)
        case (.updated, _?): messages.text("Updated {product}, required by {other}: {pack}.", values)
        case (.imported, _?): messages.text("Imported {product}, required by {other}: {pack}.", values)
        }
    }
}

extension ByteCountArgument: ExpressibleByArgument {}

extension Install: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.ids }
}
