import FoundationEssentials
import Glibc
import StoreScenarios
import StoreSystem

/// A home for one story, which goes with it.
struct TemporaryHome {
    let path: String

    /// - Throws: `scenario.home` where none can be made.
    init() throws {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array((folder + "/stored-story-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ScenarioError(
                .scenarioHome,
                "No home for the story can be made in '\(folder)': \(String(cString: strerror(errno))). "
                    + "Name one with --home."
            )
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return }
        let parent = "/" + parts.dropLast().joined(separator: "/")
        try? Directory.open(parent).removeTree(String(name))
    }
}
