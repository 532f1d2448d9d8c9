import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StoreAPI
import StoreModel
import Synchronization
import Testing

@testable import StoreServer

/// Documents that are encoded piece by piece.
@Suite struct LargeDocumentTests {
    private static func product(_ number: Int) -> ProductSummary {
        var item = ProductItem(
            productIdentifier: "p\(number)", kind: .sticker, productName: LocalizedText("A \"name\" / of \(number)"),
            version: number == 0 ? nil : Version("1.\(number)"))
        item.defect = number == 3 ? "none" : nil
        return ProductSummary(item, store: "main", state: [.free], languages: [])
    }

    private final class Collected: Sendable {
        let bytes = Mutex(Data())
    }

    private struct Writer: ResponseBodyWriter {
        let collected: Collected

        mutating func write(_ buffer: ByteBuffer) async throws {
            collected.bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test(arguments: [0, 1, 500, 501, 1_001], [nil, "a/\"b\""])
    func `a list of products has the bytes that it has when it is encoded as a whole`(
        count: Int, next: String?
    ) throws {
        let list = ProductList(products: (0..<count).map(Self.product), warnings: ["a", "b/c"], next: next)
        var document = LargeDocument()
        if let next { try document.add("next", next) }
        try document.addArray("products", count: count) { Array(list.products[$0]) }
        try document.add("warnings", list.warnings)
        let (tag, length, bytes) = try document.encoded()
        let whole = try JSON.encode(list)
        #expect(bytes.map { Data($0.readableBytesView) } == whole && length == whole.count)
        #expect(try document.data() == whole)
        #expect(tag.text == TaggedDocument(whole).tag.text)
    }

    @Test(arguments: (DocumentSamples.complete + DocumentSamples.sparse).filter { $0.type == SnapshotDocument.self })
    func `a snapshot has the bytes that it has when it is encoded as a whole`(sample: DocumentSample) throws {
        var snapshot = try #require(sample.value as? SnapshotDocument)
        #expect(try LargeDocument(snapshot).data() == JSON.encode(snapshot))
        let packs = snapshot.packs
        snapshot.packs = (0..<250).flatMap { _ in packs }
        #expect(try LargeDocument(snapshot).data() == JSON.encode(snapshot))
    }

    @Test(arguments: (DocumentSamples.complete + DocumentSamples.sparse).filter { $0.type == DownloadList.self })
    func `a list of downloads has the bytes that it has when it is encoded as a whole`(sample: DocumentSample) throws {
        let list = try #require(sample.value as? DownloadList)
        #expect(try LargeDocument(list).data() == JSON.encode(list))
    }

    @Test func `a document of several megabytes is sent as it was measured`() async throws {
        let text = String(repeating: "text \"/", count: 10_000)
        var document = LargeDocument()
        try document.addArray("a", count: 250) { range in range.map { "\($0)\(text)" } }
        let (tag, length, bytes) = try document.encoded()
        #expect(bytes == nil)
        let collected = Collected()
        try await document.body(length: length).write(Writer(collected: collected))
        let whole = try JSON.encode(["a": (0..<250).map { "\($0)\(text)" }])
        #expect(
            collected.bytes.withLock { $0 } == whole && length == whole.count
                && tag.text == TaggedDocument(whole).tag.text)
    }

    @Test func `an object of many members is valid JSON`() throws {
        var document = LargeDocument()
        try document.addObject("a", count: 1_000) { range in
            Dictionary(uniqueKeysWithValues: range.map { ("k\"\($0)", [$0]) })
        }
        try document.addArray("b", count: 0) { _ in [String]() }
        try document.addObject("c", count: 0) { _ in [String: Int]() }
        let bytes = try #require(try document.encoded().bytes)
        let found = try JSON.decode([String: JSONValue].self, from: Data(bytes.readableBytesView))
        #expect(try LargeDocument().encoded().bytes.map(String.init(buffer:)) == "{}")
        #expect(found.keys.sorted() == ["a", "b", "c"])
        guard case .object(let members)? = found["a"] else {
            Issue.record("'a' is no object")
            return
        }
        #expect(members.count == 1_000 && members["k\"999"] == .array([.integer(999)]))
    }
}
