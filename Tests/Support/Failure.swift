public import StoreModel
public import Testing

/// The code of the error that a body must fail with.
public func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> ErrorCode? {
    do {
        try await body()
        Issue.record("it did not fail", sourceLocation: sourceLocation)
        return nil
    } catch {
        return (error as? any CodedError)?.code
    }
}
