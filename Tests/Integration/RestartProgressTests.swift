import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests that the status of a download continues after a restart of the daemon where it was before.
@Suite(.hangGuard) struct RestartProgressTests {
    private static let size = 1_200_000
    /// The path of the archive on the server.
    private static let path = "/1.0.0.zip"
    private let origin: Origin
    private let home: TestHome
    private let archive = StoreDocuments.pack(1, size: RestartProgressTests.size)

    init() async throws {
        origin = try Origin()
        // A file over one connection has no gaps, so that its length is the number of its bytes.
        home = try TestHome(settings: ["STORECTL_NETWORK_CONNECTIONS_PER_HOST": "1"])
        StoreDocuments.formatTwo("cups", archive: archive, on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    private func download() async throws -> JSONValue {
        try #require(try await home.must("downloads", "--json").json["downloads"]?[0])
    }

    /// Begins an installation whose archive stalls in the middle, and waits until bytes are on the disk.
    ///
    /// - Returns: the operation, and the path of the partial file.
    private func begin() async throws -> (operation: String, file: String) {
        origin.always(Self.path, .stallAfter(Self.size * 3 / 4))
        let begun = try await home.must("install", "cups", "--no-wait", "--json").json
        let operation = try #require(begun["results"]?[0]["operation"].text)
        let file = "\(home.path)/cache/partial/\(operation).part"
        await origin.untilStalled()
        try await eventually { Self.size(of: file) > 0 }
        return (operation, file)
    }

    private static func size(of file: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `a running download has its bytes and its state at once`(signal: Int32) async throws {
        let (operation, file) = try await begin()
        await home.killDaemon(signal)
        let kept = Self.size(of: file)
        // The first response after the start, while the server does not respond.
        origin.always(Self.path, .stallBeforeAnswer)
        let after = try await download()
        #expect(after["operation"].text == operation && after["state"].text == "Downloading", "\(after)")
        #expect(after["bytesReceived"].number == Double(kept) && kept > 0, "\(after)")
        #expect((after["fraction"].number ?? 0) > 0, "\(after)")
    }

    @Test func `no event of a restarted daemon has an earlier state`() async throws {
        let (operation, file) = try await begin()
        let last = try #require(try await home.must("daemon", "status", "--json").json["sequence"]?.number)
        await home.killDaemon()
        // As if the daemon had been killed while it unpacked.
        try Data(archive).write(to: URL(filePath: file))
        let install = try await home.storectl("install", "cups")
        #expect(install.exit == 0, "\(install)")
        let watch = try await home.startStorectl("watch", "cups", "--after", "\(Int(last))", "--json").result()
        let states = try watch.output.split(separator: "\n")
            .map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
            .filter { $0["operation"].text == operation }.compactMap { $0["state"].text }
        #expect(states.last == "Finished" && states.contains("Downloaded"), "\(watch)")
        #expect(!states.contains("Initializing"), "\(states)")
    }

    @Test func `pausing does not raise the number of the attempt`() async throws {
        _ = try await begin()
        origin.always(Self.path, .stallBeforeAnswer)
        for _ in 1...3 {
            try await home.must("pause", "cups")
            try await home.must("resume", "cups")
        }
        #expect(try await download()["attempt"].number == 1)
    }

    @Test func `Ctrl-C does not drop the line about what is installed`() async throws {
        // With more than one connection, so that one download does not wait for the other.
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("cups", archive: archive, at: "/cups.zip"),
                StoreDocuments.product("mugs", archive: StoreDocuments.pack(2), at: "/mugs.zip"),
            ], on: origin)
        origin.serve("/cups.zip", archive)
        origin.serve("/mugs.zip", StoreDocuments.pack(2))
        origin.always("/cups.zip", .stallBeforeAnswer)
        let install = try Programs.start(
            "/usr/bin/env", ["--default-signal=INT", Programs.path("storectl"), "install", "cups", "mugs"],
            environment: home.environment)
        try await eventually { install.errors.contains("mugs: done") }
        install.signal(SIGINT)
        let result = try await install.result()
        #expect(result.exit == 130, "\(result)")
        #expect(result.output.contains("Installed mugs") && !result.output.contains("cups"), "\(result)")
        #expect(result.errors.contains("the daemon continues with cups"), "\(result)")
    }

    @Test func `a stopped daemon is shown at once`() async throws {
        _ = try await begin()
        let install = try home.startStorectl("install", "cups")
        try await eventually { install.errors.contains("cups: ") }
        try await home.must("daemon", "stop")
        try await eventually { install.errors.contains("cups: waiting: the daemon was stopped") }
        // It ends where the daemon is not started again soon; the download continues with the daemon's next start.
        let result = try await install.result()
        #expect(result.exit == 8 && result.errors.contains("storectl daemon start"), "\(result)")
        origin.always(Self.path)
        origin.release()
        try await home.must("install", "cups")
    }
}
