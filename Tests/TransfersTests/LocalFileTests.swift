import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite final class LocalFileTests {
    let engine: TransferEngine
    let folder: String
    let bytes = OriginBytes.random(700_001)

    init() throws {
        engine = try TransferEngine()
        folder = "/tmp/transfers test-\(UInt64.random(in: 0 ... .max))"
        try #require(mkdir(folder, 0o700) == 0)
        try Data(bytes).write(to: URL(filePath: folder + "/a pack.zip"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func request(_ name: String) -> TransferRequest { TransferRequest(URL(filePath: folder + "/" + name)) }

    @Test func aFileIsDownloadedAndProved() async throws {
        let partial = PartialFile(try scratchFile())
        let expected = ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes))
        let done = try await engine.download(request("a pack.zip"), into: partial, expecting: expected)
        #expect(done.size == bytes.count)
        #expect(try partial.file.content == bytes)
    }

    @Test func aFileIsGoneOnWith() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<300_000])))
        let done = try await engine.download(
            request("a pack.zip"), into: partial, expecting: ExpectedContent(sha256: SHA256Digest(of: bytes)))
        #expect(done.resumedFrom == 300_000)
        #expect(try partial.file.content == bytes)
    }

    @Test func aFileIsFetchedWithinTheLimit() async throws {
        #expect(Array(try await engine.fetch(request("a pack.zip")).body) == bytes)
        var small = request("a pack.zip")
        small.sizeLimit = 700_000
        let error = await transferError { _ = try await engine.fetch(small) }
        #expect(error?.code == .transferTooLong)
    }

    @Test func aMissingFileIsAnsweredLikeAServerWould() async throws {
        #expect(try await engine.fetch(request("other.zip")).response.status == 404)
        let error = await transferError {
            _ = try await engine.download(request("other.zip"), into: PartialFile(try scratchFile()))
        }
        #expect(error?.status == 404)
    }

    @Test func whatIsNoFileIsRefused() async throws {
        mkfifo(folder + "/pipe", 0o600)
        for name in ["", "pipe"] {
            let error = await transferError { _ = try await engine.fetch(request(name)) }
            #expect(error?.code == .transferBadRequest)
        }
    }

    @Test func aFileOfAnotherSizeIsRefused() async throws {
        let error = await transferError {
            _ = try await engine.download(
                request("a pack.zip"), into: PartialFile(try scratchFile()), expecting: ExpectedContent(size: 700_000))
        }
        #expect(error?.code == .contentSizeMismatch)
    }
}
