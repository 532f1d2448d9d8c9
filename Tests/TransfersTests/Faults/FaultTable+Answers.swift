import StoreModel
import StoreTestSupport

@testable import StoreTransfers

extension FaultTable {
    /// Error statuses, at the first request and after an interruption.
    static let statuses: [FaultRow] = {
        var rows: [FaultRow] = []
        for status in [204, 302, 400, 401, 403, 404, 410, 416, 451, 501, 505] {
            let code: ErrorCode = status == 204 ? .transferBadAnswer : .transferHTTPStatus
            rows.append(
                FaultRow("status \(status)", .headers, .once, .failed(code, attempts: 1), [[.status(status)]]))
        }
        for status in [403, 404, 410] {
            rows.append(
                FaultRow(
                    "status \(status)", .middle, .once, .failed(.transferHTTPStatus, attempts: 2),
                    [broken(.middle), [.status(status)]]))
        }
        for status in [408, 425, 429, 500, 502, 503, 504] {
            rows += FaultRow.both("status \(status)", .headers, [.status(status)], .transferHTTPStatus)
            rows += brokenThen("status \(status)", .middle, [.status(status)], .transferHTTPStatus)
        }
        for status in [429, 503] {
            let faults = [OriginFault.status(status, ["Retry-After": "1"])]
            rows += FaultRow.both("status \(status), Retry-After", .headers, faults, .transferHTTPStatus) {
                $0.leastWait = .seconds(1)
            }
        }
        return rows + [
            FaultRow(
                "status 503, Retry-After in the past", .headers, .once, .whole(attempts: 2),
                [[.status(503, ["Retry-After": "Mon, 02 Jan 2023 03:04:05 GMT"])]]),
            FaultRow(
                "status 503, invalid Retry-After", .headers, .once, .whole(attempts: 2),
                [[.status(503, ["Retry-After": "soon"])]]),
        ]
    }()

    static let redirects: [FaultRow] = [
        FaultRow("redirect", .headers, .always, .whole(attempts: 1), [[.redirect(to: path)]]),
        FaultRow(
            "redirect in a loop", .headers, .always, .failed(.transferRedirects, attempts: 1),
            rest: [.redirect(to: path)]),
        FaultRow(
            "redirect in a loop", .middle, .always, .failed(.transferRedirects, attempts: 2), [broken(.middle)],
            rest: [.redirect(to: path)]),
        FaultRow("redirect", .middle, .once, .whole(attempts: 2), [broken(.middle), [.redirect(to: path)]]),
        FaultRow(
            "redirect to another protocol", .headers, .always, .failed(.transferRedirects, attempts: 1),
            rest: [.redirect(to: "ftp://127.0.0.1/pack.zip")]),
    ]

    /// Responses that are not HTTP.
    static let garbage: [FaultRow] =
        [
            FaultRow("not HTTP, before the request", .connect, .once, .failed(.transferBadAnswer, attempts: 1)) {
                $0.connections = [.raw(banner)]
            },
            FaultRow("not HTTP", .headers, .once, .failed(.transferBadAnswer, attempts: 1), [[.raw(banner)]]),
            FaultRow(
                "not HTTP", .middle, .once, .failed(.transferBadAnswer, attempts: 2), [broken(.middle), [.raw(banner)]]),
            FaultRow(
                "endless headers", .headers, .once, .failed(.transferBadAnswer, attempts: 1),
                [[.raw(endlessHeaders)]]),
            FaultRow(
                "endless interim responses", .headers, .once, .failed(.transferBadAnswer, attempts: 1),
                [[.raw(endlessInterims)]]),
        ]
        + FaultRow.both(
            "malformed chunks", .firstByte,
            [.raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzebra\r\n".utf8))], .transferInterrupted)

    private static let banner = Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)

    private static let endlessHeaders = Array(
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: \(String(repeating: "b", count: 1000))\r\n", count: 400)).utf8)

    private static let endlessInterims = Array(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 20_000).utf8)

    /// Returns the fault of a connection that breaks in a phase.
    static func broken(_ phase: FaultPhase) -> [OriginFault] { [.resetAt(phase.byte)] }

    /// Returns rows in which the connection breaks in a phase and the next request meets a fault, once or always.
    static func brokenThen(
        _ fault: String, _ phase: FaultPhase, _ faults: [OriginFault], _ code: ErrorCode
    ) -> [FaultRow] {
        [
            FaultRow(fault, phase, .once, .whole(attempts: 3), [broken(phase), faults]),
            FaultRow(fault, phase, .always, .failed(code, attempts: 4), [broken(phase)], rest: faults),
        ]
    }
}
