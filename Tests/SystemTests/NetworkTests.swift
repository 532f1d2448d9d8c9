import FoundationEssentials
import StoreTestSupport
import Testing

@testable import StoreSystem

/// Tests the network status of this machine; network changes are tested in a namespace by the integration tests.
@Suite struct NetworkTests {
    /// Runs in a process of its own, because other tests open files all the time.
    @Test func `network changes can be observed, and the descriptor is closed afterwards`() async {
        await #expect(processExitsWith: .success) {
            // The first observation creates objects that Dispatch keeps.
            do { _ = try #require(NetworkChanges {}) }
            try await Task.sleep(for: .milliseconds(100))
            let before = try openDescriptorCount()
            for _ in 0..<50 { _ = try #require(NetworkChanges {}) }
            // Descriptors are closed on a queue, without a notification.
            while try openDescriptorCount() > before { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func `a machine with a default route has a network`() throws {
        let routes = try String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let hasDefault = routes.split(separator: "\n").dropFirst().contains { line in
            let columns = line.split(separator: "\t")
            return columns.count > 7 && columns[1] == "00000000" && columns[7] == "00000000"
        }
        guard hasDefault else { try skip("this machine has no default route") }
        #expect(NetworkRoutes.leadOut)
    }
}

private func openDescriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
