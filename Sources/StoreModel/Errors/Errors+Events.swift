extension ErrorCode {
    /// The requested events are no longer retained.
    public static let eventsGone = ErrorCode("events.gone", .notFound)
}

extension ErrorTemplate {
    /// A subscription requested events that are no longer retained; argument `sequence`.
    public static let eventsExpired = ErrorTemplate(
        .eventsGone, "the events after number {sequence} have expired",
        hint: "get a snapshot of the current state, and continue after its event number")
    /// Events were dropped, because no event numbers could be reserved on the disk; argument `sequence`.
    public static let eventsDropped = ErrorTemplate(
        .eventsGone, variant: "dropped",
        "events before number {sequence} were dropped, because the disk accepted no event numbers",
        hint: "get a snapshot of the current state, and continue after its event number")
    /// A subscription's buffer overflowed, because the client reads events too slowly.
    public static let eventReaderTooSlow = ErrorTemplate(
        .eventsGone, variant: "reader-too-slow", "the client read events too slowly, and its event buffer overflowed",
        hint: "get a snapshot of the current state, and continue after its event number")
}
