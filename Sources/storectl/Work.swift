import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// What came of asking for one download.
enum Begun: Sendable {
    case running(DownloadStatus)
    /// Begun, but nothing more is known of it yet.
    case begun(OperationID)
    /// There was nothing to do: the pack is there.
    case present(InstalledPack?, OperationID?)
    case refused(ErrorReport)

    init(_ answer: InstallAnswer) {
        if let download = answer.download {
            self = .running(download)
        } else {
            self = .present(answer.pack, answer.operation)
        }
    }

    /// Asks, and takes what is thrown for the answer.
    static func asking(_ body: () async throws -> InstallAnswer) async throws -> Begun {
        do {
            return Begun(try await body())
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .refused(ErrorReport(error))
        }
    }
}

/// What came of one product of a command that downloads.
struct Outcome: Sendable {
    var result: OperationResult
    /// The pack, where there was nothing to do.
    var present: InstalledPack?
    var wasNeeded = true
    /// Bytes that came over the network, where the end was seen.
    var fetched: Int?
    /// Begun, perhaps unanswered, and left running.
    var runs: Bool { result.end == nil && result.error == nil && wasNeeded }
}

/// Begins downloads and shows how they come along until each has ended, or until Ctrl-C.
struct Work: Sendable {
    let client: StoreClient
    let console: Console
    /// `--no-wait` leaves it at the beginning.
    var waits = true

    /// - Parameters:
    ///   - names: what was asked for, where that is known before; a failure of the whole is told of each.
    ///   - begin: asks the daemon; gives a name and an answer for each.
    /// - Returns: one outcome for each, and whether Ctrl-C came first.
    func run(
        names: [String] = [], _ begin: @Sendable () async throws -> [(name: String, begun: Begun)]
    ) async throws -> (outcomes: [Outcome], wasInterrupted: Bool) {
        var outcomes = names.map { Outcome(result: OperationResult(productIdentifier: $0)) }
        var printer = ProgressPrinter(console)
        do {
            // Listened to before anything is begun, so that no end is missed.
            var follower = waits ? try await client.follower() : nil
            let answers = try await begin()
            outcomes = answers.map { Self.outcome($0.name, $0.begun) }
            guard waits else { return (outcomes, false) }
            printer.expect(outcomes.filter(\.runs).count)
            for (_, begun) in answers {
                switch begun {
                case .running(let status): follower?.follow(status)
                case .begun(let operation): follower?.follow(operation)
                case .present, .refused: break
                }
            }
            var paused: Set<OperationID> = []
            // Others find their archive among those that are kept.
            var fetching: Set<OperationID> = []
            while let status = try await follower?.next() {
                printer.update(status)
                if status.source != nil { fetching.insert(status.operation) }
                // Without progress nobody would see what is waited for, perhaps for days.
                if console.quiet, status.activity == .paused, paused.insert(status.operation).inserted {
                    let id = status.productIdentifier
                    console.warn("'\(id)' is paused. 'storectl resume \(id)' lets it go on.")
                }
                guard let end = status.end else { continue }
                for index in outcomes.indices where outcomes[index].result.operation == status.operation {
                    outcomes[index].result.end = end
                    outcomes[index].result.error = status.error
                    outcomes[index].fetched = fetching.contains(status.operation) ? status.bytesReceived : 0
                }
            }
            printer.clear()
            return (outcomes, false)
        } catch is CancellationError {
            printer.clear()
            return (outcomes, true)
        } catch  where !outcomes.isEmpty {
            printer.clear()
            let report = ErrorReport(error)
            for index in outcomes.indices where outcomes[index].result.end == nil && outcomes[index].wasNeeded {
                outcomes[index].result.error = outcomes[index].result.error ?? report
            }
            return (outcomes, false)
        }
    }

    private static func outcome(_ name: String, _ begun: Begun) -> Outcome {
        var outcome = Outcome(result: OperationResult(productIdentifier: name))
        switch begun {
        case .running(let status):
            outcome.result.productIdentifier = status.productIdentifier
            outcome.result.operation = status.operation
            outcome.result.end = status.end
            outcome.result.error = status.error
        case .begun(let operation):
            outcome.result.operation = operation
        case .present(let pack, let operation):
            outcome.result.productIdentifier = pack?.productIdentifier ?? name
            outcome.result.operation = operation
            outcome.result.end = .finished
            outcome.present = pack
            outcome.wasNeeded = false
        case .refused(let error):
            outcome.result.error = error
        }
        return outcome
    }

    /// Says what becomes of what runs after Ctrl-C, and stops it where that was asked for.
    func interrupted(_ outcomes: [Outcome], cancel: Bool) async -> ExitCode {
        var results = outcomes.map(\.result)
        let running = outcomes.indices.filter { outcomes[$0].runs }
        let ids = running.map { results[$0].productIdentifier }
        if cancel {
            // The task that runs here is cancelled itself; what it asked the daemon now would not be sent.
            let ends = await Task { [client] in
                try? await sideBySide(ids) { id in try? await client.cancelDownload(id).end }
            }.value
            for (index, end) in zip(running, ends ?? []) { results[index].end = end }
        }
        let names = ids.count > 3 ? counted(ids.count, "download") : ids.joined(separator: ", ")
        let report = ErrorReport(
            code: .interrupted,
            message: ids.isEmpty
                ? "Interrupted."
                : cancel
                    ? "Interrupted; \(names) cancelled."
                    : "Interrupted; the daemon goes on with \(names). 'storectl cancel' stops it."
        )
        console.warn(report.message)
        if console.json { console.document(ResultsDocument(results: results, error: report)) }
        return .interrupted
    }
}

extension ErrorCode {
    /// Ctrl-C while something was waited for.
    static let interrupted = ErrorCode("operation.interrupted", .interrupted)
}
