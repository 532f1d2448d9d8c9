public import FoundationEssentials
public import StoreModel

/// A namespace for the scenarios (scripts of simulated downloads and updates) that are embedded in the program.
public struct BuiltInScenarios: Sendable {
    /// A built-in scenario (a script of simulated downloads and updates) with the events that it produces.
    public struct Entry: Sendable {
        /// The name of the scenario, which is the argument of `stored --scenario`.
        public let name: String
        /// The script of the built-in scenario, a JSON document.
        public let document: Data
        /// The events of the scenario after the first snapshot if no client makes requests, one JSON object per line.
        public let trace: Data
    }

    /// All built-in scenarios (scripts of simulated downloads and updates), the simplest first.
    public static let all = [
        Entry("slow-download", PackageResources.slow_download_json, PackageResources.slow_download_trace_jsonl),
        Entry("stall-and-retry", PackageResources.stall_and_retry_json, PackageResources.stall_and_retry_trace_jsonl),
        Entry("no-network", PackageResources.no_network_json, PackageResources.no_network_trace_jsonl),
        Entry("failure", PackageResources.failure_json, PackageResources.failure_trace_jsonl),
        Entry("update", PackageResources.update_json, PackageResources.update_trace_jsonl),
        Entry("restart", PackageResources.restart_json, PackageResources.restart_trace_jsonl),
    ]

    /// Returns the built-in scenario, a script of simulated downloads and updates, with a name.
    ///
    /// - Throws: `scenario.unknown`.
    public static func entry(_ name: String) throws(StoreError) -> Entry {
        guard let entry = all.first(where: { $0.name == name }) else {
            throw StoreError(.scenarioUnknown, ["name": .untrusted(name), "names": .list(all.map(\.name))])
        }
        return entry
    }
}

extension BuiltInScenarios.Entry {
    fileprivate init(_ name: String, _ document: [UInt8], _ trace: [UInt8]) {
        self.init(name: name, document: Data(document), trace: Data(trace))
    }
}

extension ScenarioScript {
    /// Reads a scenario's script, which is built in or in a file.
    ///
    /// - Parameter name: the name of a built-in scenario, or the path of a file, which contains a `/` or a `.`.
    /// - Throws: `scenario.unknown`, `scenario.malformed`.
    public static func named(_ name: String) throws(StoreError) -> ScenarioScript {
        guard name.contains("/") || name.contains(".") else {
            return try ScenarioScript(BuiltInScenarios.entry(name).document, named: name)
        }
        let document: Data
        do {
            document = try Data(contentsOf: URL(filePath: name))
        } catch {
            throw StoreError(.scenarioUnreadable, ["path": .path(name)], cause: error)
        }
        return try ScenarioScript(document, named: name)
    }
}
