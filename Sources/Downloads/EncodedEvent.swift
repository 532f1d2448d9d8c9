public import FoundationEssentials
public import StoreModel
import Synchronization

/// An event with its JSON. Of one that was published the JSON is made once for all who read it while it is new, of one
/// that was read from the disk the value is, and only when somebody asks for it.
public final class EncodedEvent: Sendable {
    public let sequence: UInt64
    let subject: Subject
    /// Whether it says no more than how far a download has come since the event of it before.
    let isProgress: Bool
    private let published: Event?
    private let made: Mutex<(event: Event?, json: Data?)>

    /// - Parameter before: the event of the same download before it.
    init(_ event: Event, after before: EncodedEvent? = nil) {
        sequence = event.sequence
        subject = Subject(event.happening)
        // The first one of a state is a change of state, which nobody is to miss.
        isProgress = event.isProgress && before?.published?.isProgress == true
        published = event
        made = Mutex((nil, nil))
    }

    /// One that the disk kept, which is never progress.
    init(sequence: UInt64, subject: Subject, json: Data) {
        self.sequence = sequence
        self.subject = subject
        isProgress = false
        published = nil
        made = Mutex((nil, json))
    }

    /// What has to be known of many events without reading their JSON.
    enum Subject: Sendable, Equatable {
        case download(OperationID, isEnd: Bool)
        case pack
        case other

        init(_ happening: Event.Happening) {
            switch happening {
            case .download(let status): self = .download(status.operation, isEnd: status.state.isEnd)
            case .pack: self = .pack
            case .catalogue, .updates, .skin, .unknown: self = .other
            }
        }

        /// One word.
        var text: String {
            switch self {
            case .download(let operation, let isEnd): (isEnd ? "end:" : "download:") + operation.rawValue
            case .pack: "pack"
            case .other: "other"
            }
        }

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

    public var event: Event {
        if let published { return published }
        return made.withLock { made in
            if let event = made.event { return event }
            // A later release may tell an event in another way.
            let event =
                made.json.flatMap { try? JSON.decode(Event.self, from: $0) }
                ?? Event(sequence: sequence, time: .distantPast, happening: .unknown(type: ""))
            made.event = event
            return event
        }
    }

    /// Keeps no more than is needed to make the JSON again: who still wants it is far behind.
    func forgetEncoded() {
        guard published != nil else { return }
        made.withLock { $0.json = nil }
    }

    /// One line of JSON; the same bytes for every reader, also after a restart.
    public var encoded: Data {
        made.withLock { made in
            if let json = made.json { return json }
            // Every member of an event can be encoded, so that an error is a defect that must not go unseen.
            let json = published.flatMap { try? JSON.encode($0) } ?? Data(#"{"type":"defect"}"#.utf8)
            made.json = json
            return json
        }
    }
}
