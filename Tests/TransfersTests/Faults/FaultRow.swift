import StoreModel
import StoreTestSupport

@testable import StoreTransfers

/// How far a download has come when a fault meets it.
enum FaultPhase: String {
    case connect, headers
    case firstByte = "first byte"
    case middle
    case lastByte = "last byte"
    case afterLastByte = "after the last byte"

    /// The byte of the file before which the fault comes.
    var byte: Int {
        switch self {
        case .connect, .headers, .firstByte: 0
        case .middle: FaultRow.size / 2 + 1
        case .lastByte: FaultRow.size - 1
        case .afterLastByte: FaultRow.size
        }
    }

    /// Those in which bytes are coming, or have come.
    static let bytes: [FaultPhase] = [.firstByte, .middle, .lastByte]
}

/// What a download with faults must come to.
enum FaultEnd {
    /// The right bytes.
    ///
    /// - Parameter twice: how many of them were sent again; `nil` where the server had sent some more before it was
    ///   broken off, and the file was begun again.
    case whole(attempts: Int, twice: Int? = 0)
    /// An error with one of these codes.
    case failed([ErrorCode], attempts: Int)

    static func failed(_ code: ErrorCode, attempts: Int) -> FaultEnd { .failed([code], attempts: attempts) }
}

/// One fault in one phase: a line of `Faults.md`, and a test.
struct FaultRow: Sendable {
    enum Frequency: String { case once, always }

    /// What tells that a file is the right one.
    enum Proof {
        case hash
        /// Nothing but the entity tag under which it comes.
        case tag
    }

    /// Who is asked.
    enum Server {
        case origin
        /// With a certificate that nobody vouches for.
        case unknownAuthority
        /// With a certificate for another name.
        case otherName
        /// Without TLS, where it is asked for.
        case withoutTLS
    }

    let fault: String
    let phase: FaultPhase
    let frequency: Frequency
    let end: FaultEnd

    var server = Server.origin
    var reach = OriginReach.listening
    /// After how many failures the server listens, which did not before.
    var opensAfter: Int?
    /// What the first connections meet.
    var connections: [OriginFault] = []
    /// What the first answers do wrong.
    var turns: [[OriginFault]] = []
    /// What all that follow do wrong.
    var rest: [OriginFault] = []
    var proof = Proof.hash
    /// Whether the file is another one in the end.
    var changes = false
    /// A limit of time has to pass: on a slow machine it may do so once more, without any fault.
    var isTimed = false
    var sizeLimit: Int?
    /// Each wait between two attempts is at least as long.
    var leastWait = Duration.zero

    static let size = 600_000
    static let bytes = OriginBytes.random(size)
    /// Of the same size, so that only the content tells.
    static let changed = OriginBytes.random(size, seed: 2)
    static let change = [OriginFault.bytes(changed), .etag("\"two\"")]

    /// How often a download is tried.
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

    /// A fault that another attempt gets over, and that ends the download with `code` where it never ends.
    static func both(
        _ fault: String, _ phase: FaultPhase, _ faults: [OriginFault], _ code: ErrorCode, twice: Int = 0,
        _ more: (inout FaultRow) -> Void = { _ in }
    ) -> [FaultRow] {
        [
            FaultRow(fault, phase, .once, .whole(attempts: 2, twice: twice), [faults], more),
            FaultRow(fault, phase, .always, .failed(code, attempts: attempts), rest: faults, more),
        ]
    }

    /// The line of `Faults.md`.
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
