public import FoundationEssentials
public import StoreModel
import Synchronization

/// An event (a numbered notification about downloads, packs or other state) with its JSON encoding.
///
/// A published event is encoded once for all readers. An event that was read from the journal is decoded only when its
/// value is used.
public final class EncodedEvent: Sendable {
    /// The event's sequence number: its position in the order of all events.
    public let sequence: UInt64
    /// The subject of the event: a download, a pack, or anything else.
    let subject: Subject
    /// Whether the event only reports more received bytes since the previous event of the same download.
    let isProgress: Bool
    /// Whether the event reports received bytes, also as the first one of a transfer.
    private let reportsBytes: Bool
    /// Whether this process has published the event, so that it can be encoded again.
    private let isPublished: Bool
    // One of them is always there.
    private let content: Mutex<(event: Event?, json: Data?)>

    /// Creates an encodable event from an event that is being published.
    ///
    /// - Parameter previous: The previous event of the same download; `nil` if there is none.
    init(_ event: Event, after previous: EncodedEvent? = nil) {
        sequence = event.sequence
        subject = Subject(event.happening)
        // The first progress of a transfer counts as a change of state, which every subscriber receives.
        reportsBytes = event.isProgress
        isProgress = reportsBytes && previous?.reportsBytes == true
        isPublished = true
        content = Mutex((event, nil))
    }

    /// Creates an event from its line in the event journal on disk, which contains no progress events.
    init(sequence: UInt64, subject: Subject, json: Data) {
        self.sequence = sequence
        self.subject = subject
        isProgress = false
        reportsBytes = false
        isPublished = false
        content = Mutex((nil, json))
    }

    /// The decoded event; an event of a type that this release does not know is `unknown`.
    public var event: Event {
        content.withLock { content in
            if let event = content.event { return event }
            // A later release may encode an event differently.
            let event =
                content.json.flatMap { try? JSON.decode(Event.self, from: $0) }
                ?? Event(sequence: sequence, time: .distantPast, happening: .unknown(type: ""))
            content.event = event
            return event
        }
    }

    /// The event as one line of JSON: the same bytes for every reader, also after a restart.
    public var encoded: Data {
        content.withLock { content in
            if let json = content.json { return json }
            // Every member of an event can be encoded, so an error is a defect of the program that must become visible.
            let json = content.event.flatMap { try? $0.json() } ?? Data(#"{"type":"defect"}"#.utf8)
            content.json = json
            return json
        }
    }

    /// Frees the memory of a published event's JSON; it is encoded again for a reader that is far behind.
    func discardEncoding() {
        guard isPublished else { return }
        content.withLock { $0.json = nil }
    }
}

extension EncodedEvent {
    /// The subject of an event: a download, a pack, or anything else; known without decoding the event's JSON.
    enum Subject: Sendable, Equatable {
        case download(OperationID, isEnd: Bool)
        case pack
        case other

        init(_ happening: Event.Happening) {
            switch happening {
            case .download(let status): self = .download(status.operation, isEnd: status.state.isEnd)
            case .pack: self = .pack
            case .store, .trust, .purchase, .setting, .catalogue, .updates, .skin, .stickers, .unknown: self = .other
            }
        }

        /// The word that represents the event's subject in a line of the event journal.
        var text: String {
            switch self {
            case .download(let operation, let isEnd): (isEnd ? "end:" : "download:") + operation.rawValue
            case .pack: "pack"
            case .other: "other"
            }
        }

        /// Parses the word that represents an event's subject in a line of the event journal.
        init(text: String) {
            if text == "pack" {
                self = .pack
            } else if let colon = text.firstIndex(of: ":") {
                let operation = OperationID(rawValue: String(text[text.index(after: colon)...]))
                self = .download(operation, isEnd: text.hasPrefix("end:"))
            } else {
                self = .other
            }
        }
    }
}
