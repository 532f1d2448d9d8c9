import FoundationEssentials
import StoreModel
import Testing

@testable import StoreDownloads

@Suite struct DownloadRequestTests {
    private func request() throws -> DownloadRequest {
        let url = try #require(URL(string: "https://store.example/a.zip"))
        return DownloadRequest(
            operation: OperationID(rawValue: "1-a"), action: .install, store: "main",
            product: ProductItem(productIdentifier: "a", kind: .sticker, productName: "A"),
            resource: ContentReference(url: url), priority: 3)
    }

    @Test func `a request survives encoding and decoding`() throws {
        var request = try request()
        #expect(try JSON.decode(DownloadRequest.self, from: JSON.encode(request)) == request)
        request.pause = .init(by: "the user", bytesReceived: 5, bytesExpected: 10)
        #expect(try JSON.decode(DownloadRequest.self, from: JSON.encode(request)) == request)
    }

    @Test func `a stored request without pause and priority is decoded with neither`() throws {
        let request = try request().with(priority: 0)
        let kept = String(decoding: try JSON.encode(request), as: UTF8.self)
        #expect(!kept.contains("priority") && !kept.contains("pause"))
        let read = try JSON.decode(DownloadRequest.self, from: Data(kept.utf8))
        #expect(read.pause == nil && read.priority == nil)
    }
}
