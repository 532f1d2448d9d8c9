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
        #expect(info.output.contains("Requests:   run its own program within the chat application, use the network"))
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
        #expect(look.exit == 0 && look.output.contains("requests further permissions: files"), "\(look)")
        #expect(try await home.storectl("update", "--check", "weather").exit == 11)
        #expect(try await home.storectl("update", "weather").exit == 5)
        #expect(try await home.packs()["weather"]?["version"].text == "1.0.0")
        try await home.must("update", "weather", "--consent", "files")
        #expect(try await home.packs()["weather"]?["version"].text == "2.0.0")
    }

    @Test func `a user at a terminal is asked for each product by name, with the reason`() async throws {
        let store = try await TestStore()
        for (name, information) in [
            "compass": #"{"permissions":["location"]}"#,
            "weather": #"{"permissions":["network"],"dependencies":["compass"]}"#,
            "news": #"{"permissions":["network"],"dependencies":["compass"]}"#,
        ] {
            try await store.add(
                name, kind: "plugin", information: information, files: ["README.txt": Data(name.utf8)])
        }
        try await store.publish()
        let home = try TestHome()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        let result = try await Programs.run(
            "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) install weather news", "/dev/null"],
            environment: home.environment, input: "y\ny\nn\n")
        // Each question, after what was printed before it.
        let questions = result.output.components(separatedBy: "Allow? [y/N]").dropLast().map { String($0) }
        try #require(questions.count == 3, "\(result)")
        // The dependency is asked about once, although both products need it.
        #expect(questions[0].contains("'compass' (required by 'weather') requests permission to"))
        #expect(questions[0].contains("learn the location"))
        for (question, name) in zip(questions.dropFirst(), ["weather", "news"]) {
            #expect(question.contains("'\(name)' requests permission to"), "\(question)")
            #expect(!question.contains("location"))
        }
        #expect(result.exit == 10)
        let packs = try await home.packs()
        #expect(Set(packs.keys) == ["compass", "weather"])
        #expect(packs["compass"]?["permissions"].elements.map(\.text) == ["code", "location"])
        #expect(packs["weather"]?["permissions"].elements.map(\.text) == ["code", "network"])
    }

    @Test func `an update of all packs asks about permissions that only the pack states`() async throws {
        let origin = try Origin()
        func publish(_ version: String, _ information: String) {
            let archive = ZipForge().file("pack.json", Array(information.utf8)).build()
            StoreDocuments.formatTwo(
                "weather", version: version, archive: archive, on: origin, with: ["productType": "plugin"])
        }
        publish("1.0.0", "{}")
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "weather", "--consent", "code")
        publish("2.0.0", #"{"permissions":["network"]}"#)
        let result = try await Programs.run(
            "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) update", "/dev/null"],
            environment: home.environment, input: "y\n")
        #expect(result.exit == 0 && result.output.contains("'weather' requests permission to"), "\(result)")
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
