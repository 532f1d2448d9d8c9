import StoreModel
import StoreTestSupport
import StoreTransfers
import Testing

@testable import StoreDownloads

/// What an attempt to fetch an archive that failed leaves for the next one.
@Suite(.hangGuard) struct FetchFailureTests {
    private static let size = 4 << 20

    /// Makes one attempt that fails, and returns what it leaves.
    private func attempt(_ fault: OriginFault) async throws -> PartialFetch {
        let home = try await DownloadsHome()
        let origin = try Origin()
        defer { origin.stop() }
        let bytes = OriginBytes.random(Self.size, seed: 1)
        origin.serve("/a.zip", bytes)
        origin.script("/a.zip", [], rest: [fault])
        var request = try home.request("a")
        request.resource = ContentReference(
            url: origin.url("/a.zip"), size: bytes.count, sha256: SHA256Digest(of: bytes))
        let environment = await home.manager.environment
        let step = FetchStep(
            environment: environment.steps, request: request, settings: environment.settings, rate: TransferRate(nil))
        var partial = PartialFetch.none
        await #expect(throws: StoreError.self) { try await step.run(&partial) { _, _, _ in } }
        await home.manager.close()
        return partial
    }

    @Test func `a download that received nothing waits without an open file`() async throws {
        let partial = try await attempt(.close)
        guard case .unopened = partial else {
            Issue.record("it leaves \(partial)")
            return
        }
    }

    @Test func `a download that was interrupted gives back the space for what it has not received`() async throws {
        let partial = try await attempt(.closeAfter(100_000))
        guard case .whole(let file, _, _) = partial else {
            Issue.record("it leaves \(partial)")
            return
        }
        #expect(file.size == 100_000)
        #expect(try file.file.status().space < Self.size / 2)
    }
}
