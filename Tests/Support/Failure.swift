public import StoreModel
public import Testing

/// Returns the code of the error that `body` throws; records an issue if it throws none.
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
