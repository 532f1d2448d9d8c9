import Files
import FoundationEssentials
import Glibc
import StoreModel
import Support
import Testing

@testable import Transfers

/// Every way in which a server can be wrong, and the end that it must lead to. One after another, for the sake of
/// machines that allow few open files.
@Suite(.serialized) struct DownloadFaultTests {
    let engine: TransferEngine
    let origin: Origin
    let bytes = OriginBytes.random(600_000)
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }

    init() throws {
        engine = try TransferEngine()
        origin = try Origin()
        origin.serve("/pack.zip", bytes, etag: "\"one\"")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let faults: [OriginFault]
        let code: ErrorCode
        let isTransient: Bool
        /// Bytes that are kept for the next attempt.
        let kept: Int

        init(_ name: String, _ faults: [OriginFault], _ code: ErrorCode, isTransient: Bool = true, kept: Int = 0) {
            self.name = name
            self.faults = faults
            self.code = code
            self.isTransient = isTransient
            self.kept = kept
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case("reset before the answer", [.close], .transferInterrupted),
        Case("closed before the answer", [.raw([])], .transferInterrupted),
        Case("reset at the first byte", [.resetAfter(0)], .transferInterrupted),
        Case("reset in the middle", [.resetAfter(300_001)], .transferInterrupted, kept: 300_001),
        Case("reset before the last byte", [.resetAfter(599_999)], .transferInterrupted, kept: 599_999),
        Case("closed in the middle", [.short(by: 100_000)], .transferInterrupted, kept: 500_000),
        Case("chunks broken off", [.chunked, .resetAfter(300_000)], .transferInterrupted, kept: 300_000),
        Case(
            "no length, closed early", [.untilClose, .bytes(OriginBytes.random(400_000))], .transferTooShort,
            kept: 400_000),
        Case("silence before the answer", [.stallBeforeAnswer], .transferTimeout),
        Case("silence inside the headers", [.stallInHeaders], .transferTimeout),
        Case("silence before the first byte", [.stallAfter(0)], .transferTimeout),
        Case("silence in the middle", [.stallAfter(300_001)], .transferTimeout, kept: 300_001),
        Case("silence before the last byte", [.stallAfter(599_999)], .transferTimeout, kept: 599_999),
        Case("declared shorter", [.bytes(OriginBytes.random(599_999))], .contentSizeMismatch, isTransient: false),
        Case("declared longer", [.bytes(OriginBytes.random(600_001))], .contentSizeMismatch, isTransient: false),
        Case(
            "longer without a length", [.chunked, .bytes(OriginBytes.random(600_001))], .contentSizeMismatch,
            isTransient: false),
        Case("without an end", [.endless], .contentSizeMismatch, isTransient: false),
        Case("other bytes", [.bytes(OriginBytes.random(600_000, seed: 2))], .contentHashMismatch, isTransient: false),
        Case("gone", [.status(404)], .transferHTTPStatus, isTransient: false),
        Case("forbidden", [.status(403)], .transferHTTPStatus, isTransient: false),
        Case("no content", [.status(204)], .transferBadAnswer, isTransient: false),
        Case("the server failed", [.status(500)], .transferHTTPStatus),
        Case("too many requests", [.status(429, ["Retry-After": "3"])], .transferHTTPStatus),
        Case("a loop", [.redirect(to: "/pack.zip")], .transferRedirects, isTransient: false),
        Case("no HTTP", [.raw(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))], .transferBadAnswer, isTransient: false),
        Case("headers without an end", [.raw(endlessHeaders)], .transferBadAnswer, isTransient: false),
    ]

    static let endlessHeaders = Array(
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: \(String(repeating: "b", count: 1000))\r\n", count: 400)).utf8)

    @Test(arguments: cases) func ends(_ one: Case) async throws {
        // A loop must go on for ever; everything else happens once.
        if one.code == .transferRedirects {
            origin.script("/pack.zip", Array(repeating: one.faults, count: 1 + TransferRequest.redirectLimit))
        } else {
            origin.script("/pack.zip", [one.faults])
        }
        let partial = PartialFile(try scratchFile())
        let quick = TransferRequest(origin.url("/pack.zip"), timeouts: .quick)
        let error = await transferError { _ = try await engine.download(quick, into: partial, expecting: expected) }
        #expect(error?.code == one.code, "\(error?.message ?? "")")
        #expect(error?.isTransient == one.isTransient)
        #expect(partial.size == one.kept)
        #expect(try partial.file.content == Array(bytes[..<one.kept]))
        let message = try #require(error?.message)
        #expect(message.contains("/pack.zip"))

        // The server is well again, and the next attempt ends with the right bytes.
        let patient = TransferRequest(origin.url("/pack.zip"), ifRange: "\"one\"")
        let done = try await engine.download(patient, into: partial, expecting: expected)
        #expect(done.resumedFrom == one.kept)
        #expect(try partial.file.content == bytes)
    }

    @Test func aBodyLongerThanItsLengthIsCutThere() async throws {
        origin.script("/pack.zip", [[.long(by: 5000)]])
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(TransferRequest(origin.url("/pack.zip")), into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
        // What is left on that connection can be taken for the beginning of the next answer, if it comes late enough;
        // then another attempt, on another connection, must be worth it.
        do {
            _ = try await engine.fetch(TransferRequest(origin.url("/pack.zip")))
        } catch let error as TransferError {
            #expect(error.isTransient)
        }
        #expect(Array(try await engine.fetch(TransferRequest(origin.url("/pack.zip"))).body) == bytes)
    }

    @Test func aFileThatIsAllHereIsTakenThoughItsEndIsNotTold() async throws {
        origin.always("/pack.zip", .chunked, .stallAfter(600_000))
        let request = TransferRequest(origin.url("/pack.zip"), timeouts: .quick)
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
        let error = await transferError {
            let unproved = ExpectedContent(size: bytes.count)
            _ = try await engine.download(request, into: PartialFile(try scratchFile()), expecting: unproved)
        }
        #expect(error?.code == .transferTimeout)
    }

    @Test func theSizeLimitHoldsForTheWholeFile() async throws {
        for faults in [[], [OriginFault.chunked], [.endless]] {
            origin.script("/pack.zip", [faults])
            let request = TransferRequest(origin.url("/pack.zip"), sizeLimit: 599_999)
            let partial = PartialFile(try scratchFile())
            let error = await transferError { _ = try await engine.download(request, into: partial) }
            #expect(error?.code == .transferTooLong)
            #expect(try partial.file.content.count <= 599_999)
        }
    }

    @Test func aFullDiskIsAnErrorOfTheDiskAndNotOfTheNetwork() async throws {
        let full = OpenFile(descriptor: Glibc.open("/dev/full", O_RDWR), path: "/dev/full")
        let error = await #expect(throws: FileError.self) {
            _ = try await engine.download(TransferRequest(origin.url("/pack.zip")), into: PartialFile(full))
        }
        #expect(error?.code == .noSpace)
    }

    @Test func nobodyListeningIsUnreachable() async throws {
        let port = try ClosedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        #expect(error?.code == .transferUnreachable)
        #expect(error?.isTransient == true)
        #expect(error?.message.contains("refused") == true)
    }

    @Test func aHostThatDoesNotAnswerToTheConnectionIsATimeout() async throws {
        let port = try DeafPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url, timeouts: .quick)) }
        #expect(error?.code == .transferTimeout)
        #expect(error?.isTransient == true)
    }

    @Test func aNameThatDoesNotExistIsUnreachable() async throws {
        // RFC 6761 keeps this name from ever existing.
        let url = try #require(URL(string: "http://nowhere.invalid/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        // A machine without a network may take longer to say no than the connection may take.
        #expect(error?.code == .transferUnreachable || error?.code == .transferTimeout)
        #expect(error?.isTransient == true)
    }

    @Test func theWholeTransferHasItsLimitHoweverSteadyItIs() async throws {
        origin.always("/pack.zip", .endless, .rate(100_000))
        let timeouts = TransferTimeouts(whole: .milliseconds(400))
        let error = await transferError {
            _ = try await engine.download(
                TransferRequest(origin.url("/pack.zip"), timeouts: timeouts), into: PartialFile(try scratchFile()))
        }
        #expect(error?.code == .transferTimeout)
    }

    @Test func aCrawlIsAStall() async throws {
        origin.always("/pack.zip", .rate(1000))
        let timeouts = TransferTimeouts(stall: StallLimit(bytes: 100_000, in: .milliseconds(400)))
        let error = await transferError {
            _ = try await engine.download(
                TransferRequest(origin.url("/pack.zip"), timeouts: timeouts), into: PartialFile(try scratchFile()))
        }
        #expect(error?.code == .transferTimeout)
    }
}
