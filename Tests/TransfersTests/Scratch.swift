import Dispatch
import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import Testing

@testable import StoreTransfers

/// Creates an unnamed file, which disappears when it is released.
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

/// Returns the open descriptors of this process.
func openDescriptors() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
}

/// Returns the error of `body`, which must throw a `StoreError`.
func transferError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> StoreError? {
    await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try await body() }
}

extension TransferTimeouts {
    /// Timeouts that are short enough for tests of silence, and long enough for working transfers.
    static let quick = TransferTimeouts(
        connect: .milliseconds(300), answer: .milliseconds(300), stall: StallLimit(bytes: 1, in: .milliseconds(300)))
}

/// A semaphore that blocks threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    /// Waits, and admits the next thread.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
