import Foundation
import StoreClient
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests that a client hands a file over open, which the daemon itself could not open: it has no name any more.
@Suite struct HandedOverFileTests {
    private let home: TestHome
    private static let archive = ZipForge().file("a.png", ImageForge.gif()).file(
        "pack.json", Array(#"{"productIdentifier":"own","kind":"sticker"}"#.utf8)
    ).build()

    init() async throws {
        home = try TestHome()
        try await home.must("daemon", "start")
    }

    @Test func `a file is installed that only the client can open`() async throws {
        try home.folder.directory.put("own.zip", Data(Self.archive))
        let file = try OpenFile.open(home.folder.path + "/own.zip")
        try home.folder.directory.remove("own.zip")
        // In the daemon, this path is another file, or none.
        let path = "/proc/self/fd/\(file.descriptor)"
        let client = try StoreClient(homeDirectory: home.path, startingDaemon: .never)
        let plan = try await client.plan(.install, [ChangePlan.Product(file: path)])
        #expect(plan.steps.map(\.productIdentifier) == ["own"] && plan.failures.isEmpty)
        _ = try await client.beginInstall(file: path, agreed: plan.agreement)
        try await home.must("install", "own")
        #expect(Set(home.files(of: "own.stickers").keys) == ["a.png", "pack.json"])
        #expect(home.entries("cache/partial").isEmpty)
    }

    @Test(.needs("/usr/bin/python3", debian: "python3"))
    func `the documentation's example in Python installs a file`() async throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/StoreServer/StoreServer.docc/StoreServer.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.firstMatch(of: /```python\n(?<code>[^`]*socket\.send_fds[^`]*)```/)).code
        try home.folder.directory.put("cats.zip", Data(Self.archive))
        let before = "import json, os, socket\npath_of_the_socket = '\(home.path)/run/stored.sock'\n"
        let result = try await Programs.run(
            "/bin/sh", ["-c", "cd \"$0\" && exec /usr/bin/python3 -c \"$1\"", home.folder.path, before + example],
            environment: home.environment)
        #expect(result.exit == 0 && result.output.contains("202"), "\(result)")
        try await home.must("install", "own")
        #expect(Set(home.files(of: "own.stickers").keys) == ["a.png", "pack.json"])
    }
}
