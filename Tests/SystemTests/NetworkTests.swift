import FoundationEssentials
import Testing

@testable import StoreSystem

/// What the kernel says of the network; that something changes is tried in a namespace, by the programs' tests.
@Suite struct NetworkTests {
    /// In a process of its own, because other tests open files all the time.
    @Test func `changes can be observed, and the descriptor is given back`() async {
        await #expect(processExitsWith: .success) {
            // The first makes what Dispatch keeps for all.
            do { _ = try #require(NetworkChanges {}) }
            try await Task.sleep(for: .milliseconds(100))
            let before = try openDescriptorCount()
            for _ in 0..<50 { _ = try #require(NetworkChanges {}) }
            // They are closed on a queue, which nobody tells of.
            while try openDescriptorCount() > before { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func `a machine with a default route has a way out`() throws {
        let routes = try String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let hasDefault = routes.split(separator: "\n").dropFirst().contains { line in
            let columns = line.split(separator: "\t")
            return columns.count > 7 && columns[1] == "00000000" && columns[7] == "00000000"
        }
        if hasDefault { #expect(NetworkRoutes.leadOut) }
    }
}

private func openDescriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
