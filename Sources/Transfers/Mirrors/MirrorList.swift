public import FoundationEssentials
public import StoreModel

/// The mirrors (URLs of copies) of one file, and the outcome of trying each of them in one download.
///
/// A value: its methods record what happened, and return which mirror to try next.
public struct MirrorList: Sendable {
    private struct Mirror {
        let url: URL
        /// Whether the mirror failed in this round of attempts; it is not tried again before the next round.
        var hasFailed = false
        /// Whether the mirror is not tried again in this download; a suspected mirror may be readmitted.
        var isExcluded = false
        /// Whether the mirror responded or refused in this round of attempts, so that there is a network path to it.
        var isReachable = false
        /// The ranges of the file that came from this mirror and are still used.
        var delivered = ByteRanges()
    }
    private var mirrors: [Mirror]
    /// The URL of the mirror that was tried last; `nil` before the first.
    private(set) var last: URL?
    /// The URLs of the mirrors whose bytes were discarded on suspicion when the complete file turned out to be wrong.
    private var suspects: Set<URL> = []

    /// Creates a list of the publisher's own URL of a file and the URLs of its mirrors.
    ///
    /// - Parameters:
    ///   - url: the publisher's own URL.
    ///   - mirrors: further URLs of the same file, in the order of the publisher's preference. Duplicates are ignored.
    public init(_ url: URL, mirrors: [URL] = []) {
        self.mirrors = []
        for url in [url] + mirrors where !self.mirrors.contains(where: { $0.url == url }) {
            self.mirrors.append(Mirror(url: url))
        }
    }

    /// Whether the list of mirrors has more than one URL.
    var hasMirrors: Bool { mirrors.count > 1 }
    /// The publisher's own URL of the file, the first in the list of mirrors.
    public var first: URL { mirrors[0].url }

    /// Whether a mirror is not tried again, because it can't deliver what was requested of it.
    public var hasExcluded: Bool { mirrors.contains(where: \.isExcluded) }
    /// The error of the first complete file with wrong content in this download; `nil` if there was none.
    public private(set) var contentMismatch: StoreError?

    /// The URLs of the mirrors to which there was a network path in this round of attempts, whatever they responded.
    public var reachable: [URL] { mirrors.filter(\.isReachable).map(\.url) }

    /// Begins a round of attempts, in which every mirror may be tried once unless it is excluded.
    public mutating func beginRound() {
        for index in mirrors.indices { (mirrors[index].hasFailed, mirrors[index].isReachable) = (false, false) }
    }

    /// Records that there is a network path to the mirror with this URL.
    public mutating func recordReachable(_ url: URL) { change(url) { $0.isReachable = true } }

    /// Returns the URL of the mirror to try now; `nil` where all have failed in this round or are excluded.
    mutating func next(_ statistics: HostStatistics, at now: HostStatistics.Instant) -> URL? {
        let untried = mirrors.filter { !$0.hasFailed && !$0.isExcluded }.map(\.url)
        guard let url = statistics.order(untried, at: now).first else { return nil }
        last = url
        return url
    }

    /// Records that a mirror did not deliver the file, so that it is not tried again in this round.
    ///
    /// - Parameter isPermanent: whether the mirror is excluded from later rounds as well, because another attempt can't
    ///   succeed.
    mutating func recordFailure(of url: URL, isPermanent: Bool) {
        change(url) {
            $0.hasFailed = true
            $0.isExcluded = isPermanent
        }
    }

    /// Records that a mirror delivered a complete file with wrong content.
    ///
    /// It is the reason for which the download fails if no other mirror delivers the file, whatever the error of that
    /// mirror is.
    mutating func recordContentMismatch(_ error: StoreError) { contentMismatch = contentMismatch ?? error }

    /// Records which bytes of the file the mirror with this URL delivered.
    ///
    /// - Parameters:
    ///   - before: the bytes that were there before the mirror was tried.
    ///   - after: the bytes that are there now. Where bytes of `before` are not among them, the download started over.
    mutating func recordDelivery(by url: URL, from before: ByteRanges, to after: ByteRanges) {
        let isRestart = before.subtracting(after).count > 0
        for index in mirrors.indices where isRestart { mirrors[index].delivered = ByteRanges() }
        for range in after.subtracting(isRestart ? ByteRanges() : before).ranges {
            change(url) { $0.delivered.insert(range) }
        }
    }

    /// Returns whether some bytes are of no mirror of the list, but of an earlier process; forgets then what mirrors delivered.
    ///
    /// If the complete file has a wrong hash, these are suspected first: all bytes are discarded, and no mirror is excluded.
    ///
    /// - Parameter present: the bytes of the complete file.
    mutating func suspectInherited(_ present: ByteRanges) -> Bool {
        var inherited = present
        for mirror in mirrors { inherited = inherited.subtracting(mirror.delivered) }
        guard inherited.count > 0 else { return false }
        for index in mirrors.indices { mirrors[index].delivered = ByteRanges() }
        return true
    }

    /// Records that the complete file has a wrong hash, and returns the bytes to discard; `nil` means all.
    ///
    /// Which mirror sent wrong bytes can't be known. At first the mirror that delivered last is suspected and excluded,
    /// and the bytes of the others are kept. If the file is wrong again with the bytes of another mirror in their
    /// place, the fault lies in the kept bytes, and their mirrors are excluded instead. Where one mirror delivered all
    /// bytes, it is excluded.
    ///
    /// - Parameters:
    ///   - url: the mirror that delivered last.
    ///   - present: the bytes of the complete file.
    mutating func recordHashMismatch(after url: URL, _ present: ByteRanges) -> ByteRanges? {
        let own = mirrors.first { $0.url == url }?.delivered ?? ByteRanges()
        let others = present.subtracting(own)
        defer { change(url) { $0.delivered = ByteRanges() } }
        if suspects.isEmpty, own.count > 0, others.count > 0 {
            suspects = [url]
            recordFailure(of: url, isPermanent: true)
            return own
        }
        if others.count > 0 {
            for index in mirrors.indices {
                if suspects.contains(mirrors[index].url) {
                    (mirrors[index].isExcluded, mirrors[index].hasFailed) = (false, false)
                }
                if mirrors[index].url != url, mirrors[index].delivered.count > 0 { mirrors[index].isExcluded = true }
                mirrors[index].delivered = ByteRanges()
            }
            suspects = []
        } else {
            recordFailure(of: url, isPermanent: true)
        }
        return nil
    }

    private mutating func change(_ url: URL, _ body: (inout Mirror) -> Void) {
        if let index = mirrors.firstIndex(where: { $0.url == url }) { body(&mirrors[index]) }
    }
}
