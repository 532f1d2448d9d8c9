import StoreModel
import StoreTestSupport

@testable import StoreTransfers

/// The progress of a download when a fault occurs.
enum FaultPhase: String {
    case connect, headers
    case firstByte = "first byte"
    case middle
    case lastByte = "last byte"
    case afterLastByte = "after the last byte"

    /// The byte of the file before which the fault occurs.
    var byte: Int {
        switch self {
        case .connect, .headers, .firstByte: 0
        case .middle: FaultRow.size / 2 + 1
        case .lastByte: FaultRow.size - 1
        case .afterLastByte: FaultRow.size
        }
    }

    /// The phases in which bytes are received or were received.
    static let bytes: [FaultPhase] = [.firstByte, .middle, .lastByte]
}

/// The expected outcome of a download with faults.
enum FaultEnd {
    /// The complete file.
    ///
    /// - Parameter twice: how many bytes were sent again; `nil` if the server may have sent more before the
    ///   interruption, and the download started over.
    case whole(attempts: Int, twice: Int? = 0)
    /// An error with one of these codes.
    case failed([ErrorCode], attempts: Int)

    static func failed(_ code: ErrorCode, attempts: Int) -> FaultEnd { .failed([code], attempts: attempts) }
}

/// A fault in a phase: a row of `Faults.md`, and a test case.
struct FaultRow: Sendable {
    enum Frequency: String { case once, always }

    /// The proof that a file is the right one.
    enum Proof {
        case hash
        /// Only the entity tag of the response.
        case tag
    }

    /// The server that is requested.
    enum Server {
        case origin
        /// A server with a certificate of an unknown authority.
        case unknownAuthority
        /// A server with a certificate for another name.
        case otherName
        /// A server without TLS for an HTTPS URL.
        case withoutTLS
    }

    let fault: String
    let phase: FaultPhase
    let frequency: Frequency
    let end: FaultEnd

    var server = Server.origin
    var reach = OriginReach.listening
    /// The number of failures after which a server that refused connections listens.
    var opensAfter: Int?
    /// The faults of the first connections.
    var connections: [OriginFault] = []
    /// The faults of the first responses.
    var turns: [[OriginFault]] = []
    /// The faults of all later responses.
    var rest: [OriginFault] = []
    var proof = Proof.hash
    /// Whether the file has changed in the end.
    var changes = false
    /// Whether a time limit has to pass; on a slow machine it may pass once more without a fault.
    var isTimed = false
    var sizeLimit: Int?
    /// The minimal delay between two attempts.
    var leastWait = Duration.zero

    /// The number of attempts that the row expects.
    var attempts: Int {
        switch end {
        case .whole(let attempts, _), .failed(_, let attempts): attempts
        }
    }

    static let size = 600_000
    static let bytes = OriginBytes.random(size)
    /// A file of the same size with other content.
    static let changed = OriginBytes.random(size, seed: 2)
    static let change = [OriginFault.bytes(changed), .etag("\"two\"")]

    /// The maximum number of attempts.
    static let attempts = 4

    init(
        _ fault: String, _ phase: FaultPhase, _ frequency: Frequency = .once, _ end: FaultEnd,
        _ turns: [[OriginFault]] = [], rest: [OriginFault] = [], _ more: (inout FaultRow) -> Void = { _ in }
    ) {
        self.fault = fault
        self.phase = phase
        self.frequency = frequency
        self.end = end
        self.turns = turns
        self.rest = rest
        more(&self)
    }

    /// Returns two rows for a fault: one where a retry succeeds, and one where every attempt fails with `code`.
    static func both(
        _ fault: String, _ phase: FaultPhase, _ faults: [OriginFault], _ code: ErrorCode, twice: Int = 0,
        _ more: (inout FaultRow) -> Void = { _ in }
    ) -> [FaultRow] {
        [
            FaultRow(fault, phase, .once, .whole(attempts: 2, twice: twice), [faults], more),
            FaultRow(fault, phase, .always, .failed(code, attempts: attempts), rest: faults, more),
        ]
    }

    /// The row in `Faults.md`.
    var line: String {
        func times(_ count: Int) -> String { count == 1 ? "1 attempt" : "\(count) attempts" }
        let end =
            switch end {
            case .whole(let attempts, let twice?): "whole after \(times(attempts)), \(twice) bytes twice"
            case .whole(let attempts, nil): "whole after \(times(attempts)), begun again"
            case .failed(let codes, let attempts):
                codes.map { "`\($0.rawValue)`" }.joined(separator: " or ") + " after \(times(attempts))"
            }
        return "| \(fault) | \(phase.rawValue) | \(frequency.rawValue) | \(end) |"
    }
}
