import StoreModel

extension Components {
    /// The clock of a story. The resources are there only while one is played.
    static let scenario: [String: Schema] = [
        "ClockRequest": .request(
            "How far to move the story's clock.",
            [.member("advance", seconds, "To the millisecond; 0 lets happen what is due now.")]),
        "Clock": .document(
            "How far a story is.",
            [
                .member("title", .text),
                .member("elapsed", seconds, "Since the story's beginning."),
                .member("time", .time, "The time of day in the story."),
                .member("next", seconds.orNull, "When the next thing happens that nobody has to ask for."),
                .member("sequence", .sequence, "Of the last event; all up to it are told."),
                .member(
                    "restarts", .flag,
                    "The daemon ends after this answer and starts again, and the clock has stopped there."),
                .member("steps", .list(of: "ClockStep"), "What the story did by itself during the move, in its order."),
            ]),
        "ClockStep": .document(
            "One thing that the story did by itself.",
            [
                .member("at", seconds, "Since the story's beginning."),
                .member("do", .name, "As the story calls it."),
                .member("productIdentifier", .name.orNull),
                .member("error", .component("Error").orNull, "Why it could not be made."),
            ]),
    ]

    /// Ten years are the most that a story takes.
    private static let seconds = Schema(.number(0...315_360_000))
}
