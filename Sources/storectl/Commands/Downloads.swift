import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
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
            console.note(console.messages.text("No downloads since the daemon started."))
            return .done
        }
        var table = Table([
            .identifier(title: console.messages.text("ID")),
            .identifier(title: console.messages.text("STORE"), omission: 0),
            .init(title: console.messages.text("STATE"), omission: 6, style: stateStyle(console.messages)),
            .init(title: console.messages.text("DONE"), right: true, omission: 5),
            .init(title: console.messages.text("BYTES"), right: true, omission: 2),
            .init(title: console.messages.text("RATE"), right: true, omission: 1),
            .init(title: console.messages.text("LEFT"), right: true, omission: 3),
            .init(title: console.messages.text("NOTES"), flexible: true, omission: 4),
        ])
        for download in downloads {
            table.add(
                download.productIdentifier, download.store, console.messages.title(for: download.state),
                download.fraction.map(AmountFormat.percent) ?? "-",
                AmountFormat.bytes(download.bytesReceived, of: download.bytesExpected, console.messages),
                download.rate.map { AmountFormat.rate(Double($0), console.messages) } ?? "-",
                download.secondsLeft.map { AmountFormat.time(Double($0), console.messages) } ?? "-",
                download.error.map { console.messages.translation(of: $0.message) }
                    ?? notes(download, console.messages))
        }
        console.table(table)
        return .done
    }

    /// Returns the current activity of a download, the reason for a wait, and the time of the next attempt, as text.
    private func notes(_ download: DownloadStatus, _ messages: Messages) -> String {
        guard let activity = download.activity else { return "" }
        var notes =
            switch activity {
            case .paused: download.reason.map { messages.translation(of: $0) } ?? messages.text("paused")
            // The state says it.
            case .transferring where download.state == .downloading: ""
            default: download.activityAndReason(messages)
            }
        if let retryAt = download.retryAt {
            notes = messages.text(
                "{activity} (next attempt at {time})", ["activity": notes, "time": clockTime(retryAt)])
        }
        guard download.priority != 0 else { return notes }
        let priority = messages.text("priority {number}", ["number": "\(download.priority)"])
        return notes.isEmpty ? priority : "\(notes) (\(priority))"
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
                code: error.code, message: error.message,
                hint: EnglishText.filled("run the command again without '--after'"))
        }
    }

    /// Prints events until the download of the product that was named ends.
    private func follow(
        _ events: some AsyncSequence<Event, any Error>, of name: ProductName?, _ console: Console
    ) async throws -> ExitCode {
        for try await event in events {
            if let store = name?.store, case .download(let status) = event.happening, status.store != store { continue }
            if console.json { console.document(event) } else { console.line(line(event, console.messages)) }
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
}
