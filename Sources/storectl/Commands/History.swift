import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct History: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Shows what was done, by which operation, and with what end.",
        discussion: "The newest first.\n\nFor example:\n  storectl history org.example.cups")

    @Argument(help: "Only what was done to this product.")
    var id: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit: Int?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let limit, !(1...1000).contains(limit) { throw ValidationError("--limit takes a number from 1 to 1000.") }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let operations = try await client().history(of: id, limit: limit)
        if console.json {
            console.document(OperationList(operations: operations))
            return .done
        }
        guard !operations.isEmpty else {
            console.remark("Nothing was done.")
            return .done
        }
        var table = Table([
            .init(title: "STARTED"), .init(title: "ACTION"), .init(title: "ID", flexible: true),
            .init(title: "VERSION"), .init(title: "STORE", flexible: true), .init(title: "END"),
            .init(title: "OPERATION"), .init(title: "NOTES", flexible: true),
        ])
        for operation in operations {
            table.add(
                shortTime(operation.startedAt), operation.action.rawValue, operation.productIdentifier,
                operation.version?.text ?? "-", operation.store ?? "-", operation.end?.rawValue ?? "runs",
                operation.operation.rawValue, operation.error?.message ?? "")
        }
        console.table(table)
        return .done
    }
}
