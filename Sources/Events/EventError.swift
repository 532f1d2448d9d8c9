public import StoreModel

/// Why a subscription could not begin, or ended early.
public struct EventError: CodedError {
    public let code: ErrorCode
    public let message: String

    static func expired(after sequence: UInt64) -> EventError {
        EventError(code: .eventsGone, message: "the events after number \(sequence) have expired; take a snapshot")
    }

    static let readerTooSlow = EventError(
        code: .eventsGone, message: "the event reader fell too far behind; take a snapshot")
}

extension ErrorCode {
    /// The requested events are no longer retained.
    public static let eventsGone = ErrorCode("events.gone", .notFound)
}
