import FoundationEssentials
import StoreModel
import StoreSystem

/// A reference to a settings file: a JSON object in which the parts of a setting's name are nested.
public struct SettingsFile: Sendable {
    /// The path of the settings file.
    public let path: String
    /// The maximum size of a settings file in bytes.
    private static let limit = 1 << 20
    private static let work = BlockingWork(label: "storectl.settings")

    /// Creates a reference to a settings file at a path, which need not exist.
    public init(path: String) { self.path = path }

    /// Sets one setting in the settings file and leaves all other members unchanged.
    ///
    /// The file is created if it is missing, and replaced atomically.
    ///
    /// - Returns: the parsed value.
    /// - Throws: `settings.invalid` for the value, or for a file that is not a JSON object (it is left unchanged);
    ///   ``StoreError`` if the file can't be read or written.
    @discardableResult
    public func set(_ key: SettingKey, to text: String) async throws -> SettingValue {
        let value = try key.value(ofText: text)
        try key.requireFreeExtension(value)
        try await Self.work.run {
            try Self.check(value, of: key)
            try write((read().map(document) ?? .object([:])).setting(key.parts, to: JSONValue(value)))
        }
        return value
    }

    /// Checks that the file which a setting names can be used.
    ///
    /// Otherwise, only the next transfers would fail. A file that is removed later is reported by them.
    private static func check(_ value: SettingValue, of key: SettingKey) throws {
        guard key == .networkCertificates, case .text(let path) = value, !path.isEmpty else { return }
        func refuse(_ reason: String) -> StoreError {
            StoreError(
                .settingFileUnusable, ["value": .untrusted(path), "setting": key.name, "reason": reason])
        }
        let content: Data
        do {
            content = try OpenFile.open(path).readAll(limit: certificatesLimit)
        } catch {
            throw refuse(ErrorReport(error).message)
        }
        guard content.range(of: Data("-----BEGIN ".utf8)) != nil,
            content.range(of: Data("CERTIFICATE-----".utf8)) != nil
        else { throw refuse("the file has no certificate in PEM format") }
    }

    /// The maximum size in bytes of a file with certificates; those of a Linux distribution have less than 1 MB.
    private static let certificatesLimit = 64 << 20

    /// Removes one setting from the settings file, whatever its value is, and leaves all other members unchanged.
    ///
    /// A file without the setting is not touched.
    ///
    /// - Throws: `settings.invalid` for a file that is not a JSON object; ``StoreError`` if the file can't be read or
    ///   written.
    public func unset(_ key: SettingKey) async throws {
        try await Self.work.run {
            guard let document = try read().map(document) else { return }
            let reduced = document.removing(key.parts)
            if reduced != document { try write(reduced) }
        }
    }

    private func write(_ document: JSONValue) throws {
        let content = try JSON.encode(document, pretty: true) + Data("\n".utf8)
        // Of a symbolic link, as in a directory under version control, the file behind it is replaced or created.
        let place = FilePaths.linkedFile(path)
        let (directory, name) = try Self.location(of: place)
        // The directory behind a link is not created: it may be on a drive that is not mounted at the moment.
        let opened = try place == path ? Directory.create(directory) : Directory.open(directory)
        try opened.replace(name, with: content)
    }

    /// Returns the content of the settings file as JSON; `nil` if the file does not exist.
    func document() async throws -> JSONValue? {
        try await Self.work.run { try read().map(document) }
    }

    private func read() throws -> Data? {
        do {
            return try OpenFile.open(path).readAll(limit: Self.limit)
        } catch {
            // ENOTDIR: a file in place of the directory also means that there are no settings.
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
            return nil
        }
    }

    private func document(_ data: Data) throws -> JSONValue {
        let document: JSONValue
        do {
            document = try JSON.decode(from: data)
        } catch {
            throw StoreError(.settingsFileNotJSON, ["path": .path(path), "reason": JSON.mistake(error, in: data)])
        }
        guard case .object = document else {
            throw StoreError(.settingsFileNotObject, ["path": .path(path)])
        }
        return document
    }

    /// Returns the path of a file's directory and the file's name in it.
    private static func location(of path: String) throws(StoreError) -> (directory: String, name: String) {
        let slash = UInt8(ascii: "/")
        guard path.utf8.contains(slash), path.utf8.last != slash else {
            throw StoreError(.settingsPathInvalid, ["path": .path(path)])
        }
        return FilePaths.split(path)
    }
}
