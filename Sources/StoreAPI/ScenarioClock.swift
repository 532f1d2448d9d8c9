public import FoundationEssentials
public import StoreModel

/// `POST /v1/scenario/clock`: moves the clock of the story that the daemon plays.
public struct ClockRequest: Sendable, Codable {
    /// Seconds, to the millisecond; 0 lets happen what is due now.
    public var advance: Double

    public init(advance: Double) { self.advance = advance }
}

/// `/v1/scenario/clock`: how far a story is.
public struct ClockDocument: Sendable, Codable {
    public var title: String
    /// Seconds since the story's beginning.
    public var elapsed: Double
    /// The time of day in the story.
    public var time: Date
    /// When the next thing happens that nobody has to ask for, in seconds since the beginning.
    @OrNull public var next: Double?
    /// The number of the last event. All up to it are told when the answer comes.
    public var sequence: UInt64
    /// The daemon ends after this answer, and starts again: the clock has stopped there, and is to be moved on when the
    /// daemon is back.
    public var restarts: Bool
    /// What happened by itself while the clock was moved, in order.
    public var steps: [ClockStep]

    public init(
        title: String, elapsed: Double, time: Date, next: Double?, sequence: UInt64, restarts: Bool, steps: [ClockStep]
    ) {
        self.title = title
        self.elapsed = elapsed
        self.time = time
        self.next = next
        self.sequence = sequence
        self.restarts = restarts
        self.steps = steps
    }
}

/// A step of a story that was made.
public struct ClockStep: Sendable, Codable {
    /// Seconds since the story's beginning.
    public var at: Double
    /// As the story calls it.
    public var action: String
    @OrNull public var productIdentifier: String?
    /// Why it could not be made.
    @OrNull public var error: ErrorReport?

    public init(at: Double, action: String, productIdentifier: String?, error: ErrorReport?) {
        self.at = at
        self.action = action
        self.productIdentifier = productIdentifier
        self.error = error
    }

    private enum CodingKeys: String, CodingKey {
        case at, productIdentifier, error
        case action = "do"
    }
}
