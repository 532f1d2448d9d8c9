public import FoundationEssentials
import StoreModel

extension TransferEngine {
    /// Downloads a file from one of its addresses after another, until one has brought it, or what is missing of it. The
    /// order is that of what was learned of the servers; an address that fails costs no wait while another has not been
    /// asked.
    ///
    /// With the file's hash, bytes are kept from one address to the next; those that turn out to be wrong are dropped,
    /// and so is the address. Without it, each address counts as another file.
    ///
    /// - Parameters:
    ///   - sources: handed on from attempt to attempt; who sent something wrong, or can't have the file, is not asked
    ///     again.
    ///   - request: what to ask an address, beside the part of the file.
    ///   - progress: as with one address, with the one that is asked.
    /// - Throws: as with one address; where all have failed, what most speaks for another attempt.
    public func download(
        from sources: inout SourceList, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        request: (URL) -> TransferRequest,
        progress: @escaping @Sendable (URL, TransferProgress) -> Void = { _, _ in }
    ) async throws -> Downloaded {
        sources.beginRound()
        var failures: [TransferError] = []
        while true {
            let previous = sources.last
            guard let url = knowledge.withLock({ sources.next($0, at: .now) }) else { break }
            var asked = request(url)
            if expected.sha256 == nil, let previous {
                // What came under this tag can be gone on with although nothing else proves it.
                asked.ifRange = previous == url ? partial.etag ?? asked.ifRange : nil
            }
            let (before, begun) = (partial.here, ContinuousClock.now)
            do {
                let done = try await download(
                    asked, into: partial, expecting: expected, keepsWrong: sources.hasMirrors
                ) { progress(url, $0) }
                let time = ContinuousClock.now - begun
                knowledge.withLock { $0.brought(url, done.size - done.resumedFrom, in: time) }
                sources.reached(url)
                return done
            } catch let error as TransferError {
                knowledge.withLock { $0.failed(url, rest: error.retryAfter, at: .now) }
                if !error.lacksNetwork { sources.reached(url) }
                failures.append(error)
                sources.brought(by: url, from: before, to: partial.here)
                if error.code == .contentHashMismatch, sources.hasMirrors {
                    if let wrong = sources.foundWrong(by: url, partial.here) {
                        try await partial.drop(wrong)
                    } else {
                        try partial.restart()
                    }
                } else {
                    sources.failed(url, forGood: !error.isTransient)
                }
            }
        }
        throw Self.reason(of: failures, sources.first)
    }

    /// Has something done with one address after another, until it is done: what is not a whole file, and is brought in
    /// another way.
    ///
    /// - Throws: what `body` throws; where all addresses have failed, as for a whole file.
    public func asking<Value>(
        _ sources: inout SourceList, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        sources.beginRound()
        var failures: [TransferError] = []
        while let url = knowledge.withLock({ sources.next($0, at: .now) }) {
            do {
                let value = try await body(url)
                sources.reached(url)
                return value
            } catch let error as TransferError {
                knowledge.withLock { $0.failed(url, rest: error.retryAfter, at: .now) }
                if !error.lacksNetwork { sources.reached(url) }
                sources.failed(url, forGood: !error.isTransient)
                failures.append(error)
            }
        }
        throw Self.reason(of: failures, sources.first)
    }

    /// What to tell where all failed: of those that may get better the one that is so soonest, else what the first said.
    /// Where one of them was reached, it is not for want of a network that the file does not come.
    static func reason(of failures: [TransferError], _ url: URL) -> TransferError {
        let transient = failures.filter(\.isTransient)
        let reached = transient.filter { !$0.lacksNetwork }
        return (reached.isEmpty ? transient : reached).min { $0.retryAfter ?? .zero < $1.retryAfter ?? .zero }
            ?? failures.first
            ?? .badRequest(url, "none of its addresses can be used any more")
    }
}
