public import FoundationEssentials
public import StoreModel

/// A namespace for the time that is written into published documents.
///
/// It is that of the environment variable `SOURCE_DATE_EPOCH` if the variable is set, else the current time. With the
/// variable, the same input produces the same bytes (reproducible-builds.org/specs/source-date-epoch).
public enum PublicationTime {
    /// Returns the time that is written into published documents, in whole seconds.
    ///
    /// - Parameter environment: the process's environment.
    /// - Throws: `publish.bad-epoch`: the specification asks for a failure rather than a guess.
    public static func now(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StoreError) -> Date {
        guard let text = environment["SOURCE_DATE_EPOCH"] else {
            // Documents contain times in whole seconds, so the state must too.
            return Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        }
        // Up to the year 9999, the last that ISO 8601 can express with four digits.
        guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
            throw StoreError(.sourceDateEpochInvalid, ["value": .untrusted(text)])
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
