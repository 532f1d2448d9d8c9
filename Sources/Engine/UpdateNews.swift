import FoundationEssentials
import StoreCatalogue
import StoreLibrary
import StoreModel
import StoreSystem

/// Remembers, on the disk too, of which new versions observers were told, so that each is news once.
actor UpdateNews {
    static let fileName = "updates.json"

    private struct Memory: Codable {
        /// When new versions were last looked for by the clock.
        var checkedAt: Date?
        /// By product: what was told last.
        var told: [String: String] = [:]
    }

    private let folder: Directory
    private var memory: Memory

    /// Without a file that can be read, everything is news.
    init(folder: Directory) {
        self.folder = folder
        memory = (try? JSON.decode(Memory.self, from: folder.read(Self.fileName, limit: 16 << 20))) ?? Memory()
        try? folder.removeReplacement(of: Self.fileName)
    }

    var checkedAt: Date? { memory.checkedAt }

    /// - Throws: what the disk says; until the end of the process it is remembered all the same.
    func noteCheck(at time: Date) throws {
        memory.checkedAt = time
        try save()
    }

    /// Has `tell` called with the products of which there are news, if there are any.
    ///
    /// - Parameter versions: all installed packs, each with what marks the newer version that there is of it.
    /// - Throws: what the disk says; until the end of the process it is remembered all the same.
    func tell(
        _ versions: [(productIdentifier: String, mark: String?)], _ tell: @Sendable (Set<String>) -> Void
    ) throws {
        let news = versions.filter { $0.mark != nil && memory.told[$0.productIdentifier] != $0.mark }
        guard !news.isEmpty else { return }
        let installed = Set(versions.map(\.productIdentifier))
        memory.told = memory.told.filter { installed.contains($0.key) }
        for (product, mark) in news { memory.told[product] = mark }
        // First told: a crash in between makes it news twice, and not never.
        tell(Set(news.map(\.productIdentifier)))
        try save()
    }

    private func save() throws { try folder.replace(Self.fileName, with: JSON.encode(memory)) }
}

extension StoreManager.Offer {
    /// Tells this version from every other: by its name, else by what shows that a file is another one.
    func mark(for pack: LibraryPack) -> String {
        if let version = item.version { return version.text }
        let parts = [
            item.resource?.url.absoluteString, item.resource?.size.map(String.init), pack.origin?.archive.etag,
        ]
        return parts.map { $0 ?? "" }.joined(separator: " ")
    }
}
