import FoundationEssentials
import StoreModel
import StoreSystem

/// The host name at which the web pages of a home are reached: `RANDOM.localhost`.
///
/// Browsers share cookies between all ports of a host, so that each home has a name of its own, which other local users
/// can't know. It stays the same, so that links and an installed web app do, until the pages are switched off with
/// `storectl web --off`. Names that end in `.localhost` lead to this machine (RFC 6761, 6.3).
enum WebHost {
    private static let file = "web-host"

    /// Returns the host name of a home; the first call chooses it.
    ///
    /// - Parameter directory: the data directory of the home.
    static func name(in directory: Directory) throws -> String {
        if try directory.status(of: file) != nil {
            let text = String(decoding: try directory.read(file), as: UTF8.self).filter { $0 != "\n" }
            if isValid(text) { return text }
        }
        let name = String(WebSecret().text.prefix(20)) + ".localhost"
        try directory.prepareReplacement(of: file, with: Data("\(name)\n".utf8)).commit()
        return name
    }

    /// Forgets the host name of a home, so that the next call of ``name(in:)`` chooses another one.
    ///
    /// Nothing of the previous origin, such as a page that another program served while the daemon did not run, is then part
    /// of the new one.
    static func forget(in directory: Directory) throws {
        if try directory.status(of: file) != nil { try directory.remove(file) }
    }

    private static func isValid(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1] == "localhost" && parts[0].count == 20
            && parts[0].allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
