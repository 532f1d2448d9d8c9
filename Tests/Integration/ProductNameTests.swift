import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the installation of products that are named by something else than their identifier.
@Suite(.hangGuard, .needs("/usr/bin/script", debian: "bsdutils"))
struct ProductNameTests {
    private let home: TestHome
    private let origins: [Origin]

    init() async throws {
        home = try TestHome()
        origins = [try Origin(), try Origin()]
        let names = [
            ["org.example.kitties": "Space Kitties", "org.example.cups": "Cups"],
            ["com.example.cups": "Other Cups", "spoons": "Spoons"],
        ]
        for (origin, names) in zip(origins, names) {
            origin.serve("/a.zip", StoreDocuments.pack())
            let products = names.map { identifier, name in
                StoreDocuments.product(
                    identifier, archive: StoreDocuments.pack(), at: "/a.zip", with: ["productName": name])
            }
            StoreDocuments.formatTwo(products, on: origin)
        }
        try await home.must("store", "add", "one", origins[0].address, "--unsigned")
        try await home.must("store", "add", "two", origins[1].address, "--unsigned")
    }

    /// Runs the command line in a pseudo-terminal, into which the test types.
    private func typing(_ input: String, _ command: String) async throws -> Programs.Result {
        try await Programs.run(
            "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) \(command)", "/dev/null"],
            environment: home.environment, input: input)
    }

    @Test(arguments: ["kitties", "'space kitties'", "one/kitties", "example.kitties"])
    func `at a terminal a product is installed by its name after a confirmation`(text: String) async throws {
        let no = try await typing("n\n", "install \(text)")
        #expect(no.exit == 1 && no.output.contains("'org.example.kitties' (Space Kitties, in 'one')?"), "\(no)")
        #expect(try await home.packs().isEmpty)
        let yes = try await typing("y\n", "install \(text)")
        #expect(yes.exit == 0 && yes.output.contains("Installed org.example.kitties"), "\(yes)")
        #expect(try await home.packs()["org.example.kitties"]?["store"].text == "one")
        // An identifier needs no confirmation.
        let identifier = try await typing("", "install spoons")
        #expect(identifier.exit == 0 && !identifier.output.contains("[y/N]"), "\(identifier)")
    }

    @Test func `at a terminal many identifiers are looked up together, and a name is asked about`() async throws {
        let identifiers = (0..<40).map { "spoons.\($0)" }
        let products = identifiers.map { identifier in
            StoreDocuments.product(identifier, archive: StoreDocuments.pack(), at: "/a.zip")
        }
        StoreDocuments.formatTwo(products, on: origins[1])
        try await home.must("refresh", "two")
        let words = (identifiers + ["kitties"]).joined(separator: " ")
        let result = try await typing("y\n", "install \(words) --dry-run --no-pager")
        #expect(result.exit == 0 && result.output.contains("'org.example.kitties'"), "\(result)")
        let metrics = try DaemonWire.get("/metrics", at: home.path + "/run/stored.sock").body
        let requests = try MetricsDocument(metrics)[
            "stored_request_duration_seconds_count", "route=/v1/products", "method=GET", "status=200"]
        let count = try #require(requests)
        #expect(count < 10)
    }

    @Test(arguments: [("pause", "downloads"), ("install", "products")])
    func `of many unknown identifiers none is searched for`(command: String, resource: String) async throws {
        let words = (0..<300).map { "none.\($0)" }
        let result = try await Programs.run("storectl", [command] + words, environment: home.environment)
        #expect(result.exit == 3 && result.errors.contains("none.0"), "\(result)")
        let metrics = try DaemonWire.get("/metrics", at: home.path + "/run/stored.sock").body
        let requests = try MetricsDocument(metrics)[
            "stored_request_duration_seconds_count", "route=/v1/\(resource)", "method=GET", "status=200"]
        #expect((requests ?? 0) < 10)
    }

    @Test func `without a terminal, and where it is ambiguous, a name fails with the candidates`() async throws {
        for text in ["kitties", "space kitties"] {
            try await home.fails(
                "install", text, exit: 3, code: "product.unknown", saying: ["'one/org.example.kitties'"])
        }
        let ambiguous = try await typing("", "install cups")
        #expect(ambiguous.exit == 3, "\(ambiguous)")
        #expect(
            ambiguous.output.contains("'one/org.example.cups'") && ambiguous.output.contains("'two/com.example.cups'"))
        #expect(try await home.packs().isEmpty)
        // What is typed from the candidates works.
        try await home.must("install", "two/com.example.cups")
    }

    @Test(arguments: [80, 40])
    func `lists on a narrow terminal show identifiers in full`(columns: Int) async throws {
        try await home.must("install", "org.example.kitties")
        for command in ["list", "search", "downloads"] {
            let shown = try await Programs.run(
                "/usr/bin/script",
                ["-qec", "stty cols \(columns); \(Programs.path("storectl")) \(command)", "/dev/null"],
                environment: home.environment)
            let lines = shown.output.split(whereSeparator: \.isNewline)
            #expect(lines.contains { $0.hasPrefix("org.example.kitties") }, "\(shown)")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(shown)")
        }
    }
}
