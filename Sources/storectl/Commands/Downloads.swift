import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Downloads: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List running downloads and those that ended recently",
        discussion: """
            Running downloads are listed in the order in which they were started, then those that ended since the \
            daemon's start. RATE and LEFT are averaged over a few seconds.

            Examples:
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
            console.note("No downloads since the daemon started.")
            return .done
        }
        var table = Table([
            .identifier(title: "ID"), .identifier(title: "STORE", omission: 0),
            .init(title: "STATE", omission: 6, style: stateStyle),
            .init(title: "DONE", right: true, omission: 5), .init(title: "BYTES", right: true, omission: 2),
            .init(title: "RATE", right: true, omission: 1), .init(title: "LEFT", right: true, omission: 3),
            .init(title: "NOTES", flexible: true, omission: 4),
        ])
        for download in downloads {
            table.add(
                download.productIdentifier, download.store, download.state.rawValue,
                download.fraction.map(AmountFormat.percent) ?? "-",
                AmountFormat.bytes(download.bytesReceived, of: download.bytesExpected),
                download.rate.map { AmountFormat.rate(Double($0)) } ?? "-",
                download.secondsLeft.map { AmountFormat.time(Double($0)) } ?? "-",
                download.error?.message ?? notes(download))
        }
        console.table(table)
        return .done
    }

    /// Returns the current activity of a download, the reason for a wait, and the time of the next attempt, as text.
    private func notes(_ download: DownloadStatus) -> String {
        guard let activity = download.activity else { return "" }
        var notes =
            switch activity {
            case .paused: download.reason ?? "paused"
            // The state says it.
            case .transferring where download.state == .downloading: ""
            default: download.activityAndReason
            }
        if let retryAt = download.retryAt { notes += " (next attempt at \(clockTime(retryAt)))" }
        guard download.priority != 0 else { return notes }
        return notes.isEmpty ? "priority \(download.priority)" : notes + " (priority \(download.priority))"
    }
}

struct Watch: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print events as they happen",
        discussion: """
            Prints events until interrupted, starting now, or after the event given with --after. With an ID, only that \
            product's events are printed, and the command ends with the exit code of its download. --json prints one \
            event per line.

            Examples:
              storectl watch --json
            """)

    @Argument(
        help: ArgumentHelp("Only events of this product; STORE/ID selects downloads from one store", valueName: "id"),
        completion: CompletionCandidates.downloads)
    var id: String?

    @Option(help: ArgumentHelp("Show events after this sequence number", valueName: "n"))
    var after: UInt64?

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        var name: ProductName?
        if let id {
            let parsed = try await ProductNames().parse([id], client)[0]
            try await requireKnown(parsed, as: id, client)
            name = parsed
        }
        do {
            return try await follow(client.events(after: after, product: name?.id), of: name, console)
        } catch let error as ErrorReport where error.code == .eventsGone && after != nil {
            throw ErrorReport(
                code: error.code, message: error.message, hint: "run the command again without '--after'")
        }
    }

    /// Prints events until the download of the product that was named ends.
    private func follow(
        _ events: some AsyncSequence<Event, any Error>, of name: ProductName?, _ console: Console
    ) async throws -> ExitCode {
        for try await event in events {
            if let store = name?.store, case .download(let status) = event.happening, status.store != store { continue }
            if console.json { console.document(event) } else { console.line(line(event)) }
            guard id != nil, case .download(let status) = event.happening, let end = status.end else { continue }
            if end == .finished { return .done }
            let error = OperationResult(
                productIdentifier: status.productIdentifier, operation: status.operation, end: end, error: status.error
            ).failure
            if let error { console.error(error) }
            return error?.code.exitCode ?? .failed
        }
        return .done
    }

    /// Checks that there can be events about a product: that a store offers it, or that something was done with it.
    ///
    /// - Throws: `product.unknown`, because the command would wait forever.
    ///
    /// - Parameter text: the product as the command line names it.
    private func requireKnown(_ name: ProductName, as text: String, _ client: StoreClient) async throws {
        let id = name.id
        let offered = try await client.products(ProductFilter(named: id, store: name.store)).products
        if offered.contains(where: { $0.productIdentifier == id }) { return }
        if try await !client.operations(of: id, limit: 1).operations.isEmpty { return }
        do {
            // Also finds packs that were placed by hand, and says which stores were searched.
            _ = try await client.product(id, store: name.store)
        } catch let error as ErrorReport where error.code == .productUnknown {
            if (try? await client.pack(id)) != nil { return }
            throw await ProductCandidates.clarify(text, as: name, error, client)
        } catch is ErrorReport {
            // A store may have it that does not respond, or that has withdrawn it.
        }
    }

    private func line(_ event: Event) -> String {
        let what =
            switch event.happening {
            case .download(let status): "download   \(status.productIdentifier)  \(description(of: status))"
            case .pack(let change):
                "pack       \(change.productIdentifier)  \(change.change.rawValue)"
                    + (change.version.map { " \($0.text)" } ?? "")
                    + (change.damages.map { ": \(counted($0, "damaged file"))" } ?? "")
            case .store(let change): "store      \(change.store)  \(change.summary == nil ? "removed" : "changed")"
            case .trust(let change): "trust      \(change.store)  \(change.trust?.rawValue ?? "removed")"
            case .purchase(let change):
                "purchase   \(change.productIdentifier)  \(change.grantedAt == nil ? "revoked" : "granted")"
            case .setting(let setting): "setting    \(setting.key)  \(setting.value)"
            case .catalogue(let store): "catalogue  \(store)  changed"
            case .updates(let updates):
                "updates    "
                    + updates.map { "\($0.productIdentifier) \($0.available?.text ?? "")" }.joined(separator: ", ")
            case .skin(let use, _):
                "skin       \(use.skin?.identifier ?? "none")  in use"
                    + (use.problem.map { " (\($0.message))" } ?? "")
            case .stickers(let change):
                "stickers   \(change.list.rawValue)  "
                    + (change.list == .order
                        ? counted(change.packs.count, "pack") : counted(change.stickers.count, "sticker"))
            case .unknown(let type): type
            }
        return "\(clockTime(event.time))  \(what)"
    }

    private func description(of status: DownloadStatus) -> String {
        var parts = [status.state.rawValue]
        if let activity = status.activity { parts.append(activity.rawValue) }
        if let fraction = status.fraction, !status.state.isEnd { parts.append(AmountFormat.percent(fraction)) }
        if let reason = status.reason { parts.append(reason) }
        if let error = status.error { parts.append(error.message) }
        return parts.joined(separator: "  ")
    }
}
