import FoundationEssentials
import Testing

@testable import Files

/// What the kernel says of the network; that something changes is tried in a namespace, by the programs' tests.
@Suite struct NetworkTests {
    @Test func `changes can be observed, and the descriptor is given back`() throws {
        let before = try descriptors()
        for _ in 0..<50 { _ = try #require(NetworkChanges {}) }
        // Other tests open files meanwhile; fifty that stay open would show.
        var after = try descriptors()
        while after > before + 40 { after = try descriptors() }
    }

    private func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
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
