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
    /// Timeouts for tests of silence; on a busy machine, a working transfer may exceed them.
    static let quick = all(.milliseconds(300))

    /// Returns timeouts of which each is `limit`.
    static func all(_ limit: Duration) -> TransferTimeouts {
        TransferTimeouts(connect: limit, answer: limit, stall: StallLimit(bytes: 1, in: limit))
    }
}

/// Runs transfers that must not time out, although they pause for longer than a time limit.
///
/// They are begun again with a longer limit after a timeout, because on a busy machine they may exceed a short one while
/// they work. What always times out fails with the longest limit as well.
func withGrowingTimeLimit(_ body: (_ limit: Duration) async throws -> Void) async throws {
    for limit in [Duration.milliseconds(300), .seconds(2)] {
        do {
            return try await body(limit)
        } catch let error as StoreError where error.code == .transferTimeout {}
    }
    try await body(.seconds(15))
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
