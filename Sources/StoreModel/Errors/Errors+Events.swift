extension ErrorCode {
    /// The requested events are no longer retained.
    public static let eventsGone = ErrorCode("events.gone", .notFound)
}

extension ErrorTemplate {
    /// A subscription requested events that are no longer retained; argument `sequence`.
    public static let eventsExpired = ErrorTemplate(
        .eventsGone, "the events after number {sequence} have expired",
        hint: "take a snapshot and continue after its event number")
    /// A subscription's buffer overflowed, because the client reads events too slowly.
    public static let eventReaderTooSlow = ErrorTemplate(
        .eventsGone, variant: "reader-too-slow", "the event reader fell too far behind",
        hint: "take a snapshot and continue after its event number")
}
