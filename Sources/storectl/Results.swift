import StoreAPI
import StoreMessages
import StoreModel
import StoreTerminal

/// Returns the exit code of a command for several items.
///
/// It is 0 if no item failed, the common code if all failed with the same one, else 10.
///
/// - Parameter errors: one for each item, `nil` for success.
func commonExitCode(of errors: [ErrorReport?]) -> ExitCode {
    let codes = Set(errors.map { $0?.code.exitCode })
    if codes.isEmpty || codes == [nil] { return .done }
    if codes.count == 1, let code = codes.first ?? nil { return code }
    return .partial
}

/// Returns the error of a command for several items; `nil` if no item failed.
///
/// It is the first item's error if there is only one item, or if all items failed with the same code; otherwise it
/// states the number of failed items.
func summary(of errors: [ErrorReport?]) -> ErrorReport? {
    let failures = errors.compactMap { $0 }
    guard let first = failures.first else { return nil }
    if errors.count == 1 || (failures.count == errors.count && Set(failures.map(\.code)).count == 1) { return first }
    return ErrorReport(StoreError(.someItemsFailed, ["failed": failures.count, "all": errors.count]))
}

/// The JSON output `{"results":[…]}` of a command for several items.
///
/// It has an `error` if any of the items failed.
struct ResultsDocument<Row: Encodable>: Encodable {
    var results: [Row]
    var error: ErrorReport?
}

extension OperationResult {
    /// The error of the operation, also if it was cancelled; `nil` if it succeeded.
    var failure: ErrorReport? {
        if let error { return error }
        guard end == .cancelled else { return nil }
        return ErrorReport(StoreError(.productCancelled, ["product": productIdentifier]))
    }

    init(_ record: OperationRecord) {
        self.init(
            productIdentifier: record.productIdentifier, operation: record.operation, end: record.end,
            error: record.error)
    }
}

extension Console {
    /// Prints the errors of failed operations and, with `--json`, the document of all results; returns the exit code.
    func finish(_ results: [OperationResult]) -> ExitCode { finish(results, rows: results) }

    /// Prints the errors of failed operations and, with `--json`, the document of all results; returns the exit code.
    ///
    /// - Parameter rows: the elements of the document, one for each result.
    func finish(_ results: [OperationResult], rows: [some Encodable]) -> ExitCode {
        let failures = results.map(\.failure)
        if json { document(ResultsDocument(results: rows, error: summary(of: failures))) }
        printFailures(zip(results.map(\.productIdentifier), failures).map { ($0, $1) })
        return commonExitCode(of: failures)
    }

    /// Prints the errors of failed items of a command: each reason once, with the items that failed for it.
    func printFailures(_ failures: [(name: String, error: ErrorReport?)]) {
        var names: [String: [String]] = [:]
        for (name, error) in failures { if let error { names[error.message, default: []].append(name) } }
        for (_, error) in failures {
            guard let error, let concerned = names.removeValue(forKey: error.message) else { continue }
            // Without names if the reason concerns all items, or names the item itself.
            let isNamed = concerned.count == failures.count || error.message.contains("'\(concerned[0])'")
            self.error(error, of: isNamed ? nil : messages.names(concerned))
        }
    }
}

extension Messages {
    /// Returns the names in the order in which they are given, and of many the first and the number of the others.
    func names(_ names: [String]) -> String {
        let shown = 3
        guard names.count > shown + 1 else { return names.joined(separator: ", ") }
        return text(
            names.count - shown, one: "{names} and {count} other", other: "{names} and {count} others",
            ["names": names.prefix(shown).joined(separator: ", ")])
    }
}

/// Calls `body` for each item, up to 16 in parallel, and returns the values in the order of the items.
///
/// - Throws: the first error of `body`, after the remaining calls were cancelled.
func mapConcurrently<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
    if items.count == 1 { return [try await body(items[0])] }
    // Enough to keep the daemon busy; the daemon limits what it does in parallel.
    let maximumParallel = 16
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var values = [Value?](repeating: nil, count: items.count)
        var next = 0
        func add() {
            guard next < items.count else { return }
            let (index, item) = (next, items[next])
            group.addTask { (index, try await body(item)) }
            next += 1
        }
        for _ in 0..<maximumParallel { add() }
        for try await (index, value) in group {
            values[index] = value
            add()
        }
        return values.compactMap { $0 }
    }
}

/// Returns the names without duplicates, in their original order.
func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
}
