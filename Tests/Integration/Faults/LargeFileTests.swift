import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests a file that no single connection can transfer.
@Suite(.hangGuard) struct LargeFileTests {
    /// The size in MiB; `scripts/test --long` sets 4096, with connections that break after 64.
    private static let size =
        (ProcessInfo.processInfo.environment["STORECTL_TEST_LARGE_FILE"].flatMap { Int($0) } ?? 256) << 20

    @Test func `hardly a byte is fetched twice when every connection drops after a sixty-fourth of the file`()
        async throws
    {
        let size = Self.size
        let origin = try Origin()
        origin.serveLarge("/large", size: size)
        // A reset would discard bytes that the client has not read yet, more of them on a busy machine.
        origin.always("/large", .closeAfter(size / 64))
        let folder = try TemporaryFolder()
        let path = folder.path + "/large"
        let hash = Origin.hashOfLarge(size: size)
        let fetching = try Programs.start(
            "storectl", ["fetch", "--json", "--sha256", hash.hex, "--output", path, origin.address + "large"],
            environment: ["PATH": "/usr/bin:/bin"])

        var most = 0
        while fetching.isRunning {
            if let memory = ProcessFacts(fetching.pid)?.mostMemory { most = max(most, memory) }
            try await Task.sleep(for: .milliseconds(10))
        }
        let result = try await fetching.result()
        #expect(result.exit == 0, "\(result)")
        let fetched = try result.json["results"]?[0]
        #expect(fetched?["sha256"].text == hash.hex)
        #expect(fetched?["size"].number == Double(size))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size)
        let sent = origin.bytesSent(of: "/large")
        #expect(sent >= size && sent < size + size / 100, "\(sent - size) bytes came twice")
        #expect(origin.requests.count >= 64)
        // About 44 MiB without other tests, whatever the size of the file; less than half of the smallest file in any
        // case.
        #expect(most > 0 && (!Sanitizers.canCheckMemory() || most < 96 << 20), "\(most) bytes of memory")
    }
}
