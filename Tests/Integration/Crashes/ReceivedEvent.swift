import Foundation
import StoreModel

/// An event that a client received from a daemon before a crash.
struct ReceivedEvent: Sendable, CustomStringConvertible {
    let sequence: UInt64
    let json: JSONValue
    /// Whether it reports progress, which is not in the event journal and may be superseded.
    var isProgress: Bool { json["activity"].text == "transferring" }

    init?(_ data: Data) {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: data), let number = json["sequence"].number
        else { return nil }
        self.json = json
        sequence = UInt64(number)
    }

    var description: String { "\(sequence): \(json)" }
}
