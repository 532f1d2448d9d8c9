import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// One product of a command that downloads, and the state of its installation.
struct ProductInstallation: Sendable {
    var productIdentifier: String
    /// The daemon's answer, with the newest status of the download; `nil` before the answer and where it is an error.
    var installation: Installation?
    /// The reason why nothing was begun, or why the end of the download is not known.
    var error: ErrorReport?
    /// The number of bytes that came over the network; `nil` where the end of the download was not seen.
    var fetched: Int?

    init(_ productIdentifier: String) { self.productIdentifier = productIdentifier }

    /// Makes a request, and records the answer or the error.
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

    /// Whether there was something to download, as far as is known.
    var isDownload: Bool {
        guard let installation else { return true }
        return installation.download != nil || (installation.operation != nil && installation.pack == nil)
    }

    /// Whether the download was requested and no end of it is known.
    var isRunning: Bool { isDownload && result.end == nil && result.error == nil }

    /// The row of the command's `results`.
    var result: OperationResult {
        OperationResult(
            productIdentifier: productIdentifier, operation: installation?.operation,
            end: isDownload ? installation?.download?.end : .finished, error: error ?? installation?.download?.error)
    }
}

/// Requests installations and shows their progress until each has ended, or until Ctrl-C.
struct InstallationMonitor: Sendable {
    let client: StoreClient
    let console: Console
    /// Whether to wait for the ends; `false` with `--no-wait`.
    var waits = true

    /// Requests installations and waits for their ends.
    ///
    /// - Parameters:
    ///   - names: the products, where they are known beforehand: a failure of `request` as a whole is reported for each.
    ///   - request: asks the daemon, and returns its answer for each product.
    /// - Returns: the end of each, and whether Ctrl-C came first.
    func run(
        names: [String] = [], _ request: @Sendable () async throws -> [ProductInstallation]
    ) async throws -> (products: [ProductInstallation], wasInterrupted: Bool) {
        var products = names.map { ProductInstallation($0) }
        var printer = ProgressPrinter(console)
        do {
            // The event stream is open before anything is requested, so that no end is missed.
            var follower = waits ? try await client.follower() : nil
            products = try await request()
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
        // A download whose archive is in the cache fetches nothing, and never names a source.
        var fetching: Set<OperationID> = []
        while let status = try await follower?.next() {
            printer.update(status)
            if status.source != nil { fetching.insert(status.operation) }
            // Without progress output nothing else would show why the command waits, perhaps for days.
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

    /// Reports the downloads that are left after Ctrl-C.
    ///
    /// - Parameter cancel: whether to cancel them.
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
