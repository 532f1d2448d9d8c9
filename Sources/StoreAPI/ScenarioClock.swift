public import FoundationEssentials
public import StoreModel
public import StoreOpenAPI

/// The JSON body of `POST /v1/scenario/clock`: how far to advance the simulated clock of the running scenario.
///
/// A scenario is a scripted sequence of events that plays in place of the network, for tests of front-ends.
public struct ClockRequest: Sendable, Codable {
    /// The time by which to advance the scenario's clock, in seconds, to the millisecond.
    ///
    /// 0 runs the steps of the scenario that are due now.
    public var advance: Double

    /// Creates the request to advance the simulated clock of a scenario.
    public init(advance: Double) { self.advance = advance }
}

extension ClockRequest: SchemaProviding {
    public static let schemaName = "ClockRequest"
    public static let schema = Schema.request(
        "How far to advance the scenario's clock.",
        [.required("advance", .seconds, "In seconds, to the millisecond; 0 runs the steps that are due now.")])
}

/// The daemon's JSON response for `/v1/scenario/clock`: the time on the simulated clock of the running scenario.
///
/// A scenario is a scripted sequence of events that plays in place of the network, for tests of front-ends.
public struct ClockDocument: Sendable, Codable {
    /// The title of the running scenario (a scripted test of front-ends).
    public var title: String
    /// The simulated time since the beginning of the scenario, in seconds.
    public var elapsed: Double
    /// The simulated date and time in the scenario.
    public var time: Date
    /// When the scenario's next step runs by itself, in seconds since its beginning; `nil` if none is left.
    @OrNull public var next: Double?
    /// The sequence number of the last event that the daemon published.
    ///
    /// When the response is sent, this event and all before it have been published.
    public var sequence: UInt64
    /// Whether the scenario makes the daemon restart after this response.
    ///
    /// The clock has stopped at the restart; the client advances it further when the daemon listens again.
    public var restarts: Bool
    /// The steps of the scenario that ran while the clock was advanced, in order.
    public var steps: [ClockStep]

    /// Creates the response with the time on a scenario's simulated clock.
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

extension ClockDocument: SchemaProviding {
    public static let schemaName = "Clock"
    public static let schema = Schema.document(
        "The position of the scenario's clock.",
        [
            .required("title", .text),
            .required("elapsed", .seconds, "Seconds since the beginning of the scenario."),
            .required("time", .dateTime, "The date and time in the scenario."),
            .required("next", Schema.seconds.nullable, "When the next step runs without a request."),
            .required(
                "sequence", .sequenceNumber, "The number of the last event; all events up to it have been published."),
            .required(
                "restarts", .boolean,
                "Whether the daemon restarts after this response. The clock has stopped at the restart."),
            .required(
                "steps", .array(of: ClockStep.self), "The steps that ran while the clock was advanced, in order."),
        ])
}

/// One step of a scenario (a scripted test of front-ends) that has run.
public struct ClockStep: Sendable, Codable {
    /// The time of the scenario's step, in seconds since the beginning of the scenario.
    public var at: Double
    /// The name of the step's action in the scenario's file, which is the JSON member `do`.
    public var action: String
    /// The identifier of the product that the scenario's step is about; `nil` if it is about none.
    @OrNull public var productIdentifier: String?
    /// Why the scenario's step failed; `nil` if it succeeded.
    @OrNull public var error: ErrorReport?

    /// Creates the record of a scenario's step that has run.
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

extension ClockStep: SchemaProviding {
    public static let schemaName = "ClockStep"
    public static let schema = Schema.document(
        "One step of the scenario that ran without a request.",
        [
            .required("at", .seconds, "Seconds since the beginning of the scenario."),
            .required("do", .nonEmptyText, "The name of the action in the scenario's file."),
            .required("productIdentifier", .nonEmptyText.nullable),
            .required(
                "error", .reference(to: ErrorReport.self).nullable, "Why the step failed; `null` if it succeeded."),
        ])
}

extension Schema {
    /// The JSON schema of a time in seconds, at most the ten years that a scenario can last.
    fileprivate static let seconds = number(in: 0...315_360_000)
}
