import StoreModel

/// A random text that can't be guessed, which gives its holder access to the web listener.
///
/// Only its hash is kept, so that comparing a text with it takes a time that says nothing about the secret.
struct WebSecret: Sendable {
    /// The secret: 256 random bits as 64 hexadecimal digits.
    let text: String
    /// The hash by which the holder of the secret is recognised.
    let digest: SHA256Digest

    /// Generates a secret with the operating system's random number generator (getrandom(2)).
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        text = Hexadecimal.text(bytes)
        digest = Self.digest(of: text)
    }

    /// Returns the hash of a text that may be a secret.
    static func digest(of text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }
}
