/// A namespace for the text of fingerprints as people compare them.
public enum RootFingerprintText {
    /// Returns a fingerprint in groups of four digits.
    public static func grouped(_ fingerprint: String) -> String {
        let digits = Array(fingerprint)
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
            .joined(separator: " ")
    }
}
