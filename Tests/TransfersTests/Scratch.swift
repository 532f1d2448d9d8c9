import Dispatch
import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import Testing

@testable import StoreTransfers

/// A file without a name, gone when nothing holds it any more.
func scratchFile(_ content: [UInt8] = []) throws -> OpenFile {
    var template = Array("/tmp/transfers-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    unlink(template)
    let file = OpenFile(descriptor: descriptor, path: "a scratch file")
    try content.withUnsafeBytes { try file.write($0, at: 0) }
    return file
}

extension OpenFile {
    var content: [UInt8] { get throws { try read(count: try status().size, at: 0) } }
}

/// The numbers of all that this process has open.
func openDescriptors() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
}

/// The error of a body that must fail with one of ours.
func transferError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> StoreError? {
    await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try await body() }
}

extension TransferTimeouts {
    /// So short that a test of silence is over soon, and so generous to what works that it never fails.
    static let quick = TransferTimeouts(
        connect: .milliseconds(300), answer: .milliseconds(300), stall: StallLimit(bytes: 1, in: .milliseconds(300)))
}

/// Holds up a thread until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    /// Lets the next one through, too.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
