import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Plugins of a `storehouse` store on the command line.
@Suite(.hangGuard) struct ConsentTests {
    @Test func `a plugin needs consent by name, and again where an update requests more`() async throws {
        let store = try await TestStore()
        let home = try TestHome()
        func publish(_ version: String, asking: String) async throws {
            try await store.add(
                "weather", version: version, kind: "plugin", information: #"{"permissions":[\#(asking)]}"#,
                files: ["README.txt": Data(version.utf8)])
            try await store.publish()
        }
        try await publish("1.0.0", asking: #""network""#)
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")

        let info = try await home.must("info", "weather")
        #expect(info.output.contains("Requests:   use the network"))
        let refused = try await home.storectl("install", "weather", "--json")
        #expect(refused.exit == 5)
        let error = try refused.json["results"]?[0]["error"]
        #expect(error?["code"].text == "consent.needed")
        #expect(error?["permissions"].elements.map(\.text) == ["code", "network"])
        let result = try await home.storectl("install", "weather")
        #expect(result.exit == 5 && result.errors.contains("--consent code,network"), "\(result)")
        #expect(try await home.storectl("install", "weather", "--consent", "code,Net work").exit == 2)
        try await home.must("install", "weather", "--consent", "code,network")
        let pack = try #require(try await home.packs()["weather"])
        #expect(pack["permissions"].elements.map(\.text) == ["code", "network"])

        try await publish("2.0.0", asking: #""network","files""#)
        let quiet = try await home.must("update")
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
        let look = try await home.storectl("update", "--check")
        #expect(look.exit == 0 && look.output.contains("asks for more: files"), "\(look)")
        #expect(try await home.storectl("update", "--check", "weather").exit == 11)
        #expect(try await home.storectl("update", "weather").exit == 5)
        #expect(try await home.packs()["weather"]?["version"].text == "1.0.0")
        try await home.must("update", "weather", "--consent", "files")
        #expect(try await home.packs()["weather"]?["version"].text == "2.0.0")
    }

    @Test func `a user at a terminal is asked`() async throws {
        let store = try await TestStore()
        try await store.add(
            "weather", kind: "plugin", information: #"{"permissions":["network"]}"#,
            files: ["README.txt": Data("1".utf8)])
        try await store.publish()
        let home = try TestHome()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        // A pseudo-terminal, into which the test types.
        func answering(_ answer: String) async throws -> Programs.Result {
            try await Programs.run(
                "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) install weather", "/dev/null"],
                environment: home.environment, input: answer + "\n")
        }
        let no = try await answering("n")
        #expect(no.exit == 5 && no.output.contains("run its own program within the chat application, use the network"))
        #expect(try await home.packs().isEmpty)
        let yes = try await answering("y")
        #expect(yes.exit == 0 && yes.output.contains("Installed weather"), "\(yes)")
    }
}
