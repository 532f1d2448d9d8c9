import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// The credentials to send to stores: bearer tokens, or users and passwords.
///
/// Tokens are from `credentials.json`, and users and passwords from the user's `.netrc`. Credentials are sent only to
/// the scheme, host and port of the store's URL: not to a mirror elsewhere, and not to the target of a redirect. No
/// response, message, record or log line contains them.
final class StoreCredentials: Sendable {
    private struct Credential {
        /// The scheme, host and port that a store's credential is sent to, as text.
        let origin: String
        /// The value of the HTTP header `Authorization` for a store, which is secret.
        let value: String
    }
    private struct File: Codable {
        /// The bearer tokens that are sent to stores, by the store's name.
        var tokens: [String: String]
    }

    static let fileName = "credentials.json"
    private let directory: Directory
    private let netrcPath: String?
    private let credentials = Mutex<[String: Credential]>([:])

    /// Creates the credentials of stores, which are read from the files when a store is activated.
    ///
    /// - Parameter environment: `NETRC` is the path of `.netrc`; without it, the file is in `HOME`.
    init(directory: Directory, environment: [String: String]) {
        self.directory = directory
        netrcPath = environment["NETRC"] ?? environment["HOME"].map { $0 + "/.netrc" }
    }

    /// Returns the value of the HTTP header `Authorization` for a URL in a store's catalogue; `nil` sends none.
    func authorization(for store: String, at url: URL) -> String? {
        guard let credential = credentials.withLock({ $0[store] }), credential.origin == Self.origin(of: url) else {
            return nil
        }
        return credential.value
    }

    /// Reads a store's credentials, which are sent to the store from then on.
    ///
    /// - Parameters:
    ///   - token: the token to send instead of the saved one.
    ///   - isNew: whether the store is about to be added: a token that is saved under its name is that of another store.
    /// - Throws: `store.bad-credentials` where the token is not valid in a header, or `.netrc` has no entry.
    func activate(_ store: StoreConfiguration, token: String? = nil, isNew: Bool = false) throws {
        let value: String?
        if let token = try token ?? (isNew ? nil : read().tokens[store.name]) {
            guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }) else {
                throw StoreError(.invalidToken, ["store": store.name])
            }
            value = "Bearer " + token
        } else if store.netrc ?? false {
            value = try basic(store)
        } else {
            value = nil
        }
        let credential = value.map { Credential(origin: Self.origin(of: store.url), value: $0) }
        credentials.withLock { $0[store.name] = credential }
    }

    private func basic(_ store: StoreConfiguration) throws -> String {
        let host = store.url.host() ?? ""
        var text: String?
        if let netrcPath {
            text = try? String(decoding: OpenFile.open(netrcPath).readAll(limit: 1 << 20), as: UTF8.self)
        }
        guard let login = text.flatMap({ Netrc($0).login(for: host) }) else {
            throw StoreError(.noNetrcEntry, ["path": .path(netrcPath ?? ".netrc"), "host": host])
        }
        return "Basic " + Data("\(login.user):\(login.password)".utf8).base64EncodedString()
    }

    /// Sends no credentials to a store from then on.
    func deactivate(_ store: String) { credentials.withLock { $0[store] = nil } }

    /// Returns the saved token of a store, or `nil` if there is none.
    func savedToken(of store: String) throws -> String? { try read().tokens[store] }

    /// A change of the saved tokens that needs no more space on the disk.
    enum PreparedChange {
        case nothing
        case replace(FileReplacement)
        /// The last token is removed, and the file with it.
        case removeFile(Directory)

        func commit() throws(StoreError) {
            switch self {
            case .nothing: break
            case .replace(let replacement): try replacement.commit()
            case .removeFile(let directory): try directory.remove(StoreCredentials.fileName)
            }
        }

        func discard() { if case .replace(let replacement) = self { replacement.discard() } }
    }

    /// Prepares saving a store's token for later starts.
    ///
    /// - Parameter token: the token; `nil` removes the saved one.
    func prepareSaving(_ token: String?, for store: String) throws -> PreparedChange {
        try prepare { $0[store] = token }
    }

    /// Removes the saved tokens of all other stores, which a crash or a failure of the disk has left.
    func removeTokens(exceptOf stores: Set<String>) throws {
        try prepare { tokens in tokens = tokens.filter { stores.contains($0.key) } }.commit()
    }

    private func prepare(_ body: (inout [String: String]) -> Void) throws -> PreparedChange {
        var file = try read()
        let before = file.tokens
        body(&file.tokens)
        if file.tokens == before { return .nothing }
        if file.tokens.isEmpty { return .removeFile(directory) }
        return .replace(try directory.prepareReplacement(of: Self.fileName, with: JSON.encode(file)))
    }

    private func read() throws -> File {
        guard try directory.status(of: Self.fileName) != nil else { return File(tokens: [:]) }
        let data = try directory.read(Self.fileName)
        guard let file = try? JSON.decode(File.self, from: data) else {
            throw StoreError(.credentialsUnreadable, ["path": .path(directory.path(of: Self.fileName))])
        }
        return file
    }

    private static func origin(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
    }
}
