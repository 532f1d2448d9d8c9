import StoreTestSupport

@testable import StoreTransfers

extension FaultTable {
    /// Connections are refused.
    ///
    /// Either from the start, or because the server goes down during the transfer; in one row it returns.
    static let refused: [FaultRow] = {
        var rows = [
            FaultRow("refused", .connect, .once, .whole(attempts: 3)) { ($0.reach, $0.opensAfter) = (.refusing, 2) },
            FaultRow("refused", .connect, .always, .failed(.transferUnreachable, attempts: 4)) {
                $0.reach = .refusing
            },
        ]
        for phase in [FaultPhase.headers] + FaultPhase.bytes {
            let breaking = phase == .headers ? OriginFault.resetInHeaders : .resetAt(phase.byte)
            rows += [
                FaultRow("refused", phase, .once, .whole(attempts: 3), [[.goDown, breaking]]) { $0.opensAfter = 2 },
                FaultRow(
                    "refused", phase, .always, .failed(.transferUnreachable, attempts: 4), [[.goDown, breaking]]),
            ]
        }
        return rows + [
            FaultRow(
                "refused", .afterLastByte, .always, .whole(attempts: 1),
                rest: [.goDown, .chunked, .resetAt(FaultRow.size)])
        ]
    }()

    static let reset: [FaultRow] =
        [
            FaultRow("reset", .connect, .once, .whole(attempts: 2)) { $0.connections = [.close] },
            // Whether the connection counts as established before it is reset is a matter of microseconds.
            FaultRow(
                "reset", .connect, .always, .failed([.transferInterrupted, .transferUnreachable], attempts: 4)
            ) { $0.connections = Array(repeating: .close, count: 8) },
        ] + FaultRow.both("reset before the response", .headers, [.close], .transferInterrupted)
        + FaultRow.both("reset", .headers, [.resetInHeaders], .transferInterrupted)
        + FaultPhase.bytes.flatMap { FaultRow.both("reset", $0, [.resetAt($0.byte)], .transferInterrupted) }
        + FaultPhase.bytes.flatMap {
            FaultRow.both("reset, in chunks", $0, [.chunked, .resetAt($0.byte)], .transferInterrupted)
        } + [
            FaultRow(
                "reset, in chunks", .afterLastByte, .always, .whole(attempts: 1),
                rest: [.chunked, .resetAt(FaultRow.size)])
        ]

    static let stalled: [FaultRow] =
        [
            FaultRow("stalled", .connect, .once, .whole(attempts: 2)) {
                ($0.reach, $0.opensAfter, $0.isTimed) = (.unresponsive, 1, true)
            },
            FaultRow("stalled", .connect, .always, .failed(.transferTimeout, attempts: 4)) {
                ($0.reach, $0.isTimed) = (.unresponsive, true)
            },
        ] + FaultRow.both("stalled before the response", .headers, [.stallBeforeAnswer], .transferTimeout, timed)
        + FaultRow.both("stalled", .headers, [.stallInHeaders], .transferTimeout, timed)
        + FaultPhase.bytes.flatMap { FaultRow.both("stalled", $0, [.stallAt($0.byte)], .transferTimeout, timed) } + [
            FaultRow(
                "stalled, in chunks", .afterLastByte, .always, .whole(attempts: 1),
                rest: [.chunked, .stallAt(FaultRow.size)], timed)
        ]

    private static let timed: @Sendable (inout FaultRow) -> Void = { $0.isTimed = true }

    /// Transfers below the minimal rate.
    ///
    /// The last phase begins shortly before the last byte, because a single byte can't be slow: so many bytes before it that
    /// four attempts with the longest time limit don't receive all of them.
    static let slow: [FaultRow] =
        FaultRow.both("too slow", .headers, [.crawlInHeaders], .transferTimeout, timed)
        + FaultPhase.bytes.flatMap {
            FaultRow.both(
                "too slow", $0, [.crawlAt(min($0.byte, FaultRow.size - 20_000))], .transferTimeout, timed)
        }

    /// The connection is closed regularly before the end.
    static let short: [FaultRow] =
        [
            FaultRow("short", .connect, .once, .whole(attempts: 2)) { $0.connections = [.raw([])] },
            FaultRow("short", .connect, .always, .failed(.transferInterrupted, attempts: 4)) {
                $0.connections = Array(repeating: .raw([]), count: 8)
            },
        ] + FaultRow.both("short, no response", .headers, [.raw([])], .transferInterrupted)
        + FaultRow.both("short", .headers, [.closeInHeaders], .transferTooShort)
        + FaultPhase.bytes.flatMap { FaultRow.both("short", $0, [.closeAt($0.byte)], .transferInterrupted) }
        + FaultPhase.bytes.flatMap {
            FaultRow.both("short, in chunks", $0, [.chunked, .closeAt($0.byte)], .transferInterrupted)
        }
        + FaultPhase.bytes.flatMap {
            FaultRow.both("short, no declared length", $0, [.untilClose, .closeAt($0.byte)], .transferTooShort)
        } + [
            FaultRow(
                "short, in chunks", .afterLastByte, .always, .whole(attempts: 1),
                rest: [.chunked, .closeAt(FaultRow.size)])
        ]

    static let certificates: [FaultRow] = [
        FaultRow("certificate of an unknown authority", .connect, .always, .failed(.transferTLS, attempts: 1)) {
            $0.server = .unknownAuthority
        },
        FaultRow("certificate for another name", .connect, .always, .failed(.transferTLS, attempts: 1)) {
            $0.server = .otherName
        },
        FaultRow("no TLS", .connect, .always, .failed(.transferTLS, attempts: 4)) {
            $0.server = .withoutTLS
            $0.connections = Array(repeating: .raw(Array("HTTP/1.1 400 No\r\n\r\n".utf8)), count: 8)
        },
    ]
}
