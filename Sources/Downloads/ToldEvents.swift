public import FoundationEssentials
public import StoreModel

/// What observers know who heard everything up to some moment.
public struct ToldEvents: Sendable {
    private let events: [EncodedEvent]
    /// The last event of each download.
    private let downloads: [OperationID: EncodedEvent]

    init(_ events: [EncodedEvent]) {
        self.events = events
        var downloads: [OperationID: EncodedEvent] = [:]
        for event in events {
            if case .download(let operation, _) = event.subject { downloads[operation] = event }
        }
        self.downloads = downloads
    }

    /// When the last of them happened.
    public var lastTime: Date { events.last?.event.time ?? .distantPast }

    public func endWasTold(of operation: OperationID) -> Bool {
        downloads[operation]?.subject == .download(operation, isEnd: true)
    }

    /// What was told last of a download; `nil` where that is too long ago.
    public func status(of operation: OperationID) -> DownloadStatus? {
        guard case .download(let status) = downloads[operation]?.event.happening else { return nil }
        return status
    }

    /// The downloads of which no end was told, as they were told last, in the order begun.
    public var runningDownloads: [DownloadStatus] {
        downloads.keys.filter { !endWasTold(of: $0) }.sorted { $0.rawValue < $1.rawValue }.compactMap(status)
    }

    /// What became of packs, by product: of each the last that was told, damage aside.
    public var packs: [String: PackChange] {
        var packs: [String: PackChange] = [:]
        for event in events where event.subject == .pack {
            if case .pack(let change) = event.event.happening, change.change != .damaged {
                packs[change.productIdentifier] = change
            }
        }
        return packs
    }
}
