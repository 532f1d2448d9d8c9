/// Waits until a condition holds.
///
/// There is no time limit: if the condition never holds, the test's own time limit ends the test.
///
/// - Returns: whether the condition holds; `false` only if the task was cancelled.
@discardableResult
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    while !Task.isCancelled {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}
