/// Waits until a condition holds.
///
/// Has no time limit of its own: a test that waits in vain ends by the test's limit.
///
/// - Returns: whether the condition holds; `false` only where the task was cancelled.
@discardableResult
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    while !Task.isCancelled {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}
