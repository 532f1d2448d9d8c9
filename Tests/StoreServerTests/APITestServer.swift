import FoundationEssentials
import Glibc
import Logging
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

/// A server of the complete interface on a temporary home, and a store in a local directory.
final class APITestServer: Sendable {
    let folder: TemporaryFolder
    /// The directory of an unmanaged skin in the library.
    var skin: String { folder.path + "/home/data/packs/night.purchasedTheme" }

    /// The free products of the store: sticker packs of one image each.
    static let products = ["org.example.a", "org.example.b", "org.example.c", "org.example.d", "org.example.e"]
    static let priced = "org.example.priced"

    init() throws {
        folder = try TemporaryFolder()
        var list: [JSONValue] = []
        for (index, identifier) in (Self.products + [Self.priced]).enumerated() {
            try Data(ZipForge().file("01.png", ImageForge.png()).build())
                .write(to: URL(filePath: folder.path + "/\(identifier).zip"))
            list.append([
                "productIdentifier": .string(identifier), "productName": .string("Name \(index % 3)"),
                "productType": "sticker", "productPrice": .string(identifier == Self.priced ? "1.99 EUR" : "free"),
                "productResourceURL": .string("\(identifier).zip"),
                "productDetailsURL": .string("\(identifier).json"),
            ])
            try folder.directory.put(
                "\(identifier).json",
                #"{"productDetailsInfo":"Text","productDetailsPreviewImagesURLsArray":["a.png"]}"#)
        }
        try Data(ImageForge.png()).write(to: URL(filePath: folder.path + "/a.png"))
        try folder.directory.put("catalogue.json", JSONValue.array(list).asWritten)
    }

    /// Adds an unmanaged skin with one unknown operation to the library.
    func addSkin() throws {
        let name = "home/data/packs/night.purchasedTheme"
        try folder.directory.put(name + "/skin.xml", #"<skin identifier="night" version="1"/>"#)
        try folder.directory.put(name + "/assets/a.svg", #"<svg xmlns="http://www.w3.org/2000/svg"/>"#)
        try folder.directory.put(
            name + "/chat.xml",
            #"""
            <theme><instances><uiview id="chat"><operation name="backgroundImage">
            <param name="image" type="image">a.svg</param></operation><operation name="none"/></uiview></instances></theme>
            """#)
    }

    /// Serves the interface while `body` runs.
    func serve(_ body: (ValidatingClient) async throws -> Void) async throws {
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        let places = try HomePaths(facts, home: folder.path + "/home")
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try PrivateDirectory.check(places)
        let manager = try await StoreManager.open(places: places, environment: [:], overrides: [:], log: log)
        let connections = OpenConnections()
        let table = Daemon.routes(
            DaemonContext(
                paths: places, socket: places.socket, startedAt: Date(), manager: manager, connections: connections,
                web: try WebListener(data: Directory.open(places.data), connections: connections, log: log),
                pages: PageResponder()),
            shutdown: ShutdownTrigger())
        let socket = try ListeningSocket.make(in: places.run, fallback: places.data + "/run")
        let result = await Result {
            try await withServer(table, at: socket, connections: connections) { client, _ in
                try await body(ValidatingClient(client: client, routes: table.routes.filter { $0.endpoint != nil }))
            }
        }
        await manager.close()
        try result.get()
    }
}

/// A client that validates every response against the description of its route.
struct ValidatingClient: Sendable {
    let client: TestClient
    let routes: [Route]

    /// Sends a request to a route, and validates the response.
    ///
    /// - Parameters:
    ///   - path: the path pattern of the route.
    ///   - parts: the values of the path parameters, in order.
    @discardableResult
    func ask(
        _ method: String, _ path: String, _ parts: String..., query: String = "", headers: [String: String] = [:],
        body: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestClient.Answer {
        var rest = parts[...]
        let segments = path.split(separator: "/").map { segment -> String in
            if segment == "**" { return rest.popFirst() ?? "" }
            return segment.hasPrefix(":") ? PathSegment.encode(rest.popFirst() ?? "") : String(segment)
        }
        let address = "/" + segments.joined(separator: "/") + query
        let answer = try #require(
            await client.send(method, address, headers: headers, body: body), sourceLocation: sourceLocation)
        let route = try #require(
            routes.first { $0.method.rawValue == method && $0.path == path }, sourceLocation: sourceLocation)
        let what = Comment(rawValue: "\(method) \(address): \(answer.status) \(answer.text.prefix(300))")
        try check(answer, route, what, sourceLocation)
        return answer
    }

    private func check(
        _ answer: TestClient.Answer, _ route: Route, _ what: Comment, _ place: SourceLocation
    ) throws {
        let endpoint = try #require(route.endpoint, what, sourceLocation: place)
        if answer.status >= 400 {
            #expect(answer.headers["content-type"] == "application/problem+json", what, sourceLocation: place)
            try check(answer, SchemaReference(ProblemDocument.self), what, place)
            let problem: ProblemDocument = try answer.json()
            #expect(problem.status == answer.status, what, sourceLocation: place)
            #expect(route.errors.map(\.rawValue).contains(problem.code), what, sourceLocation: place)
            return
        }
        if answer.status == 304 {
            #expect(route.isConditional && answer.body.isEmpty, what, sourceLocation: place)
            return
        }
        let described = try #require(
            endpoint.responses.first { $0.status == answer.status }, what, sourceLocation: place)
        if route.isConditional, answer.status < 300 {
            #expect(answer.headers["etag"] != nil, what, sourceLocation: place)
        }
        switch described.content {
        case .none: #expect(answer.body.isEmpty, what, sourceLocation: place)
        case .document(let reference):
            #expect(answer.headers["content-type"] == "application/json", what, sourceLocation: place)
            try check(answer, reference, what, place)
        case .text(let mediaType, _):
            #expect(answer.headers["content-type"] == mediaType + "; charset=utf-8", what, sourceLocation: place)
        case .metrics:
            #expect(answer.headers["content-type"]?.hasPrefix("text/plain") == true, what, sourceLocation: place)
        case .openAPIDocument:
            #expect(answer.headers["content-type"] == "application/json", what, sourceLocation: place)
        case .binary(let mediaTypes):
            let type = String(answer.headers["content-type", default: ""].prefix { $0 != ";" })
            let range = String(type.prefix { $0 != "/" }) + "/*"
            #expect(!Set(mediaTypes).isDisjoint(with: [type, range]), what, sourceLocation: place)
        case .eventStream:
            #expect(answer.headers["content-type"] == "text/event-stream", what, sourceLocation: place)
        }
    }

    private func check(
        _ answer: TestClient.Answer, _ reference: SchemaReference, _ what: Comment, _ place: SourceLocation
    ) throws {
        do {
            try reference.schema.validate(answer.json(), rejectsUnknownProperties: true)
        } catch let violation as SchemaViolation {
            Issue.record("\(violation) \(what.rawValue)", sourceLocation: place)
        }
    }
}
