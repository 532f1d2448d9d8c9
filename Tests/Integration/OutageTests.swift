import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Downloads a large archive from a server that goes away, with a daemon that is killed, and after a failure.
@Suite(.hangGuard) struct OutageTests {
    /// The size of the archive in MiB; can be set for long runs.
    private static let megabytes =
        ProcessInfo.processInfo.environment["STORECTL_TEST_OUTAGE_FILE"].flatMap { Int($0) } ?? 16
    /// The time in seconds for which the server stays away, beyond what the attempts take; can be set for long runs.
    private static let secondsAway =
        ProcessInfo.processInfo.environment["STORECTL_TEST_OUTAGE_SECONDS"].flatMap { Int($0) } ?? 0
    private static let archivePath = "/1.0.0.zip"

    private let origin: Origin
    private let home: TestHome

    init() throws {
        origin = try Origin()
        var settings = [
            "STORECTL_DOWNLOADS_ATTEMPTS": "2",
            // One connection, so that each request has the faults of its turn.
            "STORECTL_NETWORK_CONNECTIONS_PER_HOST": "1",
        ]
        // Only bytes and answers count, and never the time that a step takes; a long run has the default of ten minutes.
        if Self.secondsAway == 0 { settings["STORECTL_DOWNLOADS_OUTAGE_TIMEOUT"] = "86400" }
        home = try TestHome(settings: settings)
    }

    /// An archive of files that are all the same, which takes no time to make.
    private static func archive() -> [UInt8] {
        let image = ImageForge.bytes(1 << 20)
        return (1...megabytes).reduce(ZipForge()) { $0.file("\($1).gif", image) }.build()
    }

    private func download() async throws -> JSONValue {
        let downloads = try await home.must("downloads", "--json").json["downloads"]?.elements ?? []
        return try #require(downloads.last)
    }

    /// Waits until the server has stalled at an offset and what it sent is on the disk, and kills the daemon.
    private func killWhenStalled(at offset: Int) async throws {
        await origin.untilStalled()
        // Up to 512 KiB are gathered before they are written.
        try await eventually { largestPartialFile >= offset - (512 << 10) }
        await home.killDaemon()
        await origin.untilNoConnection()
    }

    private var largestPartialFile: Int {
        home.entries("cache/partial").filter { $0.hasSuffix(".part") }.map { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: home.path + "/cache/partial/" + name)
            return attributes?[.size] as? Int ?? 0
        }.max() ?? 0
    }

    /// The first bytes that the requests for the archive asked for.
    private var offsets: [Int] {
        origin.requests(to: Self.archivePath).map { request in
            Int((request.range ?? "bytes=0-").drop { !$0.isNumber }.prefix { $0.isNumber }) ?? -1
        }
    }

    @Test func `a large download survives kills, a server that is away, and a failure followed by a new install`()
        async throws
    {
        let archive = Self.archive()
        let eighth = archive.count / 8
        StoreDocuments.formatTwo("cups", archive: archive, on: origin)
        origin.script(
            Self.archivePath,
            [
                [.stallAt(eighth)],
                [.goDown, .closeAt(2 * eighth)],
                [.stallAt(4 * eighth)],
                [.closeAt(5 * eighth)], [.status(404)],
                [.stallAt(6 * eighth)],
            ])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let begun = try await home.must("install", "cups", "--no-wait", "--json").json
        let operation = try #require(begun["results"]?[0]["operation"].text)
        try await killWhenStalled(at: eighth)

        // The server goes away in the middle, for far more attempts than may fail otherwise; also across a kill.
        try await eventually { try await download()["attempt"].number ?? 0 >= 6 }
        let away = try await download()
        #expect(away["operation"].text == operation && away["state"].text == "Downloading", "\(away)")
        try await eventually { try await download()["reason"].text?.contains("could not connect") == true }
        await home.killDaemon()
        try await eventually { try await download()["attempt"].number ?? 0 >= 4 }
        try await Task.sleep(for: .seconds(Self.secondsAway))
        let stillAway = try await download()
        #expect(stillAway["operation"].text == operation && stillAway["state"].text != "Failed", "\(stillAway)")
        try origin.open()
        try await killWhenStalled(at: 4 * eighth)

        // The server refuses the rest: the download fails, and keeps what it has. No command waits for it: the download
        // may fail before a command that starts the daemon has joined it.
        try await eventually { try await download()["state"].text == "Failed" }
        let failed = try await download()
        #expect(failed["operation"].text == operation, "\(failed)")
        #expect(failed["error"]["code"].text == "transfer.http-status" && failed["error"]["exitCode"].number == 4)
        #expect(failed["error"]["hint"].text?.contains("62 % is downloaded") == true, "\(failed)")
        #expect(home.entries("cache/partial").count == 1)

        // A new install continues, also after another kill.
        let again = try await home.must("install", "cups", "--no-wait", "--json").json
        #expect(again["results"]?[0]["operation"].text != operation)
        try await killWhenStalled(at: 6 * eighth)
        try await home.must("install", "cups")

        let offsets = offsets
        #expect(offsets.count == 7 && offsets == offsets.sorted(), "\(offsets)")
        #expect(offsets[5] == 5 * eighth, "the failed attempt left all its bytes")
        #expect(offsets[6] >= 6 * eighth - (512 << 10), "\(offsets)")
        let verified = try await home.must("verify", "cups", "--json")
        #expect(!verified.output.contains("missing") && !verified.output.contains("changed"), "\(verified)")
        try await home.expectNothingLeft()
    }

    @Test func `a server that never answers is exit 4, and the next install works`() async throws {
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        origin.script("/catalogue.json", [[.goDown, .closeInHeaders]])
        let failed = try await home.storectl("install", "cups", "--json")
        #expect(failed.exit == 4, "\(failed)")
        #expect(try failed.json["error"]?["code"].text == "transfer.unreachable", "\(failed)")
        #expect(try await download()["state"].text == "Failed")
        try origin.open()
        try await home.must("install", "cups")
    }
}
