import FoundationEssentials
import StoreModel
import StoreSystem

/// The file `exports.json` in the configuration directory, which lists the directories that exports are kept in.
///
/// The list is not in the database, so that it survives the loss of the database and people can read it.
struct ExportTargetsFile: Sendable {
    let directory: Directory
    static let name = "exports.json"

    private struct Content: Codable {
        var targets: [ExportTarget]
    }

    /// Reads the list; a file that does not exist is an empty list.
    ///
    /// - Throws: `export.directory` if the file is not valid; it is left unchanged.
    func read() throws -> [ExportTarget] {
        guard try directory.status(of: Self.name) != nil else { return [] }
        do {
            return try JSON.decode(Content.self, from: directory.read(Self.name)).targets
        } catch {
            throw StoreError(.exportTargetsUnreadable, ["path": .path(directory.path(of: Self.name))], cause: error)
        }
    }

    func write(_ targets: [ExportTarget]) throws {
        try directory.replace(Self.name, with: JSON.encode(Content(targets: targets), pretty: true))
    }
}
