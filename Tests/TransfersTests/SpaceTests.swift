import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite struct SpaceTests {
    private let origin: Origin
    private let engine: TransferEngine
    private let bytes = OriginBytes.random(6 << 20)

    init() throws {
        origin = try Origin()
        engine = TransferEngine()
        origin.serve("/p", bytes)
    }

    /// Whether the file system of the tests can reserve space.
    private static let canReserve: Bool = {
        guard let file = try? scratchFile(), (try? file.reserve(1 << 20)) != nil else { return false }
        return (try? file.status().space) ?? 0 >= 1 << 20
    }()

    @Test(.enabled(if: canReserve, "the file system can't set space aside"))
    func `space is reserved for the complete file and released`() async throws {
        origin.script("/p", [[.resetAfter(2 << 20)]])
        let partial = PartialFile(try scratchFile())
        let request = TransferRequest(origin.url("/p"), ifRange: OriginFileTag.of(bytes))
        _ = await transferError { _ = try await engine.download(request, into: partial) }
        let here = partial.size
        #expect(here > 0 && here < bytes.count)
        let status = try partial.file.status()
        #expect(status.size == here && status.space >= bytes.count)
        try partial.releaseReservedSpace()
        #expect(try partial.file.status().size == here)
        #expect(try partial.file.status().space < bytes.count)
        // The space is reserved again for a resumed download.
        let done = try await engine.download(request, into: partial)
        #expect(done.resumedFrom == here)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a full disk fails the download with the disk's error`() async throws {
        // The file may not grow beyond this size, and its space can't be reserved either.
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 2 << 20, rlim_max: 2 << 20)
            signal(SIGXFSZ, SIG_IGN)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let origin = try Origin()
            origin.serve("/p", OriginBytes.random(6 << 20))
            let engine = TransferEngine()
            let partial = PartialFile(try scratchFile())
            let error = await #expect(throws: StoreError.self) {
                _ = try await engine.download(TransferRequest(origin.url("/p")), into: partial)
            }
            #expect(error?.code == .fileFailed && error?.errno?.rawValue == EFBIG)
        }
    }

    @Test func `a body over the limit ends at the headers or at the first byte too many`() async throws {
        for faults in [[], [OriginFault.chunked], [.untilClose], [.endless]] {
            origin.script("/p", [faults])
            let partial = PartialFile(try scratchFile())
            let request = TransferRequest(origin.url("/p"), sizeLimit: 1 << 20)
            let error = await transferError { _ = try await engine.download(request, into: partial) }
            #expect(error?.code == .transferTooLong && error?.isTransient == false, "\(faults)")
            #expect(try partial.file.status().size <= 1 << 20, "\(faults)")
        }
    }
}

/// The entity tag that the test server assigns to content.
private enum OriginFileTag {
    static func of(_ bytes: [UInt8]) -> String { "\"\(SHA256Digest(of: bytes).hex.prefix(16))\"" }
}
