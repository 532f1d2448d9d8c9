public import StoreModel

/// A store on a server that records requests, whose products have icons.
///
/// It has format 2, and format 1 if an icon has no hash, which format 2 requires.
public final class IconStore: Sendable {
    /// A product of the store, whose archive does not exist.
    public struct Product: Sendable {
        public var identifier: String
        public var icon: [UInt8]
        public var price = "free"
        public var publisher = "Example"
        /// The hash of the icon in the catalogue; `nil` states none, as in format 1.
        public var sha256: SHA256Digest?
        /// The address of the icon; by default its path at the store.
        public var address: String

        public init(_ identifier: String, icon: [UInt8]) {
            self.identifier = identifier
            self.icon = icon
            sha256 = SHA256Digest(of: icon)
            address = IconStore.icon(of: identifier)
        }
    }

    public let origin: Origin
    private let token: String?

    /// Creates a store without products.
    ///
    /// - Parameter token: the bearer token that every request must have; `nil` requires none.
    public init(token: String? = nil) throws {
        origin = try Origin()
        self.token = token
        publish([])
    }

    /// Returns the path of a product's icon at the store.
    public static func icon(of identifier: String) -> String { "/icons/\(identifier).png" }

    /// Replaces the products of the store.
    public func publish(_ products: [Product]) {
        let entries = products.map { product in
            serve(Self.icon(of: product.identifier), product.icon)
            let hash = product.sha256.map { #","productResourceImageSHA256":"\#($0.hex)""# } ?? ""
            return """
                {"productIdentifier":"\(product.identifier)","productName":"\(product.identifier)","productType":"sticker",
                "version":"1","productPrice":"\(product.price)","publisher":"\(product.publisher)",
                "productResourceURL":"a.zip","productResourceSize":1,
                "productResourceSHA256":"\(SHA256Digest(of: [1]).hex)",
                "productResourceImageURL":"\(product.address)"\(hash)}
                """
        }
        guard products.allSatisfy({ $0.sha256 != nil }) else {
            return serve("/catalogue.json", Array("[\(entries.joined(separator: ","))]".utf8))
        }
        let shard = #"{"format":2,"products":["# + entries.joined(separator: ",") + "]}"
        serve("/shard.json", Array(shard.utf8))
        let catalogue = """
            {"format":2,"products":\(products.count),"shards":[{"url":"shard.json","size":\(shard.utf8.count),
            "sha256":"\(SHA256Digest(of: shard.utf8).hex)","products":\(products.count)}]}
            """
        serve("/catalogue.json", Array(catalogue.utf8))
    }

    /// The number of requests for a product's icon so far.
    public func requests(forIconOf identifier: String) -> Int {
        origin.requests(to: Self.icon(of: identifier)).count
    }

    private func serve(_ path: String, _ bytes: [UInt8]) {
        guard let token else { return origin.serve(path, bytes) }
        origin.handle(path) { request in
            request.headers["authorization"] == "Bearer " + token
                ? OriginReply(body: bytes) : OriginReply(status: 401)
        }
    }
}
