import StoreAPI
import StoreModel
import StoreTerminal

/// The exit code of a call that named several: 0 where none failed, the common code where all failed alike, else 10.
///
/// - Parameter errors: one for each that was named, `nil` where it went well.
func commonExitCode(of errors: [ErrorReport?]) -> ExitCode {
    let codes = Set(errors.map { $0?.code.exitCode })
    if codes.isEmpty || codes == [nil] { return .done }
    if codes.count == 1, let code = codes.first ?? nil { return code }
    return .partial
}

/// The error that stands for all: the one there is, or how many of them.
func summary(of errors: [ErrorReport?]) -> ErrorReport? {
    let failures = errors.compactMap { $0 }
    guard let first = failures.first else { return nil }
    if errors.count == 1 || (failures.count == errors.count && Set(failures.map(\.code)).count == 1) { return first }
    return ErrorReport(
        code: .someFailed, message: "\(failures.count) of \(errors.count) failed; each result has its reason.")
}

extension ErrorCode {
    /// Of several, some failed.
    static let someFailed = ErrorCode("operation.some-failed", .partial)
}

/// `{"results":[…]}`, with the `error` of a failure beside it.
struct ResultsDocument<Row: Encodable>: Encodable {
    var results: [Row]
    var error: ErrorReport?
}

extension OperationResult {
    /// What went wrong, also where it was only stopped.
    var failure: ErrorReport? {
        if let error { return error }
        guard end == .cancelled else { return nil }
        return ErrorReport(code: .cancelled, message: "'\(productIdentifier)' was cancelled.")
    }

    init(_ record: OperationRecord) {
        self.init(
            productIdentifier: record.productIdentifier, operation: record.operation, end: record.end,
            error: record.error)
    }
}

extension Console {
    /// Says what became of each that a command named: failures on standard error, with `--json` the document.
    func finish(_ results: [OperationResult]) -> ExitCode { finish(results) { $0 } }

    /// - Parameter row: what the document has of each result.
    func finish(_ results: [OperationResult], row: (OperationResult) -> some Encodable) -> ExitCode {
        let failures = results.map(\.failure)
        if json { document(ResultsDocument(results: results.map(row), error: summary(of: failures))) }
        complain(about: zip(results.map(\.productIdentifier), failures).map { ($0, $1) })
        return commonExitCode(of: failures)
    }

    /// Names each that failed, and why; the same reason for all of them once.
    func complain(about failures: [(name: String, error: ErrorReport?)]) {
        let errors = failures.compactMap(\.error)
        if errors.count > 1, errors.count == failures.count, Set(errors.map(\.message)).count == 1 {
            return warn(errors[0])
        }
        for (name, error) in failures {
            guard let error else { continue }
            let isNamed = failures.count == 1 || error.message.contains("'\(name)'")
            warn(error, about: isNamed ? nil : name)
        }
    }
}

/// Does `body` for each of `items`, some at once, and gives what it made in the order of the items. What it throws ends
/// the others too.
func sideBySide<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
    // Enough that the daemon never waits for us; it decides how much it does at once.
    let atOnce = 16
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var values = [Value?](repeating: nil, count: items.count)
        var next = 0
        func add() {
            guard next < items.count else { return }
            let (index, item) = (next, items[next])
            group.addTask { (index, try await body(item)) }
            next += 1
        }
        for _ in 0..<atOnce { add() }
        for try await (index, value) in group {
            values[index] = value
            add()
        }
        return values.compactMap { $0 }
    }
}

/// Each only once, in the order in which they were named.
func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
}
