import FoundationEssentials
import StoreScenarios
import StoreSystem

/// A home for one story, which goes with it.
struct TemporaryHome {
    let path: String

    /// - Throws: `scenario.home` where none can be made.
    init() throws {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        do {
            path = try FilePaths.makeTemporaryDirectory(in: folder, prefix: "stored-story-")
        } catch {
            throw ScenarioError(
                .scenarioHome,
                "No home for the story can be made in '\(folder)': \(error.message) Name one with --home.")
        }
    }

    func remove() {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return }
        let parent = "/" + parts.dropLast().joined(separator: "/")
        try? Directory.open(parent).removeTree(String(name))
    }
}
