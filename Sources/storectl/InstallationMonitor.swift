import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// The state of the installation of one product that a command installs or updates.
struct ProductInstallation: Sendable {
    var productIdentifier: String
    /// The daemon's response to the request to install the product, with the newest status of the download.
    ///
    /// `nil` before the response and where it is an error.
    var installation: Installation?
    /// Why the product's download was not begun, or why it is unknown how it ended; `nil` where there is no such error.
    var error: ErrorReport?
    /// The pack that the product's download installed, or that was up to date; `nil` where the command did not request it.
    var pack: InstalledPack?
    /// The packs that were installed because the product needs them.
    var dependencies: [InstalledPack] = []
    /// The number of bytes of the download that came over the network; `nil` where its end was not observed.
    var fetched: Int?

    init(_ productIdentifier: String, error: ErrorReport? = nil) {
        self.productIdentifier = productIdentifier
        self.error = error
    }

    /// Sends the request to install a product, and records the response or the error.
    ///
    /// - Throws: `CancellationError`.
    init(_ productIdentifier: String, requesting request: () async throws -> Installation) async throws {
        self.productIdentifier = productIdentifier
        do {
            let answer = try await request()
            self.productIdentifier =
                answer.download?.productIdentifier ?? answer.pack?.productIdentifier ?? productIdentifier
            installation = answer
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            self.error = ErrorReport(error)
        }
    }

    /// Whether there was something to download for the product, as far as is known.
    var isDownload: Bool {
        guard let installation else { return true }
        return installation.download != nil || (installation.operation != nil && installation.pack == nil)
    }

    /// Whether a download of the product was requested whose end is not known.
    var isRunning: Bool { isDownload && result.end == nil && result.error == nil }

    /// The product's element of `results` in the command's JSON output.
    var result: OperationResult {
        OperationResult(
            productIdentifier: productIdentifier, operation: installation?.operation,
            end: isDownload ? installation?.download?.end : .finished,
            error: error ?? installation?.download.flatMap { $0.error?.naming(store: $0.store) })
    }
}

extension ErrorReport {
    /// Returns the error of a download with a hint that names the store where the hint speaks of the store's publisher.
    ///
    /// The error may be that of any transfer, which does not know for which store it is.
    ///
    /// - Parameter store: the name of the store; `nil` if it is unknown.
    func naming(store: String?) -> ErrorReport {
        guard let hint, let store, store != Receipt.localFiles else { return self }
        return ErrorReport(
            code: code, message: message,
            hint: hint.replacing("the store's publisher", with: "the publisher of the store '\(store)'"),
            permissions: permissions, requestingProduct: requestingProduct, rootFingerprint: rootFingerprint)
    }
}

/// An element of `results` in the JSON output of installing and updating products.
///
/// It has the result for one product, and the version and path of the pack if it is installed.
struct InstallationRow: Encodable {
    private let result: OperationResult
    private let pack: InstalledPack?

    init(_ product: ProductInstallation) {
        result = product.result
        pack = product.pack ?? product.installation?.pack
    }

    private enum Key: String, CodingKey { case version, path }

    func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(pack?.version, forKey: .version)
        try values.encode(pack?.path, forKey: .path)
    }
}

extension Console {
    /// Prints the errors of failed installations and, with `--json`, the document of all results.
    ///
    /// Returns the exit code of the command.
    func finish(_ products: [ProductInstallation]) -> ExitCode {
        finish(products.map(\.result), rows: products.map(InstallationRow.init))
    }
}

/// Requests installations of products and shows their progress until each has ended, or until Ctrl-C.
struct InstallationMonitor: Sendable {
    let client: StoreClient
    let console: Console
    /// Whether to wait until the installations have ended; `false` with `--no-wait`.
    var waits = true
    /// The plan whose warnings were printed before; `nil` if there was none.
    var plan: ChangePlan?

    /// Whether nothing is shown of the progress of downloads, nor how much they fetched.
    private var readsEndsOnly: Bool { console.quiet && !console.json }

    /// Requests installations of products and waits until they have ended.
    ///
    /// - Parameters:
    ///   - names: the products, where they are known beforehand: if `request` throws, the error is reported for each.
    ///   - request: sends the request to the daemon, and returns the response for each product.
    /// - Returns: the final state of each installation (its first state, if the command does not wait), and whether Ctrl-C
    ///   interrupted the wait.
    func run(
        names: [String] = [], _ request: @Sendable () async throws -> [ProductInstallation]
    ) async throws -> (products: [ProductInstallation], wasInterrupted: Bool) {
        var products = names.map { ProductInstallation($0) }
        var printer = ProgressPrinter(console)
        do {
            // The event stream is open before anything is requested, so that no end is missed.
            var follower = waits ? try await client.follower(endsOnly: readsEndsOnly) : nil
            products = try await request()
            let warnings = Set(products.flatMap { $0.installation?.warnings ?? [] })
            for warning in warnings.subtracting(plan?.warnings ?? []).sorted() {
                console.warning(warning)
            }
            guard waits else { return (products, false) }
            printer.expect(products.filter(\.isRunning).count)
            for product in products where product.isDownload {
                if let status = product.installation?.download {
                    follower?.follow(status)
                } else if let operation = product.installation?.operation {
                    follower?.follow(operation)
                }
            }
            try await follow(&follower, &products, &printer)
            printer.clear()
            return (products, false)
        } catch is CancellationError {
            printer.clear()
            return (products, true)
        } catch  where !products.isEmpty {
            printer.clear()
            let report = ErrorReport(error)
            for index in products.indices where products[index].isRunning { products[index].error = report }
            return (products, false)
        }
    }

    private func follow(
        _ follower: inout DownloadFollower?, _ products: inout [ProductInstallation], _ printer: inout ProgressPrinter
    ) async throws {
        let positions = Dictionary(grouping: products.indices) { products[$0].installation?.operation }
        var paused: Set<OperationID> = []
        // A download whose archive is in the cache fetches nothing, and its status never has a source.
        var fetching: Set<OperationID> = []
        while let status = try await follower?.next() {
            printer.update(status)
            if status.source != nil { fetching.insert(status.operation) }
            // Without progress output the user could not see that the command waits for a paused download, perhaps for
            // days.
            if console.quiet, status.activity == .paused, paused.insert(status.operation).inserted {
                let id = status.productIdentifier
                console.warning(
                    console.messages.text(
                        "'{product}' is paused; resume with 'storectl resume {product}'", ["product": id]))
            }
            guard status.end != nil else { continue }
            for index in positions[status.operation] ?? [] {
                products[index].installation?.download = status
                // Without the statuses before the end it is unknown whether anything was fetched.
                let fetched = fetching.contains(status.operation) ? status.bytesReceived : 0
                products[index].fetched = readsEndsOnly ? nil : fetched
            }
        }
    }

    /// Returns the products with their installed packs, whose version and path the command prints.
    func withPacks(_ products: [ProductInstallation]) async -> [ProductInstallation] {
        if console.quiet, !console.json { return products }
        let finished = products.indices.filter {
            products[$0].result.end == .finished && products[$0].installation?.pack == nil
        }
        guard !finished.isEmpty else { return products }
        // After Ctrl-C the current task is cancelled, so that a request that it made now would not be sent.
        let response = await Task { [client] in try await client.packs() }.result
        var products = products
        do {
            let packs = Dictionary(try response.get().map { ($0.productIdentifier, $0) }) { first, _ in first }
            // A pack that was removed in the meantime has neither version nor path.
            for index in finished {
                products[index].pack = packs[products[index].productIdentifier]
                products[index].dependencies = products[index].installation?.dependencies.compactMap { packs[$0] } ?? []
            }
        } catch {
            console.warning(
                console.messages.text(
                    "could not read the installed versions: {reason}",
                    ["reason": console.messages.translation(of: ErrorReport(error).message)]))
        }
        return products
    }

    /// Reports the downloads that are still running after Ctrl-C.
    ///
    /// - Parameter cancel: whether to cancel these downloads.
    func interrupted(_ products: [ProductInstallation], cancel: Bool) async -> ExitCode {
        var products = products
        let running = products.indices.filter { products[$0].isRunning }
        let ids = running.map { products[$0].productIdentifier }
        if cancel {
            // The current task is cancelled, so that a request that it made now would not be sent.
            let ends = await Task { [client] in
                try? await mapConcurrently(ids) { id in try? await client.cancelDownload(id) }
            }.value
            for (index, status) in zip(running, ends ?? []) {
                guard let status else { continue }
                var installation = products[index].installation ?? Installation(begun: status.operation)
                installation.download = status
                products[index].installation = installation
            }
        }
        let names =
            ids.count > 3
            ? EnglishText.filled(ids.count, one: "{count} download", other: "{count} downloads")
            : ids.joined(separator: ", ")
        let error =
            if ids.isEmpty {
                StoreError(.commandInterrupted)
            } else if cancel {
                StoreError(.commandInterruptedCancelled, ["downloads": names])
            } else {
                StoreError(.commandInterruptedRunning, ["downloads": names])
            }
        let report = ErrorReport(error)
        console.error(report)
        if console.json {
            console.document(ResultsDocument(results: products.map(InstallationRow.init), error: report))
        }
        return .interrupted
    }
}
