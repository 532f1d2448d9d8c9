extension ErrorCode {
    /// The events that a client requested are no longer retained, so it has to request a snapshot of the whole state.
    public static let eventsGone = ErrorCode("events.gone", .notFound)
}

extension ErrorTemplate {
    /// A client requested events from before the oldest one that is retained; argument `sequence`, an event's number.
    public static let eventsExpired = ErrorTemplate(
        .eventsGone, "the events after number {sequence} have expired",
        hint: "get a snapshot of the current state, and continue after its event number")
    /// A client requested events after a number that no event has had; argument `sequence`.
    public static let eventsNotReached = ErrorTemplate(
        .eventsGone, variant: "future", "no event has the number {sequence} yet",
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
