public import FoundationEssentials

/// The time that is written into documents: of `SOURCE_DATE_EPOCH` where it is set, so that the same input gives the
/// same bytes (reproducible-builds.org/specs/source-date-epoch), else of the clock.
public enum PublicationTime {
    /// - Parameter environment: of the process.
    /// - Throws: `publish.bad-epoch`: the specification asks for a failure rather than a guess.
    public static func now(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(PublishingError) -> Date {
        guard let text = environment["SOURCE_DATE_EPOCH"] else {
            // Documents hold whole seconds; what is kept is what will be written.
            return Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        }
        // Up to the year 9999, which is as far as the written form goes.
        guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
            throw PublishingError(
                .badEpoch, "SOURCE_DATE_EPOCH is '\(text)', not a number of seconds since 1970. Correct or unset it.")
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
