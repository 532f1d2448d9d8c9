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

    @Test func `a file is downloaded and verified`() async throws {
        let partial = PartialFile(try scratchFile())
        let expected = ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes))
        let done = try await engine.download(request("a pack.zip"), into: partial, expecting: expected)
        #expect(done.size == bytes.count)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a file is resumed`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<300_000])))
        let done = try await engine.download(
            request("a pack.zip"), into: partial, expecting: ExpectedContent(sha256: SHA256Digest(of: bytes)))
        #expect(done.resumedFrom == 300_000)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a file is fetched within the limit`() async throws {
        #expect(Array(try await engine.fetch(request("a pack.zip")).body) == bytes)
        var small = request("a pack.zip")
        small.sizeLimit = 700_000
        let error = await transferError { _ = try await engine.fetch(small) }
        #expect(error?.code == .transferTooLong)
    }

    @Test func `a missing local file has the status 404`() async throws {
        #expect(try await engine.fetch(request("other.zip")).response.status == 404)
        let error = await transferError {
            _ = try await engine.download(request("other.zip"), into: PartialFile(try scratchFile()))
        }
        #expect(error?.httpStatus == 404)
    }

    @Test func `a URL of a directory is refused`() async throws {
        mkfifo(folder + "/pipe", 0o600)
        for name in ["", "pipe"] {
            let error = await transferError { _ = try await engine.fetch(request(name)) }
            #expect(error?.code == .transferBadRequest)
        }
    }

    @Test func `a file of another size is refused`() async throws {
        let error = await transferError {
            _ = try await engine.download(
                request("a pack.zip"), into: PartialFile(try scratchFile()), expecting: ExpectedContent(size: 700_000))
        }
        #expect(error?.code == .contentSizeMismatch)
    }
}
