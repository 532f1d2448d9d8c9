public import StoreModel

/// Why a story can't be played.
public struct ScenarioError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// There is no such file, and no such story in the set.
    public static let scenarioUnknown = ErrorCode("scenario.unknown", .usage)
    /// The story is not as it must be, or tells what can't be.
    public static let scenarioMalformed = ErrorCode("scenario.malformed", .refused)
    /// A story is not played in a home that holds something.
    public static let scenarioHome = ErrorCode("scenario.home", .conflict)
    /// The clock runs by itself and is not moved.
    public static let scenarioClockRuns = ErrorCode("scenario.clock-runs", .conflict)
}
