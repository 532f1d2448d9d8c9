import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Some rows of the engine's table of faults (`Faults.md`) with a complete daemon.
///
/// Exit codes are as documented, and wrong bytes are never installed.
@Suite(.hangGuard) struct DaemonFaultTests {
    struct Row {
        let name: String
        let turns: [[OriginFault]]
        let rest: [OriginFault]
        let exit: Int32
        let code: String?

        init(_ name: String, _ turns: [[OriginFault]], rest: [OriginFault] = [], _ exit: Int32, _ code: String? = nil) {
            self.name = name
            self.turns = turns
            self.rest = rest
            self.exit = exit
            self.code = code
        }
    }

    static let size = 40_000
    static let broken = OriginFault.resetAt(20_000)
    static let garbage = Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)

    static let rows = [
        Row("reset in the headers, once", [[.resetInHeaders]], 0),
        Row("reset in the middle, once", [[broken]], 0),
        Row("reset in the middle, always", [], rest: [broken], 4, "transfer.interrupted"),
        Row("stalled in the middle, once", [[.stallAt(20_000)]], 0),
        Row("stalled in the middle, always", [], rest: [.stallAt(20_000)], 4, "transfer.timeout"),
        Row("stalled in the headers, always", [], rest: [.stallInHeaders], 4, "transfer.timeout"),
        Row("short, in chunks, once", [[.chunked, .closeAt(20_000)]], 0),
        Row("short, always", [], rest: [.closeAt(20_000)], 4, "transfer.interrupted"),
        Row("closed in the headers, once", [[.closeInHeaders]], 0),
        Row("too long, in chunks", [[.chunked, .bytes(archive(0) + [0])]], 5, "content.size-mismatch"),
        Row("endless", [[.endless]], 5, "content.size-mismatch"),
        Row("wrong byte", [[.wrongAt(30_000)]], 5, "content.hash-mismatch"),
        Row("wrong byte, after a break", [[broken], [.wrongAt(30_000)]], 5, "content.hash-mismatch"),
        Row("changed meanwhile", [[broken]], rest: [.wrongAt(30_000), .etag("\"two\"")], 5, "content.hash-mismatch"),
        Row("ranges ignored", [[broken]], rest: [.ignoreRange], 0),
        Row("another range, once", [[broken], [.header("Content-Range", "bytes 0-9/\(size)")]], 0),
        Row("redirect in a loop", [], rest: [.redirect(to: "/9.zip")], 4, "transfer.redirects"),
        Row("status 404", [[.status(404)]], 4, "transfer.http-status"),
        Row("status 500, once", [[.status(500)]], 0),
        Row("status 500, always", [], rest: [.status(500)], 4, "transfer.http-status"),
        Row("status 503 with Retry-After, once", [[.status(503, ["Retry-After": "1"])]], 0),
        // On a reused connection the response may be the rest of an earlier one, and is requested again once.
        Row("not HTTP, always", [], rest: [.raw(garbage)], 4, "transfer.bad-answer"),
    ]

    private static func archive(_ number: Int) -> [UInt8] { StoreDocuments.pack(UInt64(number + 1), size: size) }

    @Test func `each fault ends as the table says, and nothing wrong is installed`() async throws {
        let origin = try Origin()
        let home = try TestHome(settings: TestHome.shortTimeouts.merging(["STORECTL_DOWNLOADS_ATTEMPTS": "3"]) { $1 })
        StoreDocuments.formatTwo(
            Self.rows.indices.map { number in
                origin.serve("/\(number).zip", Self.archive(number))
                return StoreDocuments.product("row\(number)", archive: Self.archive(number), at: "/\(number).zip")
            }, on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")

        for (number, row) in Self.rows.enumerated() {
            let id = "row\(number)"
            origin.script("/\(number).zip", row.turns, rest: row.rest.map { $0.leading(to: "/\(number).zip") })
            let result = try await Programs.run(
                "storectl", ["install", id, "--json"], environment: home.environment)
            #expect(result.exit == row.exit, "\(row.name): \(result)")
            #expect(try result.json["error"]?["code"].text == row.code, "\(row.name): \(result)")
            if row.exit != 0 {
                #expect(try await home.packs()[id] == nil, "\(row.name)")
                try await home.expectNothingLeft(hasFailed: row.exit == 4)
                // The server works again, and the next installation resumes.
                origin.script("/\(number).zip", [])
                try await home.must("install", id)
            }
            #expect(home.files(of: id + ".stickers") == Self.files(number), "\(row.name)")
            try await home.expectNothingLeft()
        }
    }

    private static func files(_ number: Int) -> [String: Data] {
        let seed = UInt64(number + 1)
        return ["a.png": TestStore.bytes(size, seed: seed), "b.png": TestStore.bytes(50, seed: seed)]
    }

    @Test func `a download resumes by itself when the network returns`() async throws {
        let origin = try Origin()
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "100"])
        StoreDocuments.formatTwo("cups", archive: Self.archive(1), on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        origin.script("/1.0.0.zip", [[.goDown, Self.broken]])
        let installing = try home.startStorectl("install", "cups")
        try await eventually {
            let download = try await home.must("downloads", "--json").json["downloads"]?[0]
            return download?["attempt"].number ?? 0 >= 3 || download?["activity"].text == "waiting"
        }
        try origin.open()
        #expect(try await installing.result().exit == 0)
        #expect(home.files(of: "cups.stickers") == Self.files(1))
        #expect(origin.requests(to: "/1.0.0.zip").map(\.range) == [nil, "bytes=20000-"])
        try await home.expectNothingLeft()
    }
}

extension OriginFault {
    /// Returns a redirect to `path`.
    fileprivate func leading(to path: String) -> OriginFault {
        if case .redirect = self { return .redirect(to: path) }
        return self
    }
}
