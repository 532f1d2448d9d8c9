import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct History: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the history of operations",
        discussion:
            "Lists installs, updates, uninstalls, rollbacks and repairs, newest first.\n\nExamples:\n  storectl history org.example.cups"
    )

    @Argument(
        help: ArgumentHelp("Only operations on this product; STORE/ID selects those of one store", valueName: "id"),
        completion: CompletionCandidates.operations)
    var id: String?

    @Option(help: ArgumentHelp("Maximum number of entries", valueName: "n"))
    var limit: Int?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let limit, !(1...1000).contains(limit) {
            throw ValidationError(EnglishText.filled("--limit must be from 1 to 1000"))
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let operations = try await operations(try client())
        if console.json {
            console.document(OperationList(operations: operations))
            return .done
        }
        guard !operations.isEmpty else {
            console.note(
                id.map { console.messages.text("Nothing is recorded for '{product}'.", ["product": $0]) }
                    ?? console.messages.text("No history yet."))
            return .done
        }
        var table = Table([
            .init(title: console.messages.text("STARTED"), omission: 3),
            .init(title: console.messages.text("ACTION"), omission: 5), .identifier(title: console.messages.text("ID")),
            .init(title: console.messages.text("VERSION"), omission: 2),
            .identifier(title: console.messages.text("STORE"), omission: 1),
            .init(title: console.messages.text("END"), omission: 6, style: stateStyle(console.messages)),
            .identifier(title: console.messages.text("OPERATION"), omission: 0),
            .init(title: console.messages.text("NOTES"), flexible: true, omission: 4),
        ])
        for operation in operations {
            table.add(
                shortTime(operation.startedAt), console.messages.word(for: operation.action),
                operation.productIdentifier, operation.version?.text ?? "-", operation.store ?? "-",
                console.messages.word(for: operation.end), operation.operation.rawValue,
                operation.error.map { console.messages.translation(of: $0.message) } ?? "")
        }
        console.table(table)
        return .done
    }

    private func operations(_ client: StoreClient) async throws -> [OperationRecord] {
        if let id { try ProductNames.requireNotEmpty([id]) }
        let found = try await client.history(of: id, limit: limit)
        // The store may be one that was removed since.
        guard found.isEmpty, let id, let (store, product) = ProductNames.split(id) else { return found }
        var operations: [OperationRecord] = []
        var next: String?
        repeat {
            let page = try await client.operations(of: product, after: next)
            operations += page.operations.filter { $0.store == store }
            next = page.next
            // Without a limit, one page of the product's operations is shown, as without a store.
        } while next != nil && operations.count < limit ?? 1
        return limit.map { Array(operations.prefix($0)) } ?? operations
    }
}
