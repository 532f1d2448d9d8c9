import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal
import Synchronization

/// A command that does one thing to each of the packs that are named, and says so of each.
protocol EachPackCommand: StoreCommand {
    var packs: PackArguments { get }
    /// What was done, such as `Removed`.
    static var done: String { get }
    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult
}

struct PackArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The packs.", valueName: "id"))
    var ids: [String]
}

extension EachPackCommand {
    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let results = try await results(of: packs.ids) { try await Self.change($0, client) }
        for result in results where result.failure == nil && !console.json {
            console.confirmation("\(Self.done) \(result.productIdentifier).")
        }
        return console.finish(results)
    }
}

struct Uninstall: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes packs.",
        discussion: """
            The version before, kept for rollback, goes too. What another pack needs, or is in use, stays, and the \
            reason is told. A skin in use goes where --use names the one that takes its place.

            For example:
              storectl uninstall org.example.cups
            """)

    @OptionGroup var packs: PackArguments
    @Option(help: ArgumentHelp("Of a skin in use: the skin to use from then on.", valueName: "skin"))
    var use: String?

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let unneeded = Mutex<[String: [String]]>([:])
        let results = try await results(of: packs.ids) { id in
            let done = try await client.uninstall(id, using: use)
            unneeded.withLock { $0[id] = done.unneeded }
            return OperationResult(done.record)
        }
        let gone = results.filter { $0.failure == nil }.map(\.productIdentifier)
        // What was named itself is gone by now.
        let rest = unneeded.withLock { $0 }.mapValues { $0.filter { !gone.contains($0) } }
        guard !console.json else {
            return console.finish(results) { Row(result: $0, unneeded: rest[$0.productIdentifier] ?? []) }
        }
        for id in gone { console.confirmation("Removed \(id).") }
        for id in Set(rest.values.joined()).sorted() {
            console.remark("Nothing needs \(id) any more. Remove it with 'storectl uninstall \(id)'.")
        }
        return console.finish(results)
    }

    /// A result, and what the pack needed that nothing needs or uses any more.
    private struct Row: Encodable {
        let result: OperationResult
        let unneeded: [String]
        private enum Key: String, CodingKey { case unneeded }

        func encode(to encoder: any Encoder) throws {
            try result.encode(to: encoder)
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(unneeded, forKey: .unneeded)
        }
    }
}

struct Hold: EachPackCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Keeps packs as they are: update leaves them alone unless it names them.",
        discussion: "For example:\n  storectl hold org.example.cups")
    static let done = "Held"

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions

    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult {
        _ = try await client.setHeld(id, true)
        return OperationResult(productIdentifier: id)
    }
}

struct Unhold: EachPackCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhold", abstract: "Lets packs be updated again.",
        discussion: "For example:\n  storectl unhold org.example.cups")
    static let done = "No longer held:"

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions

    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult {
        _ = try await client.setHeld(id, false)
        return OperationResult(productIdentifier: id)
    }
}

struct Rollback: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Brings the version before of a pack back, and holds it.",
        discussion: "For example:\n  storectl rollback org.example.cups\n  storectl unhold org.example.cups")

    @Argument(help: "The pack.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let record = try await client().rollback(id)
        if let error = record.error { throw error }
        if console.json {
            console.document(record)
        } else {
            let version = record.version.map { "version \($0.text)" } ?? "its version before"
            console.confirmation(
                "\(id) is back at \(version), and held. 'storectl unhold \(id)' lets it be updated again.")
        }
        return .done
    }
}

struct Cancel: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stops downloads.",
        discussion: "For example:\n  storectl cancel org.example.cups")

    @Argument(help: ArgumentHelp("The products.", valueName: "id"))
    var ids: [String]

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let results = try await results(of: ids) { id in
            var follower = try await client.follower(product: id)
            var last = try await client.cancelDownload(id)
            follower.follow(last)
            while let status = try await follower.next() { last = status }
            return OperationResult(
                productIdentifier: id, operation: last.operation, end: last.end, error: last.error)
        }
        if console.json {
            console.document(ResultsDocument(results: results, error: summary(of: results.map(\.error))))
        }
        for result in results where result.error == nil && !console.json {
            let id = result.productIdentifier
            console.confirmation(result.end == .cancelled ? "Cancelled \(id)." : "\(id) had come to its end before.")
        }
        console.complain(about: results.map { ($0.productIdentifier, $0.error) })
        return commonExitCode(of: results.map(\.error))
    }
}

extension StoreCommand {
    /// Does `body` for each, side by side, and takes what it throws for the result.
    func results(
        of ids: [String], _ body: @escaping @Sendable (String) async throws -> OperationResult
    ) async throws -> [OperationResult] {
        try await sideBySide(distinct(ids)) { id in
            do {
                return try await body(id)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                return OperationResult(productIdentifier: id, error: ErrorReport(error))
            }
        }
    }
}
