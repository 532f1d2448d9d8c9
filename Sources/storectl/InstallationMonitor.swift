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
    /// The number of bytes of the download that came over the network; `nil` where its end was not observed.
    var fetched: Int?

    init(_ productIdentifier: String) { self.productIdentifier = productIdentifier }

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
            end: isDownload ? installation?.download?.end : .finished, error: error ?? installation?.download?.error)
    }
}

/// Requests installations of products and shows their progress until each has ended, or until Ctrl-C.
struct InstallationMonitor: Sendable {
    let client: StoreClient
    let console: Console
    /// Whether to wait until the installations have ended; `false` with `--no-wait`.
    var waits = true

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
            var follower = waits ? try await client.follower() : nil
            products = try await request()
            for warning in Set(products.flatMap { $0.installation?.warnings ?? [] }).sorted() {
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
                console.warning("'\(id)' is paused; resume with 'storectl resume \(id)'")
            }
            guard status.end != nil else { continue }
            for index in products.indices where products[index].installation?.operation == status.operation {
                products[index].installation?.download = status
                products[index].fetched = fetching.contains(status.operation) ? status.bytesReceived : 0
            }
        }
    }

    /// Reports the downloads that are still running after Ctrl-C.
    ///
    /// - Parameter cancel: whether to cancel these downloads.
    func interrupted(_ products: [ProductInstallation], cancel: Bool) async -> ExitCode {
        var results = products.map(\.result)
        let running = products.indices.filter { products[$0].isRunning }
        let ids = running.map { results[$0].productIdentifier }
        if cancel {
            // The current task is cancelled, so that a request that it made now would not be sent.
            let ends = await Task { [client] in
                try? await mapConcurrently(ids) { id in try? await client.cancelDownload(id).end }
            }.value
            for (index, end) in zip(running, ends ?? []) { results[index].end = end }
        }
        let names = ids.count > 3 ? counted(ids.count, "download") : ids.joined(separator: ", ")
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
        if console.json { console.document(ResultsDocument(results: results, error: report)) }
        return .interrupted
    }
}
