public import FoundationEssentials

/// The type of an operation on the installed packs: install, update, uninstall, rollback or repair.
public enum OperationAction: String, Sendable, Codable, CaseIterable {
    case install, update, uninstall, rollback, repair
}

/// How an operation (such as an install) ended; each operation has exactly one end.
public enum OperationEnd: String, Sendable, Codable, CaseIterable {
    case finished, cancelled, failed
}

/// The record of one operation (such as an install) in the history of what was done to the installed packs.
public struct OperationRecord: Sendable, Hashable, Codable {
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    @OrNull public var store: String?
    @OrNull public var version: Version?
    public var startedAt: Date
    @OrNull public var endedAt: Date?
    /// How the recorded operation ended; `nil` while it runs.
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
