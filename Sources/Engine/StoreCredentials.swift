import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// What proves to a store who asks: a token, kept in a file of its own that nobody else may read, or what the user's
/// `.netrc` says. It is sent to the store's own scheme, host and port and nowhere else, and no message holds it.
final class StoreCredentials: Sendable {
    private struct Credential {
        /// The scheme, host and port that it is for.
        let origin: String
        /// Of the header `Authorization`.
        let value: String
    }
    private struct File: Codable {
        /// By store.
        var tokens: [String: String]
    }

    static let fileName = "credentials.json"
    private let folder: Directory
    private let netrcPath: String?
    private let credentials = Mutex<[String: Credential]>([:])

    /// - Parameter environment: says where `.netrc` is: in `HOME`, unless `NETRC` names it.
    init(folder: Directory, environment: [String: String]) {
        self.folder = folder
        netrcPath = environment["NETRC"] ?? environment["HOME"].map { $0 + "/.netrc" }
    }

    /// The value of `Authorization` for an address that a store names; `nil` where there is none to send.
    func authorization(for store: String, at url: URL) -> String? {
        guard let credential = credentials.withLock({ $0[store] }), credential.origin == Self.origin(of: url) else {
            return nil
        }
        return credential.value
    }

    /// Takes up what proves to a store who asks, from now on.
    ///
    /// - Parameter token: instead of the one that is kept.
    /// - Throws: `store.bad-credentials` where it can't be sent, or there is none.
    func use(_ store: StoreConfiguration, token: String? = nil) throws {
        let value: String?
        if let token = try token ?? read().tokens[store.name] {
            guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }) else {
                throw EngineError(
                    .storeBadCredentials,
                    "The token for the store '\(store.name)' can't be sent: it is empty, or has other characters than "
                        + "printable ASCII.")
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
            throw EngineError(
                .storeBadCredentials,
                "'\(netrcPath ?? ".netrc")' has no user and password for '\(host)', or can't be read. Add a line "
                    + "'machine \(host) login USER password PASSWORD'.")
        }
        return "Basic " + Data("\(login.user):\(login.password)".utf8).base64EncodedString()
    }

    /// Keeps a store's token for the next start.
    func keep(_ token: String, for store: String) throws { try change { $0.tokens[store] = token } }

    /// Forgets whatever is known of a store.
    func forget(_ store: String) throws {
        credentials.withLock { $0[store] = nil }
        try change { $0.tokens[store] = nil }
    }

    private func change(_ body: (inout File) -> Void) throws {
        var file = try read()
        let before = file.tokens
        body(&file)
        guard file.tokens != before else { return }
        if file.tokens.isEmpty {
            try folder.remove(Self.fileName)
        } else {
            try folder.replace(Self.fileName, with: JSON.encode(file), mode: 0o600)
        }
    }

    private func read() throws -> File {
        guard try folder.status(of: Self.fileName) != nil else { return File(tokens: [:]) }
        let data = try folder.read(Self.fileName)
        guard let file = try? JSON.decode(File.self, from: data) else {
            throw EngineError(
                .storesMalformed,
                "'\(folder.path(of: Self.fileName))' can't be read. Remove it and give the tokens again.")
        }
        return file
    }

    private static func origin(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
    }
}
