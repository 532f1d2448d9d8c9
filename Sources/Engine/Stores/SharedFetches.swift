import StoreSystem

/// Fetches in progress, each of which serves all callers that request the same at the same time.
actor SharedFetches<Key: Hashable & Sendable, Value: Sendable> {
    /// A fetch in progress, and the callers that wait for its result.
    private struct Running {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Promise<Result<Value, any Error>>] = []
    }

    private var running: [Key: Running] = [:]
    /// The number of fetches that were begun so far, by which two fetches with one key differ.
    private var begunCount = 0

    /// The number of callers that wait for results.
    var waitingCount: Int { running.values.reduce(0) { $0 + $1.waiters.count } }

    /// Returns the result of a fetch: of the one in progress with this key, or of a new one (`fetch`).
    ///
    /// A cancelled caller stops waiting, and the fetch goes on for the others. When the last caller
    /// is cancelled, the fetch is cancelled as well, and that caller waits until it has ended.
    ///
    /// - Throws: the errors of `fetch`, which has to react to cancellation; `CancellationError`.
    func value(for key: Key, _ fetch: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let end = Promise<Result<Value, any Error>>()
        if running[key] == nil {
            begunCount += 1
            let number = begunCount
            running[key] = Running(number: number, task: Task { await run(key, number, fetch) })
        }
        running[key]?.waiters.append(end)
        let result: Result<Value, any Error>
        do {
            result = try await end.value()
        } catch {
            await stopWaiting(for: key, end)
            throw error
        }
        return try result.get()
    }

    private func run(_ key: Key, _ number: Int, _ fetch: @Sendable () async throws -> Value) async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await fetch())
        } catch {
            result = .failure(error)
        }
        // A fetch whose callers were all cancelled may have been replaced by another one.
        guard running[key]?.number == number, let ended = running.removeValue(forKey: key) else { return }
        for waiter in ended.waiters { waiter.keep(result) }
    }

    private func stopWaiting(for key: Key, _ end: Promise<Result<Value, any Error>>) async {
        // The fetch may have ended before the caller learned of its cancellation.
        guard let index = running[key]?.waiters.firstIndex(where: { $0 === end }) else { return }
        running[key]?.waiters.remove(at: index)
        guard running[key]?.waiters.isEmpty == true, let unwanted = running.removeValue(forKey: key) else { return }
        unwanted.task.cancel()
        await unwanted.task.value
    }
}
