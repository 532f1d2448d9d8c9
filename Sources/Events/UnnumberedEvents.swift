import FoundationEssentials
import StoreModel

/// The events that were published while no event number was available, bounded in number.
///
/// Of the progress of a download only the newest is retained. When the state changes exceed the capacity, all events are
/// dropped except the newest about each part of the state, such as a running download or a pack, and those of the
/// downloads that ended last: subscribers have then missed events, which ``hasGap`` says.
struct UnnumberedEvents: Sendable {
    struct Element: Sendable {
        var time: Date
        var happening: Event.Happening
    }

    private let capacity: Int
    private let endedCapacity: Int
    private(set) var elements: [Element] = []
    /// The number of elements at which the next ones are dropped.
    private var limit: Int
    /// The index of the newest progress of each download, where no other event of the download follows it.
    private var progressIndexes: [OperationID: Int] = [:]
    /// Whether events were dropped since the last call of ``closeGap()``.
    private(set) var hasGap = false

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of events, unless there are more running downloads.
    ///   - endedCapacity: The number of ended downloads whose last events are retained in any case.
    init(capacity: Int, endedCapacity: Int) {
        self.capacity = capacity
        self.endedCapacity = endedCapacity
        limit = capacity
    }

    var isEmpty: Bool { elements.isEmpty && !hasGap }

    mutating func append(_ happening: Event.Happening, at time: Date) {
        let element = Element(time: time, happening: happening)
        if case .download(let status) = happening {
            if !happening.isProgress {
                progressIndexes[status.operation] = nil
            } else if let index = progressIndexes[status.operation] {
                elements[index] = element
                return
            } else {
                progressIndexes[status.operation] = elements.count
            }
        }
        elements.append(element)
        if elements.count > limit { drop() }
    }

    /// Removes the first events, which have been numbered.
    mutating func removeFirst(_ count: Int) {
        elements.removeFirst(count)
        limit = max(capacity, 2 * elements.count)
        indexProgress()
    }

    /// Records that the subscribers were informed of the missed events.
    mutating func closeGap() { hasGap = false }

    /// Drops all events that the state does not depend on.
    private mutating func drop() {
        var last: [Event.Happening.StatePart: Int] = [:]
        for (index, element) in elements.enumerated() {
            if let part = element.happening.statePart { last[part] = index }
        }
        let indexes = last.values.sorted()
        let ended = indexes.filter { elements[$0].happening.endedDownload != nil }
        let dropped = Set(ended.dropLast(endedCapacity))
        elements = indexes.filter { !dropped.contains($0) }.map { elements[$0] }
        hasGap = true
        // Dropping reads all events, so it must not be done for every event of a long queue.
        limit = max(capacity, 2 * elements.count)
        indexProgress()
    }

    private mutating func indexProgress() {
        progressIndexes = [:]
        for (index, element) in elements.enumerated() {
            guard case .download(let status) = element.happening else { continue }
            progressIndexes[status.operation] = element.happening.isProgress ? index : nil
        }
    }
}

extension Event.Happening {
    /// The final status of a download, where the event reports its end.
    var endedDownload: DownloadStatus? {
        if case .download(let status) = self, status.state.isEnd { status } else { nil }
    }
}
