import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// Stores that attack in ways that are known, each beside an honest store.
@Suite(.hangGuard) struct HostileStoreTests {
    /// A way in which a store does not come to an end.
    enum Held: String, CaseIterable, Sendable {
        case catalogue, headers, catalogueInTheMiddle, shard, shardInTheMiddle, endless

        /// The document that is held back, and the fault.
        var fault: (path: String, fault: OriginFault) {
            switch self {
            case .catalogue: ("/catalogue.json", .stallBeforeAnswer)
            case .headers: ("/catalogue.json", .stallInHeaders)
            case .catalogueInTheMiddle: ("/catalogue.json", .stallAfter(20))
            case .shard: ("/s-2.json", .stallBeforeAnswer)
            case .shardInTheMiddle: ("/s-2.json", .stallAfter(20))
            case .endless: ("/catalogue.json", .endless)
            }
        }
    }

    private func honest() async throws -> TestStore {
        let honest = try await TestStore()
        try await honest.add("honest", files: ["a.gif": TestStore.bytes(200, seed: 1)])
        try await honest.publish()
        return honest
    }

    @Test(arguments: Held.allCases)
    func `results of an honest store arrive while a hostile one holds its response back`(held: Held) async throws {
        let (store, honest) = (try HostileStore(), try await honest())
        // An endless catalogue is not refused before the requests of this test have ended.
        let daemon = try await LimitedDaemon(settings: [
            "STORECTL_CATALOGUE_WAIT_TIMEOUT": "1", "STORECTL_CATALOGUE_MAXIMUM_SIZE": "\(1 << 20)",
        ])
        var valid = DocumentMutator(seed: 0)
        try store.publish(changing: nil, version: 1, &valid)
        let server = try Origin()
        server.serve(folder: honest.publicPath)
        try await daemon.home.must("store", "add", "honest", server.url.absoluteString, "--unsigned")
        try await daemon.home.must("store", "add", "hostile", store.origin.url.absoluteString, "--unsigned")
        try store.publish(changing: nil, version: 2, &valid)
        store.origin.always(held.fault.path, held.fault.fault, .rate(1_000))

        var found = try await daemon.attempt("search") { try await $0.products() }.get()
        // On a slow machine, the honest store may be late as well; its catalogue arrives nevertheless.
        while found.warnings.count > 1 {
            try Task.checkCancellation()
            found = try await daemon.attempt("search") { try await $0.products() }.get()
        }
        #expect(Set(found.products.map(\.productIdentifier)) == ["honest", "p"])
        #expect(found.warnings.count == 1 && found.warnings[0].contains("'hostile'"), "\(found.warnings)")
        let info = try await daemon.attempt("info") { try await $0.product("honest") }.get()
        #expect(info.store == "honest")
        let pack = try await daemon.attempt("install") { try await $0.install("honest").finished() }.get()
        #expect(pack.store == "honest")
        // All of that while one request to the hostile store was under way: its response is held back until now.
        #expect(store.origin.requests(to: held.fault.path).count <= 2)
        if held != .endless {
            await store.origin.untilStalled()
            store.origin.always(held.fault.path)
            store.origin.release()
            try await eventually {
                try await daemon.attempt("refresh") { try await $0.refresh("hostile") }.get().first?.error == nil
            }
            #expect(try await daemon.attempt("search") { try await $0.products() }.get().warnings.isEmpty)
        }
        try await daemon.home.must("daemon", "stop")
    }

    /// Content that attacks the reader, the machine or the people who open it.
    enum Attack: String, CaseIterable, Sendable {
        case gitDirectory, portableName, skinBomb, longDependencies, manyDependencies, repeatedMember, repeatedInPack
        case webPage, drawing, archiveWithoutEnd

        /// The error code of the installation or, for previews, of the preview; `nil` where it is installed.
        var code: String {
            switch self {
            case .gitDirectory: "archive.hidden-name"
            case .portableName: "archive.unportable-name"
            case .skinBomb: "skin.too-large"
            case .longDependencies, .manyDependencies: "dependency.limit"
            case .repeatedMember: "catalogue.malformed"
            case .repeatedInPack: "content.bad-information"
            case .webPage: "content.image-unknown"
            case .drawing: "content.svg-active"
            case .archiveWithoutEnd: "space.download-limit"
            }
        }
    }

    /// Returns products `d0`, `d1` and so on, each of which needs the next one.
    private static func chain(_ count: Int) -> String {
        (0..<count).map { number in
            #",{"productIdentifier":"d\#(number)","productType":"sticker","productResourceURL":"a.zip","#
                + #""dependencies":["d\#(number + 1)"]}"#
        }.joined()
    }

    @Test(arguments: Attack.allCases)
    func `an attack of a store is refused with its code`(attack: Attack) async throws {
        let (origin, daemon) = (try Origin(), try await LimitedDaemon())
        let image = ImageForge.png(3, 3)
        var (zip, kind, members, others) = (ZipForge().file("a.png", image), "sticker", "", "")
        switch attack {
        case .gitDirectory:
            zip = zip.file(".git/config", Array("[core]\nfsmonitor=touch /tmp/x\n".utf8))
        case .portableName: zip = zip.file("a.png.", image)
        case .skinBomb:
            kind = "skin"
            let instances = (0..<100_000).map { "<uilabel id='p\($0)' class='c'/>" }.joined()
            let font = String(repeating: "x", count: 4_000)
            let theme =
                "<theme><classes><class id='c'><operation name='font'><param name='font' type='font'>\(font); 12</param>"
                + "</operation></class></classes><instances>\(instances)</instances></theme>"
            zip = ZipForge().file("skin.xml", Array("<skin identifier='p' name='P' version='1'/>".utf8))
                .file("a.xml", Array(theme.utf8))
        case .longDependencies:
            members = #","dependencies":["d0"]"#
            others = Self.chain(3_000)
        case .manyDependencies:
            members = #","dependencies":["d0"]"#
            others = Self.chain(100_000)
        case .repeatedMember: members = #","permissions":[],"permissions":["network"]"#
        case .repeatedInPack:
            zip = zip.file("pack.json", Array(#"{"permissions":[],"permissions":["network"]}"#.utf8))
        case .webPage, .drawing: members = #","productDetailsPreviewImagesURLsArray":["preview"]"#
        case .archiveWithoutEnd: members = #","productResourceSize":1000000000000000"#
        }
        origin.serve("/a.zip", zip.build())
        let script = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        origin.serve("/preview", Array((attack == .drawing ? script : "<html><script>alert(1)</script></html>").utf8))
        origin.always("/preview", .header("Content-Type", "image/png"))
        let product = #"{"productIdentifier":"p","productType":"\#(kind)","productResourceURL":"a.zip"\#(members)}"#
        origin.serve("/catalogue.json", "[\(attack == .repeatedMember ? "" : product)]")
        try await daemon.home.must("store", "add", "hostile", origin.url.absoluteString, "--unsigned")
        origin.serve("/catalogue.json", "[\(product)\(others)]")

        let refused: Result<Void, ErrorReport>
        switch attack {
        case .webPage, .drawing:
            refused = try await daemon.attempt("preview") { _ = try await $0.preview(0, of: "p", store: "hostile") }
        case .repeatedMember:
            let stores = try await daemon.attempt("refresh") { try await $0.refresh() }.get()
            refused = stores.first?.error.map { Result<Void, ErrorReport>.failure($0) } ?? .success(())
        default:
            refused = try await daemon.attempt("install") { _ = try await $0.install("p").finished() }
        }
        #expect(throws: ErrorReport.self) { try refused.get() }
        if case .failure(let report) = refused {
            #expect(report.code.rawValue == attack.code, "\(report)")
        }
        #expect(daemon.home.entries("data/packs").isEmpty)
        if Sanitizers.canCheckMemory() {
            let most = try daemon.mostMemory
            #expect(most < LimitedDaemon.mostMemory, "\(most >> 20) MB")
        }
        try await daemon.home.must("daemon", "stop")
    }

    @Test func `a store that was public when it was added is not contacted at a local address`() async throws {
        let origin = try Origin()
        origin.serve("/catalogue.json", "[]")
        let daemon = try await LimitedDaemon(
            stores: #"{"name":"main","url":"\#(origin.url)","unsigned":true,"priority":0,"local":false}"#)
        let stores = try await daemon.attempt("refresh") { try await $0.refresh() }.get()
        #expect(stores.map(\.error?.code) == [.transferLocalAddress])
        #expect(origin.connectionCount == 0)
        try await daemon.home.must("daemon", "stop")
    }
}
