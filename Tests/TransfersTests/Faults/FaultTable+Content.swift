import StoreTestSupport

@testable import StoreTransfers

extension FaultTable {
    /// Responses with more bytes than declared.
    static let long: [FaultRow] = [
        FaultRow(
            "too long, as declared", .headers, .once, .failed(.contentSizeMismatch, attempts: 1), [[.bytes(longer)]]),
        FaultRow(
            "too long, in chunks", .afterLastByte, .once, .failed(.contentSizeMismatch, attempts: 1),
            [[.chunked, .bytes(longer)]]),
        FaultRow("longer than declared", .afterLastByte, .always, .whole(attempts: 1), rest: [.long(by: 5000)]),
        FaultRow(
            "too long, nothing known", .headers, .once, .failed(.transferTooLong, attempts: 1), [[.bytes(longer)]]
        ) { ($0.proof, $0.sizeLimit) = (.tag, FaultRow.size) },
        FaultRow(
            "endless", .afterLastByte, .once, .failed(.contentSizeMismatch, attempts: 1), [[.endless]]),
        FaultRow(
            "endless", .middle, .once, .failed(.contentSizeMismatch, attempts: 2), [broken(.middle), [.endless]]),
        FaultRow(
            "endless, nothing known", .afterLastByte, .once, .failed(.transferTooLong, attempts: 1), [[.endless]]
        ) { ($0.proof, $0.sizeLimit) = (.tag, FaultRow.size) },
    ]

    private static let longer = FaultRow.bytes + [0]

    /// Files with other bytes than the store promised, which further requests do not change.
    static let wrong: [FaultRow] =
        FaultPhase.bytes.map {
            FaultRow("wrong byte", $0, .once, .failed(.contentHashMismatch, attempts: 1), [[.wrongAt($0.byte)]])
        } + [
            FaultRow(
                "wrong byte, after a break", .lastByte, .once, .failed(.contentHashMismatch, attempts: 2),
                [broken(.middle), [.wrongAt(FaultPhase.lastByte.byte)]]),
            FaultRow(
                "wrong byte, before a break", .firstByte, .once, .failed(.contentHashMismatch, attempts: 2),
                [broken(.middle) + [.wrongAt(0)]]),
            FaultRow(
                "no bytes, as declared", .headers, .once, .failed(.contentSizeMismatch, attempts: 1), [[.bytes([])]]),
        ]

    /// The connection breaks, and the file has changed at the next request.
    static let changed: [FaultRow] =
        FaultPhase.bytes.flatMap { phase in
            [
                FaultRow(
                    "changed meanwhile", phase, .always, .whole(attempts: 2, twice: phase.byte), [broken(phase)],
                    rest: FaultRow.change
                ) { ($0.proof, $0.changes) = (.tag, true) },
                // The catalogue's hash no longer matches the file at the URL.
                FaultRow(
                    "changed meanwhile, hash known", phase, .always, .failed(.contentHashMismatch, attempts: 2),
                    [broken(phase)], rest: FaultRow.change),
            ]
        }
        + [FaultPhase.middle, .lastByte].map { phase in
            FaultRow(
                "changed meanwhile, If-Range ignored", phase, .always, .whole(attempts: 3, twice: nil),
                [broken(phase), FaultRow.change + [.ignoreIfRange]], rest: FaultRow.change
            ) { ($0.proof, $0.changes) = (.tag, true) }
        }
        + [FaultPhase.middle, .lastByte].map { phase in
            FaultRow(
                "weak entity tag, nothing known", phase, .once, .whole(attempts: 2, twice: phase.byte),
                [broken(phase) + [.etag("W/\"one\"")]], rest: [.etag("W/\"one\"")]
            ) { $0.proof = .tag }
        }

    /// The connection breaks, and ranges are not available.
    static let ranges: [FaultRow] = [FaultPhase.middle, .lastByte].flatMap { phase in
        let whole = "bytes 0-\(FaultRow.size - 1)/\(FaultRow.size)"
        let fewer = "bytes \(phase.byte)-\(phase.byte)/\(FaultRow.size + 1)"
        let other = [OriginFault.header("Content-Range", whole)]
        return [
            FaultRow(
                "ranges ignored", phase, .once, .whole(attempts: 2, twice: phase.byte), [broken(phase)],
                rest: [.ignoreRange]),
            FaultRow(
                "ranges ignored, and broken each time", phase, .always, .failed(.transferInterrupted, attempts: 4),
                rest: broken(phase) + [.ignoreRange]),
            FaultRow(
                "another range", phase, .once, .whole(attempts: 3, twice: nil), [broken(phase), other]),
            FaultRow(
                "another range, and broken each time", phase, .always, .failed(.transferRangeMismatch, attempts: 4),
                [broken(phase), other, broken(phase), other], rest: broken(phase)),
            FaultRow(
                "a range with fewer bytes", phase, .once, .whole(attempts: 3, twice: nil),
                [broken(phase), [.header("Content-Range", fewer)]]),
            FaultRow(
                "status 416 for a valid range", phase, .once, .whole(attempts: 2, twice: phase.byte),
                [broken(phase), [.status(416, ["Content-Range": "bytes */\(FaultRow.size)"])]]),
        ]
    }
}
