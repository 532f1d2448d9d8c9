public import Testing

/// Waits until a condition holds.
///
/// There is no time limit: if the condition never holds, the test's own time limit ends the test, and the place of this
/// call is an issue of the test.
///
/// - Returns: whether the condition holds; `false` only if the task was cancelled.
@discardableResult
public func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws -> Bool {
    do {
        while !Task.isCancelled {
            if try await condition() { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
    } catch  where !Task.isCancelled {
        throw error
    } catch {}
    Issue.record("the condition did not hold before the test was cancelled", sourceLocation: sourceLocation)
    return false
}
