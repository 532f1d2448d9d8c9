public import FoundationEssentials

/// What an operation does to the installed packs.
public enum OperationAction: String, Sendable, Codable, CaseIterable {
    case install, update, uninstall, rollback, repair
}

/// How an operation ended; each operation has exactly one end.
public enum OperationEnd: String, Sendable, Codable, CaseIterable {
    case finished, cancelled, failed
}

/// An operation as stored in the history.
public struct OperationRecord: Sendable, Hashable, Codable {
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    @OrNull public var store: String?
    @OrNull public var version: Version?
    public var startedAt: Date
    @OrNull public var endedAt: Date?
    /// How the operation ended; `nil` while it runs.
    @OrNull public var end: OperationEnd?
    @OrNull public var error: ErrorReport?

    public init(
        operation: OperationID, action: OperationAction, productIdentifier: String, store: String? = nil,
        version: Version? = nil, startedAt: Date, endedAt: Date? = nil, end: OperationEnd? = nil,
        error: ErrorReport? = nil
    ) {
        self.operation = operation
        self.action = action
        self.productIdentifier = productIdentifier
        self.store = store
        self.version = version
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.end = end
        self.error = error
    }
}
