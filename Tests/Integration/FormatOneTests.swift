import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests stores of format 1, written by hand from the interface description.
@Suite(.hangGuard) struct FormatOneTests {
    static let catalogue = #"""
        { "title": "members that nobody knows are ignored",
          "products": [
            { "productIdentifier": "org.example.cups", "productName": "Cups", "productType": "sticker",
              "productPrice": "free", "productResourceURL": "content/cups.zip",
              "productResourceImageURL": "pictures/cups.png", "productResourceSize": "SIZE",
              "productDetailsURL": "details/cups.json", "colour": ["red"] },
            { "productName": "No identifier", "productType": "sticker", "productPrice": "",
              "productResourceURL": "content/mugs.zip" },
            { "productIdentifier": "zero", "productName": "Zero", "productType": "sticker", "productPrice": 0,
              "productResourceURL": "/shop/content/mugs.zip" },
            { "productIdentifier": "gold", "productName": "Gold", "productType": "sticker",
              "productPrice": "0.99 EUR", "productResourceURL": "content/mugs.zip" },
            { "productIdentifier": "nowhere", "productName": "Nowhere", "productType": "sticker" },
            { "productIdentifier": "kindless", "productName": "No kind", "productResourceURL": "content/mugs.zip" },
            { "productIdentifier": "theme", "productName": "Dark", "productType": "skin",
              "productResourceURL": "content/theme.zip" },
            "not an object", null
          ] }
        """#

    /// Returns a store in the directory `/shop/` of a server.
    private func shop() throws -> (origin: Origin, address: String) {
        let origin = try Origin()
        let (cups, mugs) = (StoreDocuments.pack(1), StoreDocuments.pack(2))
        origin.serve("/shop/content/cups.zip", cups)
        origin.serve("/shop/content/mugs.zip", mugs)
        origin.serve("/shop/content/theme.zip", ZipForge().file("theme.xml", Array("<theme/>".utf8)).build())
        origin.serve(
            "/shop/details/cups.json",
            #"""
            {"productDetailsInfo": "Six cups and a kettle.", "productDetailsImageURL": "../pictures/large.png",
             "productDetailsPreviewImagesURLsArray": ["../pictures/1.png", "/2.png", "http://pictures.example/3.png"],
             "productDetailsSpriteImageURL": "../pictures/sprite.png", "more": 1}
            """#)
        origin.serve("/shop/catalogue.json", Self.catalogue.replacing("SIZE", with: "\(cups.count)"))
        return (origin, origin.address + "shop/")
    }

    @Test func `a store is refused unless it may be unsigned`() async throws {
        let (origin, address) = try shop()
        defer { origin.stop() }
        let home = try TestHome()
        try await home.fails(
            "store", "add", "old", address, exit: 5, code: "store.unsigned", saying: ["'old'", "hashes", "--unsigned"])
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.isEmpty == true)
        let added = try await home.must("store", "add", "old", address, "--unsigned", "--json").json
        #expect(added["unsigned"] == .bool(true) && added["name"]?.text == "old")
    }

    @Test func `products of a format 1 store are listed, and incomplete ones affect no other`() async throws {
        let (origin, address) = try shop()
        defer { origin.stop() }
        let home = try TestHome()
        // The URL of the document works as well as that of its directory.
        try await home.must("store", "add", "old", address + "catalogue.json", "--unsigned")
        let found = try await home.must("search", "--json").json["products"]?.elements ?? []
        let products = Dictionary(uniqueKeysWithValues: found.map { ($0["productIdentifier"].text ?? "", $0) })
        #expect(
            Set(products.keys).isSuperset(of: [
                "org.example.cups", "mugs", "zero", "gold", "nowhere", "kindless", "theme",
            ]))
        let cups = try #require(products["org.example.cups"])
        #expect(cups["name"].text == "Cups" && cups["kind"].text == "sticker" && cups["store"].text == "old")
        #expect(cups["version"] == .null && cups["defect"] == .null)
        #expect(cups["size"].number == Double(StoreDocuments.pack(1).count), "a size that is text is a number")
        #expect(products["mugs"]?["size"] == .null)
        for free in ["org.example.cups", "mugs", "zero", "theme"] {
            #expect(products[free]?["state"].elements.map(\.text) == ["Free"], "\(free)")
            #expect(products[free]?["price"].text == "free", "\(free)")
        }
        #expect(products["gold"]?["price"].text == "0.99 EUR")
        #expect(products["gold"]?["state"].elements.map(\.text) == ["Not Purchased"])
        #expect(products["nowhere"]?["defect"].text?.contains("productResourceURL") == true)
        #expect(products["kindless"]?["defect"].text?.contains("productType") == true)
        try await home.fails(
            "install", "nowhere", exit: 5, code: "product.incomplete", saying: ["'nowhere'", "productResourceURL"])
        try await home.fails("install", "gold", exit: 9, code: "entitlement.missing")
        #expect(try await home.must("search", "--free", "cups", "--json").json["products"]?.elements.count == 1)
        #expect(try await home.must("search", "--kind", "skin", "--json").json["products"]?.elements.count == 1)
    }

    @Test func `packs of a format 1 store are installed, described and listed`() async throws {
        let (origin, address) = try shop()
        let home = try TestHome()
        try await home.must("store", "add", "old", address, "--unsigned")
        let info = try await home.must("info", "org.example.cups", "--json").json
        #expect(info["details"]?["info"].text == "Six cups and a kettle.")
        #expect(info["details"]?["sprite"].text == address + "pictures/sprite.png")
        #expect(
            info["details"]?["previews"].elements.map(\.text)
                == [address + "pictures/1.png", origin.address + "2.png", "http://pictures.example/3.png"])
        #expect(try await home.must("info", "old/org.example.cups").output.contains("Six cups and a kettle."))

        try await home.must("install", "org.example.cups", "mugs", "zero", "theme")
        let packs = try await home.packs()
        let cups = try #require(packs["org.example.cups"])
        #expect(cups["version"] == .null && cups["store"].text == "old" && cups["name"].text == "Cups")
        #expect(cups["path"].text == home.path + "/data/packs/org.example.cups.stickers")
        #expect(packs["theme"]?["path"].text == home.path + "/data/packs/theme.purchasedTheme")
        #expect(home.files(of: "org.example.cups.stickers")["a.png"] == Data(ImageForge.bytes(2000, seed: 1)))
        try await home.must("verify")
        #expect(try await home.storectl("update", "--check").exit == 0)
        #expect(try await home.must("update").output == "")
        try await home.expectNothingLeft()
    }

    @Test func `the whole document may be the list`() async throws {
        let origin = try Origin()
        origin.serve("/mugs.zip", StoreDocuments.pack())
        origin.serve(
            "/list.json",
            #"[{"productIdentifier": "mugs", "productType": "sticker", "productResourceURL": "mugs.zip"}]"#)
        let home = try TestHome()
        try await home.must("store", "add", "old", origin.address + "list.json", "--unsigned")
        try await home.must("install", "mugs")
        #expect(try await home.packs()["mugs"]?["name"].text == "mugs")
    }

    @Test func `another address, size or entity tag of the content is a new version`() async throws {
        let origin = try Origin()
        func catalogue(_ url: String, size: Int?) {
            var product: [String: Any] = [
                "productIdentifier": "cups", "productName": "Cups", "productType": "sticker", "productResourceURL": url,
            ]
            product["productResourceSize"] = size
            origin.serve("/catalogue.json", StoreDocuments.json([product]))
        }
        let home = try TestHome()
        func expectUpdate(to archive: [UInt8], seed: UInt64, _ what: Comment) async throws {
            #expect(try await home.storectl("update", "--check").exit == 11, what)
            let result = try await home.must("update", "--json").json["results"]?.elements ?? []
            #expect(result.map { $0["end"].text } == ["finished"], what)
            #expect(home.files(of: "cups.stickers")["b.png"] == Data(ImageForge.bytes(50, seed: seed)), what)
            #expect(try await home.storectl("update", "--check").exit == 0, what)
            #expect(try await home.must("update").output == "", what)
        }

        origin.serve("/a.zip", StoreDocuments.pack(1))
        catalogue("a.zip", size: nil)
        try await home.must("store", "add", "old", origin.address, "--unsigned")
        try await home.must("install", "cups")
        #expect(try await home.storectl("update", "--check").exit == 0)

        origin.serve("/a.zip", StoreDocuments.pack(2))
        try await expectUpdate(to: StoreDocuments.pack(2), seed: 2, "another entity tag at the same address")

        origin.serve("/b.zip", StoreDocuments.pack(3))
        catalogue("b.zip", size: nil)
        try await home.must("refresh")
        #expect(try await home.packs()["cups"]?["state"].elements.map(\.text) == ["Downloaded", "Free", "Updatable"])
        #expect(try await home.must("list", "--updatable", "--json").json["packs"]?.elements.count == 1)
        try await expectUpdate(to: StoreDocuments.pack(3), seed: 3, "another address")

        let larger = StoreDocuments.pack(4, size: 2500)
        origin.serve("/b.zip", larger)
        catalogue("b.zip", size: larger.count)
        try await expectUpdate(to: larger, seed: 4, "another size")
        #expect(try await home.packs()["cups"]?["version"] == .null)

        try await home.must("rollback", "cups")
        #expect(home.files(of: "cups.stickers")["b.png"] == Data(ImageForge.bytes(50, seed: 3)))
        #expect(try await home.must("update").output == "", "held")
        try await home.expectNothingLeft()
    }

    @Test func `an archive that differs from the declared size is refused`() async throws {
        let origin = try Origin()
        origin.serve("/a.zip", StoreDocuments.pack())
        origin.serve(
            "/catalogue.json",
            #"[{"productIdentifier": "cups", "productType": "sticker", "productResourceURL": "a.zip", "productResourceSize": "12"}]"#
        )
        let home = try TestHome()
        try await home.must("store", "add", "old", origin.address, "--unsigned")
        try await home.fails("install", "cups", exit: 5, code: "content.size-mismatch", saying: ["a.zip"])
        try await home.expectNothingLeft()
    }
}
