public import FoundationEssentials

/// The addresses of one file, with what came of asking them in one download. A value: it is told what happened, and says
/// whom to ask next.
public struct SourceList: Sendable {
    private struct Source {
        let url: URL
        /// It failed, and is not asked again before all others have.
        var hasFailed = false
        /// It will not be asked again in this download.
        var isSetAside = false
        /// In this round it answered, or refused to.
        var isReached = false
        /// What is here of the file and came from it.
        var brought = ByteRanges()
    }
    private var sources: [Source]
    /// Whom bytes were asked of last.
    private(set) var last: URL?
    /// Those whose bytes were dropped when the whole was found to be wrong.
    private var suspects: Set<URL> = []

    /// - Parameter mirrors: further addresses of the same file, in the order of the publisher's preference.
    public init(_ url: URL, mirrors: [URL] = []) {
        sources = []
        for url in [url] + mirrors where !sources.contains(where: { $0.url == url }) {
            sources.append(Source(url: url))
        }
    }

    var hasMirrors: Bool { sources.count > 1 }
    /// The publisher's own.
    public var first: URL { sources[0].url }

    /// Those that there was a way to when they were asked for the last time, whatever they answered.
    public var reached: [URL] { sources.filter(\.isReached).map(\.url) }

    /// All that may be asked are to be asked again.
    public mutating func beginRound() {
        for index in sources.indices { (sources[index].hasFailed, sources[index].isReached) = (false, false) }
    }

    /// An address was asked, and there is a way to it.
    public mutating func reached(_ url: URL) { change(url) { $0.isReached = true } }

    /// Whom to ask now; `nil` where all have failed.
    mutating func next(_ knowledge: ServerKnowledge, at now: ServerKnowledge.Instant) -> URL? {
        let untried = sources.filter { !$0.hasFailed && !$0.isSetAside }.map(\.url)
        guard let url = knowledge.order(untried, at: now).first else { return nil }
        last = url
        return url
    }

    /// An address did not bring the file.
    ///
    /// - Parameter forGood: whether asking it again is of no use.
    mutating func failed(_ url: URL, forGood: Bool) {
        change(url) {
            $0.hasFailed = true
            $0.isSetAside = forGood
        }
    }

    /// Bytes came.
    ///
    /// - Parameters:
    ///   - before: what was here before `url` was asked.
    ///   - after: what is here now; where something is missing of what was here before, it was begun anew.
    mutating func brought(by url: URL, from before: ByteRanges, to after: ByteRanges) {
        let isNew = before.subtracting(after).count > 0
        for index in sources.indices where isNew { sources[index].brought = ByteRanges() }
        for range in after.subtracting(isNew ? ByteRanges() : before).ranges {
            change(url) { $0.brought.insert(range) }
        }
    }

    /// All bytes are here, and together they are wrong. Who sent the wrong ones can't be known; the last to send is
    /// suspected first, and what the others sent is kept, once. Where it is wrong with the bytes of another as well, the
    /// fault lies in what was kept.
    ///
    /// - Returns: the bytes to drop; `nil` is all.
    mutating func foundWrong(by url: URL, _ here: ByteRanges) -> ByteRanges? {
        let own = sources.first { $0.url == url }?.brought ?? ByteRanges()
        let others = here.subtracting(own)
        defer { change(url) { $0.brought = ByteRanges() } }
        if suspects.isEmpty, own.count > 0, others.count > 0 {
            suspects = [url]
            failed(url, forGood: true)
            return own
        }
        if others.count > 0 {
            for index in sources.indices {
                if suspects.contains(sources[index].url) {
                    (sources[index].isSetAside, sources[index].hasFailed) = (false, false)
                }
                if sources[index].url != url, sources[index].brought.count > 0 { sources[index].isSetAside = true }
                sources[index].brought = ByteRanges()
            }
            // What an earlier process left may have been wrong, and nobody else is to blame for it.
            suspects = []
        } else {
            failed(url, forGood: true)
        }
        return nil
    }

    private mutating func change(_ url: URL, _ body: (inout Source) -> Void) {
        if let index = sources.firstIndex(where: { $0.url == url }) { body(&sources[index]) }
    }
}
