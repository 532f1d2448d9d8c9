import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Downloads: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "Lists the downloads that run, and the last that ended since the daemon's start.",
        discussion: """
            Those that run in the order begun, whatever their priority. RATE and LEFT are smoothed over a few seconds.

            For example:
              storectl downloads --json
            """)

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let downloads = try await client().downloads()
        if console.json {
            console.document(DownloadList(downloads: downloads))
            return .done
        }
        guard !downloads.isEmpty else {
            console.remark("Nothing was downloaded since the daemon's start.")
            return .done
        }
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "STORE", flexible: true), .init(title: "STATE"),
            .init(title: "DONE", right: true), .init(title: "BYTES", right: true),
            .init(title: "RATE", right: true), .init(title: "LEFT", right: true),
            .init(title: "NOTES", flexible: true),
        ])
        for download in downloads {
            table.add(
                download.productIdentifier, download.store, download.state.rawValue,
                download.fraction.map(Amounts.percent) ?? "-",
                Amounts.bytes(download.bytesReceived, of: download.bytesExpected),
                download.rate.map { Amounts.rate(Double($0)) } ?? "-",
                download.secondsLeft.map { Amounts.time(Double($0)) } ?? "-",
                download.error?.message ?? notes(download))
        }
        console.table(table)
        return .done
    }

    /// What it is busy with, why it waits and until when.
    private func notes(_ download: DownloadStatus) -> String {
        guard let activity = download.activity else { return "" }
        var notes = activity == .paused ? download.reason ?? "paused" : activity.rawValue
        if let reason = download.reason, activity != .paused { notes += ": \(reason)" }
        if let retryAt = download.retryAt { notes += " (again at \(clockTime(retryAt)))" }
        if download.priority != 0 { notes += " (priority \(download.priority))" }
        return notes
    }
}

struct Watch: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Prints what happens, until interrupted.",
        discussion: """
            Begins at the present, or with --after behind that event. With an ID it ends with that product's \
            download, and exits as that ended. --json prints one event a line.

            For example:
              storectl watch --json
            """)

    @Argument(help: "Only what is about this product.")
    var id: String?

    @Option(help: ArgumentHelp("Begin behind the event with this sequence number.", valueName: "n"))
    var after: UInt64?

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        for try await event in try client().events(after: after, product: id) {
            if console.json { console.document(event) } else { console.line(line(event)) }
            guard id != nil, case .download(let status) = event.happening, let end = status.end else { continue }
            if end == .finished { return .done }
            let error = OperationResult(
                productIdentifier: status.productIdentifier, operation: status.operation, end: end, error: status.error
            ).failure
            if let error { console.warn(error) }
            return error?.code.exitCode ?? .failed
        }
        return .done
    }

    private func line(_ event: Event) -> String {
        let what =
            switch event.happening {
            case .download(let status): "download   \(status.productIdentifier)  \(words(status))"
            case .pack(let change):
                "pack       \(change.productIdentifier)  \(change.change.rawValue)"
                    + (change.version.map { " \($0.text)" } ?? "")
                    + (change.damages.map { ": \(counted($0, "file")) not as installed" } ?? "")
            case .catalogue(let store): "catalogue  \(store)  changed"
            case .updates(let updates):
                "updates    "
                    + updates.map { "\($0.productIdentifier) \($0.available?.text ?? "")" }.joined(separator: ", ")
            case .skin(let use, _):
                "skin       \(use.skin?.identifier ?? "none")  in use"
                    + (use.problem.map { ", because: \($0.message)" } ?? "")
            case .unknown(let type): type
            }
        return "\(clockTime(event.time))  \(what)"
    }

    private func words(_ status: DownloadStatus) -> String {
        var words = [status.state.rawValue]
        if let activity = status.activity { words.append(activity.rawValue) }
        if let fraction = status.fraction, !status.state.isEnd { words.append(Amounts.percent(fraction)) }
        if let reason = status.reason { words.append(reason) }
        if let error = status.error { words.append(error.message) }
        return words.joined(separator: "  ")
    }
}
