import Hummingbird

extension HTTPFields {
    /// The header fields of every response with bytes that come from a store: no browser guesses another media type
    /// than the declared one, and no browser runs or loads anything that the bytes contain.
    static let untrustedContent: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        // Keeps scripts in SVG and XML files from running.
        .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    ]
}
