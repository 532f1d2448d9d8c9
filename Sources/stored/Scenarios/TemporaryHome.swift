import FoundationEssentials
import StoreModel
import StoreScenarios
import StoreSystem

/// A temporary data directory for one scenario (a scripted test), which can be removed after the scenario.
struct TemporaryHome {
    /// The absolute path of the temporary data directory.
    let path: String

    /// Creates the temporary data directory in `$TMPDIR`, or in `/tmp`.
    ///
    /// - Throws: `scenario.home` if the directory can't be created.
    init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        do {
            path = try FilePaths.makeTemporaryDirectory(in: parent, prefix: "stored-scenario-")
        } catch {
            throw StoreError(.scenarioHomeNotCreated, ["path": .path(parent), "reason": error.message])
        }
    }

    func remove() {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return }
        let parent = "/" + parts.dropLast().joined(separator: "/")
        try? Directory.open(parent).removeTree(String(name))
    }
}
