import FoundationEssentials
import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct PreviewTests {
    private let home: APITestServer
    private let origin: Origin
    private let path = "/v1/products/:store/:id/previews/:number"
    private let product = APITestServer.products[0]

    init() throws {
        home = try APITestServer()
        origin = try Origin()
        origin.serve(folder: home.folder.path)
    }

    /// Makes a file, which the store serves with a media type, the only preview of the product.
    private func publish(_ name: String, _ bytes: [UInt8], as mediaType: String) throws {
        try home.folder.directory.put(
            product + ".json", #"{"productDetailsPreviewImagesURLsArray":["\#(name)"]}"#)
        try home.folder.directory.put(name, Data(bytes))
        origin.always("/" + name, .header("Content-Type", mediaType))
    }

    private func addStore(_ client: ValidatingClient) async throws {
        let answer = try await client.ask(
            "POST", "/v1/stores", body: #"{"name":"shop","url":"\#(origin.url.absoluteString)","unsigned":true}"#)
        #expect(answer.status == 201)
    }

    @Test(arguments: [
        ("page.html", Array("<html><script>run()</script></html>".utf8), ErrorCode.imageUnknown),
        ("page.png", Array("<html><script>run()</script></html>".utf8), .imageUnknown),
        ("run.svg", ImageForge.svg("<script>run()</script>"), .svgActive),
        ("cut.png", Array(ImageForge.png().prefix(30)), .imageDamaged),
        ("both.gif", ImageForge.gif() + Array("<script>run()</script>".utf8), .imageTrailing),
    ])
    func `a preview that is no image, or one with active content, is not served`(
        name: String, bytes: [UInt8], code: ErrorCode
    ) async throws {
        try publish(name, bytes, as: "image/png")
        try await home.serve { client in
            try await addStore(client)
            let answer = try await client.ask("GET", path, "shop", product, "0")
            #expect(answer.status == 422 && !answer.text.contains("run()"))
            #expect(try answer.json(ProblemDocument.self).code == code.rawValue)
        }
    }

    @Test(arguments: [
        ("a.html", ImageForge.png(), "text/html", "image/png"),
        ("a.svg", ImageForge.svg("<circle r='1'/>"), "text/html", "image/svg+xml"),
    ])
    func `a preview has the media type of its content, and no browser runs anything in it`(
        name: String, bytes: [UInt8], declared: String, mediaType: String
    ) async throws {
        try publish(name, bytes, as: declared)
        try await home.serve { client in
            try await addStore(client)
            let answer = try await client.ask("GET", path, "shop", product, "0")
            #expect(answer.status == 200 && answer.body == bytes)
            #expect(answer.headers["content-type"] == mediaType)
            let tag = try #require(answer.headers["etag"])
            let unchanged = try await client.ask(
                "GET", path, "shop", product, "0", headers: ["If-None-Match": tag])
            #expect(unchanged.status == 304)
            for headers in [answer.headers, unchanged.headers] {
                #expect(headers["x-content-type-options"] == "nosniff")
                #expect(headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
                #expect(headers["content-security-policy"]?.hasSuffix("sandbox") == true)
            }
        }
    }
}
