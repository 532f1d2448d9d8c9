import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

/// The list of a store's products, which has all that a page shows, and the images at the addresses in the list.
@Suite struct ProductImageTests {
    private let home: APITestServer
    private let store: IconStore
    private let icons = "/v1/products/:store/:id/icon"

    init() throws { (home, store) = (try APITestServer(), try IconStore()) }

    private func addStore(_ client: ValidatingClient) async throws {
        let url = store.origin.url.absoluteString
        let answer = try await client.ask(
            "POST", "/v1/stores", body: #"{"name":"shop","url":"\#(url)","unsigned":true}"#)
        #expect(answer.status == 201)
    }

    @Test func `a list has the publisher, the icon and the states of each product, and requests no icon`() async throws
    {
        var products = (0..<20).map { IconStore.Product("a/\($0)", icon: ImageForge.png($0 + 1, 1)) }
        products[1].price = "1.99 EUR"
        store.publish(products)
        try await home.serve { client in
            try await addStore(client)
            let before = store.origin.requests.count
            let list: ProductList = try await client.ask("GET", "/v1/products", query: "?cached=true").json()
            #expect(store.origin.requests.count == before)
            #expect(list.products.count == 20)
            let found = Dictionary(uniqueKeysWithValues: list.products.map { ($0.productIdentifier, $0) })
            for product in products {
                let summary = try #require(found[product.identifier])
                #expect(summary.publisher == "Example")
                let number = product.identifier.dropFirst(2)
                let hash = try #require(product.sha256).hex
                #expect(summary.icon == "/v1/products/shop/a%2F\(number)/icon?sha256=\(hash)")
                #expect(summary.state == [product.price == "free" ? .free : .notPurchased])
            }
            let icon = try #require(found["a/1"]?.icon)
            let answer = try #require(try await client.client.send("GET", icon))
            #expect(answer.status == 200 && answer.body == products[1].icon)
            #expect(try await client.ask("PUT", "/v1/purchases/:id", "a/1").status == 200)
            let bought: ProductList = try await client.ask("GET", "/v1/products", query: "?named=a%2F1").json()
            #expect(bought.products.map(\.state) == [[.purchased]])
        }
    }

    @Test func `an icon has its media type, may be kept for good at a path with its hash, and runs nothing`()
        async throws
    {
        let image = ImageForge.svg("<circle r='1'/>")
        store.publish([.init("a", icon: image)])
        try await home.serve { client in
            try await addStore(client)
            let hash = "?sha256=" + SHA256Digest(of: image).hex
            let answer = try await client.ask("GET", icons, "shop", "a", query: hash)
            #expect(answer.status == 200 && answer.body == image)
            #expect(answer.headers["content-type"] == "image/svg+xml")
            #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
            let tag = try #require(answer.headers["etag"])
            let unchanged = try await client.ask("GET", icons, "shop", "a", headers: ["If-None-Match": tag])
            #expect(unchanged.status == 304)
            #expect(unchanged.headers["cache-control"] == "private, no-cache")
            let other = "?sha256=" + SHA256Digest(of: [1]).hex
            let current = try await client.ask("GET", icons, "shop", "a", query: other)
            #expect(current.status == 200 && current.headers["cache-control"] == "private, no-cache")
            // Where no thumbnail can be made, the image itself is the response, and only for now.
            let small = try await client.ask("GET", icons, "shop", "a", query: hash + "&size=64")
            #expect(small.status == 200 && small.body == image)
            #expect(small.headers["cache-control"] == "private, no-cache")
            for headers in [answer.headers, unchanged.headers] {
                #expect(headers["x-content-type-options"] == "nosniff")
                #expect(headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
                #expect(headers["content-security-policy"]?.hasSuffix("sandbox") == true)
            }
            #expect(store.requests(forIconOf: "a") == 1)
        }
    }

    @Test func `a product's document has the paths of all its images`() async throws {
        store.origin.serve("/large.png", ImageForge.png(9, 9))
        store.origin.serve("/use.png", ImageForge.png(7, 7))
        store.origin.serve("/all.png", ImageForge.png(8, 8))
        store.origin.serve("/icon.png", ImageForge.png())
        store.origin.serve(
            "/details.json",
            #"{"productDetailsInfo":"A","productDetailsImageURL":"large.png","productDetailsSpriteImageURL":"all.png","#
                + #""productDetailsPreviewImagesURLsArray":["use.png"]}"#)
        store.origin.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productResourceURL":"a.zip","productResourceImageURL":"icon.png","#
                + #""productDetailsURL":"details.json"},{"productIdentifier":"b","productResourceURL":"b.zip"}]"#)
        try await home.serve { client in
            try await addStore(client)
            let product: ProductDocument = try await client.ask("GET", "/v1/products/:store/:id", "shop", "a").json()
            let base = "/v1/products/shop/a/"
            let expected = ProductImages(
                icon: base + "icon", image: base + "image", sprite: base + "sprite", previews: [base + "previews/0"])
            #expect(product.images == expected)
            let sizes = [
                ("icon", ImageForge.png()), ("image", ImageForge.png(9, 9)), ("sprite", ImageForge.png(8, 8)),
            ]
            for (name, image) in sizes {
                let answer = try await client.ask("GET", "/v1/products/:store/:id/" + name, "shop", "a")
                #expect(answer.status == 200 && answer.body == image, "\(name)")
            }
            let bare: ProductDocument = try await client.ask("GET", "/v1/products/:store/:id", "shop", "b").json()
            #expect(bare.images == ProductImages())
            for name in ["icon", "image", "sprite"] {
                let answer = try await client.ask("GET", "/v1/products/:store/:id/" + name, "shop", "b")
                #expect(answer.status == 404)
                #expect(try answer.json(ProblemDocument.self).code == "product.no-image")
            }
        }
    }

    @Test func `an icon with another hash than that of the catalogue is not served`() async throws {
        var product = IconStore.Product("a", icon: ImageForge.png())
        product.sha256 = SHA256Digest(of: [1])
        store.publish([product])
        try await home.serve { client in
            try await addStore(client)
            let answer = try await client.ask("GET", icons, "shop", "a")
            #expect(answer.status == 422)
            #expect(try answer.json(ProblemDocument.self).code == "content.hash-mismatch")
        }
    }
}
