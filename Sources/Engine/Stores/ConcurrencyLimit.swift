import StoreSystem

/// A limit of the number of asynchronous functions that run at once; further ones wait, and begin in order.
actor ConcurrencyLimit {
    private var free: Int
    private var waiting: [Promise<Void>] = []

    init(_ limit: Int) { free = limit }

    /// The number of callers that wait for others to end.
    var waitingCount: Int { waiting.count }

    /// Runs an asynchronous function (`body`) as soon as fewer than the limit are running, and returns its result.
    ///
    /// - Throws: what `body` throws; `CancellationError` without a call of `body` where the task is cancelled while it
    ///   waits.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        if free > 0 {
            free -= 1
        } else {
            let turn = Promise<Void>()
            waiting.append(turn)
            do {
                try await turn.value()
            } catch {
                // The turn of a cancelled task may have come before it learned of that.
                if let index = waiting.firstIndex(where: { $0 === turn }) { waiting.remove(at: index) } else { end() }
                throw error
            }
        }
        defer { end() }
        return try await body()
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().keep(()) }
    }
}
