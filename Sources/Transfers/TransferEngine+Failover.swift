public import FoundationEssentials
import StoreModel

extension TransferEngine {
    /// Downloads a file, or the bytes of it that are missing, from the first of several mirrors that delivers it.
    ///
    /// Trying one mirror after another is called failover.
    ///
    /// The engine orders mirrors by what it learned about their hosts. A mirror that fails costs no delay while another
    /// has not been tried. With the file's hash, bytes are kept from one mirror to the next; when the complete file is
    /// wrong, the bytes of a suspected mirror are discarded, and that mirror is excluded. Without a hash, each mirror
    /// counts as another file.
    ///
    /// - Parameters:
    ///   - mirrors: the mirrors, passed on from attempt to attempt. A mirror that sent wrong bytes, or can't have the
    ///     file, is not tried again.
    ///   - partial: the file to fill.
    ///   - expected: the size and hash that the file must have, where they are known.
    ///   - request: returns the request for a mirror, without range and tag.
    ///   - progress: receives the mirror and the progress of its transfer, as for
    ///     ``download(_:into:expecting:progress:)``.
    /// - Throws: as ``download(_:into:expecting:progress:)``. Where all mirrors have failed, the transient error that
    ///   may be retried soonest, or else the first error.
    public func download(
        from mirrors: inout MirrorList, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        request: (URL) -> TransferRequest,
        progress: @escaping @Sendable (URL, TransferProgress) -> Void = { _, _ in }
    ) async throws -> DownloadedFile {
        mirrors.beginRound()
        var failures: [StoreError] = []
        while true {
            let previous = mirrors.last
            guard let url = hostStatistics.withLock({ mirrors.next($0, at: .now) }) else { break }
            var next = request(url)
            if expected.sha256 == nil, let previous {
                // The tag of the received bytes is the only proof that they can be continued.
                next.ifRange = partial.entityTag(for: url) ?? (previous == url ? next.ifRange : nil)
            }
            let (before, startedAt) = (partial.present, ContinuousClock.now)
            do {
                let done = try await download(
                    next, into: partial, expecting: expected, keepsWrongBytes: mirrors.hasMirrors
                ) { progress(url, $0) }
                let time = ContinuousClock.now - startedAt
                hostStatistics.withLock { $0.transferDidSucceed(url, done.size - done.resumedFrom, in: time) }
                mirrors.recordReachable(url)
                return done
            } catch let error as StoreError where error.isTransferFailure {
                mirrors.recordDelivery(by: url, from: before, to: partial.present)
                if error.code == .contentHashMismatch, mirrors.hasMirrors, mirrors.suspectInherited(partial.present) {
                    try partial.restart()
                    continue
                }
                record(error, of: url, in: &mirrors)
                failures.append(error)
                if error.code == .contentHashMismatch || error.code == .contentSizeMismatch {
                    mirrors.recordContentMismatch(error)
                }
                if error.code == .contentHashMismatch, mirrors.hasMirrors {
                    if let wrong = mirrors.recordHashMismatch(after: url, partial.present) {
                        try await partial.discard(wrong)
                    } else {
                        try partial.restart()
                    }
                } else {
                    mirrors.recordFailure(of: url, isPermanent: !error.isTransient)
                }
            }
        }
        throw Self.mostPromising(of: failures, mirrors.first)
    }

    /// Calls a function with the URL of one mirror after another until it succeeds.
    ///
    /// This is failover for transfers other than of complete files.
    ///
    /// - Parameters:
    ///   - mirrors: the mirrors, passed on from attempt to attempt; one whose error is not transient is not tried
    ///     again.
    ///   - body: makes the transfer from a mirror.
    /// - Returns: what `body` returned.
    /// - Throws: an error of `body` that is no transfer failure, at once. Where all mirrors have failed, the transient
    ///   error that may be retried soonest, or else the first error.
    public func withFailover<Value>(
        _ mirrors: inout MirrorList, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        mirrors.beginRound()
        var failures: [StoreError] = []
        while let url = hostStatistics.withLock({ mirrors.next($0, at: .now) }) {
            do {
                let value = try await body(url)
                mirrors.recordReachable(url)
                return value
            } catch let error as StoreError where error.isTransferFailure {
                record(error, of: url, in: &mirrors)
                mirrors.recordFailure(of: url, isPermanent: !error.isTransient)
                failures.append(error)
            }
        }
        throw Self.mostPromising(of: failures, mirrors.first)
    }

    private func record(_ error: StoreError, of url: URL, in mirrors: inout MirrorList) {
        hostStatistics.withLock { $0.transferDidFail(url, retryAfter: error.retryAfter, at: .now) }
        if !error.lacksNetwork { mirrors.recordReachable(url) }
    }

    /// Returns the error to report when all mirrors have failed.
    ///
    /// It is the transient error that may be retried soonest, or else the first.
    ///
    /// An error without a network path counts only where no other transient error is among `failures`. Without any
    /// failure, because all mirrors were excluded before, it is `transfer.bad-request`.
    static func mostPromising(of failures: [StoreError], _ url: URL) -> StoreError {
        let transient = failures.filter(\.isTransient)
        let reachable = transient.filter { !$0.lacksNetwork }
        return (reachable.isEmpty ? transient : reachable).min {
            $0.retryAfter ?? .zero < $1.retryAfter ?? .zero
        } ?? failures.first ?? .badRequest(url, "none of its mirrors can be used any more")
    }
}
