import FoundationEssentials
import StoreModel
import StoreSystem

/// One file of settings: a JSON object, in which the parts of a key's name are nested.
public struct SettingsFile: Sendable {
    public let path: String
    /// Files of settings are small; what is larger is something else.
    private static let limit = 1 << 20
    private static let work = BlockingWork(label: "storectl.settings")

    public init(path: String) { self.path = path }

    /// Sets one key in the file, which is made where it is missing, and leaves all other members as they are. Who reads
    /// the file sees it as before or as after.
    ///
    /// - Returns: the value that `text` stands for.
    /// - Throws: `settings.invalid` for the value, or for a file that is not a JSON object (it is left as it is);
    ///   ``FileError`` where it can't be read or written.
    @discardableResult
    public func set(_ key: SettingKey, to text: String) async throws -> SettingValue {
        let value = try key.value(ofText: text)
        try await Self.work.run {
            let document = try (read().map(document) ?? .object([:])).setting(
                key.parts, to: JSONValue(value))
            let (folder, name) = try split()
            try Directory.create(folder).replace(name, with: try JSON.encode(document, pretty: true) + Data("\n".utf8))
        }
        return value
    }

    /// What the file says, or `nil` where there is none.
    func document() async throws -> JSONValue? {
        try await Self.work.run { try read().map(document) }
    }

    private func read() throws -> Data? {
        do {
            return try OpenFile.open(path).readAll(limit: Self.limit)
        } catch {
            // Where a file stands in a folder's place, nobody wrote settings either.
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
            return nil
        }
    }

    private func document(_ data: Data) throws -> JSONValue {
        let document: JSONValue
        do {
            document = try JSON.decode(from: data)
        } catch {
            throw SettingsError(
                .settingsInvalid, "'\(path)' is not JSON: \(Self.reason(error)). Correct it or remove it.")
        }
        guard case .object = document else {
            throw SettingsError(
                .settingsInvalid, "'\(path)' must be a JSON object with settings. Correct it or remove it.")
        }
        return document
    }

    private static func reason(_ error: any Error) -> String {
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return "\(error)" }
        return (context.underlyingError as? CocoaError).flatMap { $0.userInfo["NSDebugDescription"] as? String }
            ?? context.debugDescription
    }

    private func split() throws(SettingsError) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/"), path.index(after: slash) != path.endIndex else {
            throw SettingsError(.settingsInvalid, "'\(path)' is not the path of a file.")
        }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }
}
