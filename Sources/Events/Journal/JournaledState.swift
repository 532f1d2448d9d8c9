public import FoundationEssentials
public import StoreModel

/// The state that a crashed process had published, according to its event journal.
///
/// The process may have done more than it published: the next one compares this state with the database and the
/// library, and publishes the difference.
public struct JournaledState: Sendable {
    private let events: [EncodedEvent]
    /// The last event of each download in the event journal, by the download's operation.
    private let lastEvents: [OperationID: EncodedEvent]

    init(_ events: [EncodedEvent]) {
        self.events = events
        var lastEvents: [OperationID: EncodedEvent] = [:]
        for event in events {
            if case .download(let operation, _) = event.subject { lastEvents[operation] = event }
        }
        self.lastEvents = lastEvents
    }

    /// The time of the last event in the event journal.
    public var lastEventTime: Date { events.last?.event.time ?? .distantPast }

    /// Returns whether an event with the end of the operation's download was published.
    public func hasEnded(_ operation: OperationID) -> Bool {
        lastEvents[operation]?.subject == .download(operation, isEnd: true)
    }

    /// Returns the last published status of the operation's download; `nil` if the journal no longer has it.
    public func status(of operation: OperationID) -> DownloadStatus? {
        guard case .download(let status) = lastEvents[operation]?.event.happening else { return nil }
        return status
    }

    /// The last published statuses of downloads whose end was not published, in the order in which they began.
    public var runningDownloads: [DownloadStatus] {
        lastEvents.keys.filter { !hasEnded($0) }.sorted { $0.rawValue < $1.rawValue }.compactMap(status)
    }

    /// Changes a state that an earlier process had published as the events describe it, downloads excepted.
    public func apply(to state: inout PublishedState) { for event in events { state.apply(event.event.happening) } }

    /// The last published change of each installed pack, by product identifier, without reports of damage.
    public var packChanges: [String: PackChange] {
        var changes: [String: PackChange] = [:]
        for event in events where event.subject == .pack {
            if case .pack(let change) = event.event.happening, change.change != .damaged {
                changes[change.productIdentifier] = change
            }
        }
        return changes
    }
}
