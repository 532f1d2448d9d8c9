/// A hint of an error template that differs between the user of a pack or an archive and its publisher.
///
/// A user can only report a mistake that the publisher can correct, and the publisher must not be sent to the publisher.
public struct ErrorHint: Sendable, Hashable {
    /// The hint for the user of the pack that the error is about.
    public let forUser: String
    /// The hint for the publisher of the pack that the error is about; `nil` where the error's message says enough.
    public let forPublisher: String?

    /// Creates a hint with a text for users and another one, or none, for publishers.
    public init(_ forUser: String, forPublisher: String?) {
        self.forUser = forUser
        self.forPublisher = forPublisher
    }

    /// The hint of an error in a pack whose message says what its publisher has to correct.
    public static let reportToPublisher = ErrorHint("report it to the pack's publisher", forPublisher: nil)
}

/// The reader of an error, on whom its hint depends.
public enum ErrorAudience: Sendable {
    /// The error is shown to a user, who installs packs.
    case user
    /// The error is shown to a publisher, who makes packs and archives.
    case publisher
}
