public import FoundationEssentials
import StoreModel

/// The stories that the program carries in itself.
public struct StorySet: Sendable {
    public struct Entry: Sendable {
        public let name: String
        /// The story, as it is written.
        public let document: Data
        /// The events after the first snapshot, when nobody but the story does anything: one a line.
        public let trace: Data
    }

    /// In the order in which to read them.
    public static let all = [
        Entry("slow-download", PackageResources.slow_download_json, PackageResources.slow_download_trace_jsonl),
        Entry("stall-and-retry", PackageResources.stall_and_retry_json, PackageResources.stall_and_retry_trace_jsonl),
        Entry("no-network", PackageResources.no_network_json, PackageResources.no_network_trace_jsonl),
        Entry("failure", PackageResources.failure_json, PackageResources.failure_trace_jsonl),
        Entry("update", PackageResources.update_json, PackageResources.update_trace_jsonl),
        Entry("restart", PackageResources.restart_json, PackageResources.restart_trace_jsonl),
    ]

    /// A story by its name; a name with a `/` or a `.` is that of a file.
    ///
    /// - Throws: `scenario.unknown`.
    public static func entry(_ name: String) throws(ScenarioError) -> Entry {
        guard let entry = all.first(where: { $0.name == name }) else {
            throw ScenarioError(
                .scenarioUnknown,
                "There is no story '\(name)'; there are \(all.map(\.name).joined(separator: ", ")). "
                    + "For one of your own, name its file with a '/' or a '.' in it.")
        }
        return entry
    }
}

extension StorySet.Entry {
    fileprivate init(_ name: String, _ document: [UInt8], _ trace: [UInt8]) {
        self.init(name: name, document: Data(document), trace: Data(trace))
    }
}

extension Story {
    /// Reads a story of the set, or one from a file.
    ///
    /// - Parameter name: of one of the set, or with a `/` or a `.` in it, of a file.
    /// - Throws: `scenario.unknown`, `scenario.malformed`.
    public static func named(_ name: String) throws(ScenarioError) -> Story {
        guard name.contains("/") || name.contains(".") else {
            return try Story(StorySet.entry(name).document, named: name)
        }
        let document: Data
        do {
            document = try Data(contentsOf: URL(filePath: name))
        } catch {
            throw ScenarioError(.scenarioUnknown, "The story '\(name)' can't be read. Name a file, or one of the set.")
        }
        return try Story(document, named: name)
    }
}
