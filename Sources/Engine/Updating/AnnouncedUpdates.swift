import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreSystem

/// The record of newer versions that were published as events, and of the time of the last update check.
///
/// It is the file `updates.json` of the data directory. Each version is published once, also across restarts.
actor AnnouncedUpdates {
    static let fileName = "updates.json"

    private struct Content: Codable {
        /// The time of the last periodic check for updates; `nil` before the first.
        var checkedAt: Date?
        /// The newer version that was last published as an event, by product identifier.
        ///
        /// The property's name is that of the member in the file.
        var told: [String: String] = [:]
    }

    private let directory: Directory
    private var content: Content

    /// Reads the record of published updates; if it is missing or unreadable, no version counts as published.
    init(directory: Directory) {
        self.directory = directory
        content = (try? JSON.decode(Content.self, from: directory.read(Self.fileName, limit: 16 << 20))) ?? Content()
        try? directory.removeReplacement(of: Self.fileName)
    }

    /// The time of the last periodic check for updates; `nil` before the first.
    var checkedAt: Date? { content.checkedAt }

    /// Records the time of a periodic check for updates.
    ///
    /// - Throws: a file error; the check then is recorded in memory only, until the end of the process.
    func recordCheck(at time: Date) throws {
        content.checkedAt = time
        try save()
    }

    /// Calls `publish` with the products that have a newer version which was not published before, if there are any.
    ///
    /// - Parameters:
    ///   - versions: the products with a newer version, each with the text of that version.
    ///   - packs: all packs of the library. If a version is published, what was published of products without a pack from a
    ///     store is forgotten.
    ///   - unsaved: called with a file error; the versions then are recorded in memory only, until the end of the process.
    /// - Returns: what `publish` returned; nothing if it was not called.
    func announce<Update: Sendable>(
        _ versions: [(productIdentifier: String, version: String)], installed packs: [LibraryPack],
        _ publish: @Sendable (Set<String>) -> [Update], unsaved: @Sendable (any Error) -> Void
    ) -> [Update] {
        let new = versions.filter { content.told[$0.productIdentifier] != $0.version }
        guard !new.isEmpty else { return [] }
        let installed = Set(packs.filter(\.isFromStore).map(\.productIdentifier))
        content.told = content.told.filter { installed.contains($0.key) }
        for (product, version) in new { content.told[product] = version }
        // Published before it is recorded: after a crash in between, the update is published twice instead of never.
        let published = publish(Set(new.map(\.productIdentifier)))
        do { try save() } catch { unsaved(error) }
        return published
    }

    private func save() throws { try directory.replace(Self.fileName, with: JSON.encode(content)) }
}
