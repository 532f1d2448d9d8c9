import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal
import Synchronization

/// A command that changes each of the packs named on the command line and prints a line for each.
protocol EachPackCommand: StoreCommand {
    var packs: PackArguments { get }
    /// The word that begins the line printed for each changed pack, such as `Removed`.
    static var confirmationVerb: String { get }
    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult
}

struct PackArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Product identifiers", valueName: "id"))
    var ids: [String]
}

extension EachPackCommand {
    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let results = try await results(of: packs.ids) { try await Self.change($0, client) }
        for result in results where result.failure == nil && !console.json {
            console.confirmation("\(Self.confirmationVerb) \(result.productIdentifier).")
        }
        return console.finish(results)
    }
}

struct Uninstall: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Uninstall packs",
        discussion: """
            Also removes the previous version. A pack that another pack requires, or that is in use, is not removed. To \
            remove the skin in use, name another skin with --use.

            Examples:
              storectl uninstall org.example.cups
            """)

    @OptionGroup var packs: PackArguments
    @Option(help: ArgumentHelp("Skin to use instead of a removed one", valueName: "skin"))
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
        let removed = results.filter { $0.failure == nil }.map(\.productIdentifier)
        // A dependency may itself have been named on the command line, and removed.
        let remaining = unneeded.withLock { $0 }.mapValues { $0.filter { !removed.contains($0) } }
        guard !console.json else {
            return console.finish(results) { Row(result: $0, unneeded: remaining[$0.productIdentifier] ?? []) }
        }
        for id in removed { console.confirmation("Removed \(id).") }
        for id in Set(remaining.values.joined()).sorted() {
            console.hint("\(id) is no longer required; remove it with 'storectl uninstall \(id)'")
        }
        return console.finish(results)
    }

    /// An element of `results` in the JSON output of removing packs.
    ///
    /// It has the result for one pack, and the pack's dependencies that are no longer required or used.
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
        commandName: "hold", abstract: "Exclude packs from updates",
        discussion:
            "'update' skips held packs unless it names them.\n\nExamples:\n  storectl hold org.example.cups")
    static let confirmationVerb = "Held"

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions

    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult {
        _ = try await client.setHeld(id, true)
        return OperationResult(productIdentifier: id)
    }
}

struct Unhold: EachPackCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhold", abstract: "Include packs in updates again",
        discussion: "Examples:\n  storectl unhold org.example.cups")
    static let confirmationVerb = "Released"

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions

    static func change(_ id: String, _ client: StoreClient) async throws -> OperationResult {
        _ = try await client.setHeld(id, false)
        return OperationResult(productIdentifier: id)
    }
}

struct Rollback: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Restore a pack's previous version and hold it",
        discussion: "Examples:\n  storectl rollback org.example.cups\n  storectl unhold org.example.cups")

    @Argument(help: "Product identifier")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let record = try await client().rollback(id)
        if let error = record.error { throw error }
        if console.json {
            console.document(record)
        } else {
            let version = record.version.map { "version \($0.text)" } ?? "its previous version"
            console.confirmation("Restored \(id) to \(version) and held it.")
            if !console.quiet { console.hint("include it in updates again with 'storectl unhold \(id)'") }
        }
        return .done
    }
}

struct Cancel: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel downloads",
        discussion: "Examples:\n  storectl cancel org.example.cups")

    @Argument(help: ArgumentHelp("Product identifiers", valueName: "id"))
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
            console.confirmation(result.end == .cancelled ? "Cancelled \(id)." : "\(id) had already ended.")
        }
        console.printFailures(results.map { ($0.productIdentifier, $0.error) })
        return commonExitCode(of: results.map(\.error))
    }
}

extension StoreCommand {
    /// Calls `body` for each product identifier in parallel; an error becomes the result for that identifier.
    func results(
        of ids: [String], _ body: @escaping @Sendable (String) async throws -> OperationResult
    ) async throws -> [OperationResult] {
        try await mapConcurrently(distinct(ids)) { id in
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
