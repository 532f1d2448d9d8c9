import FoundationEssentials
import StoreCatalogue
import StoreModel
import Testing

/// Documents written by hand from the interface description.
@Suite
struct FormatOneTests {
    static let url = URL(string: "https://store.example/list/products.json")!

    func list(_ json: String, url: URL = FormatOneTests.url) throws -> CatalogueProducts {
        guard case .products(let list) = try CatalogueDocument.parse(Data(json.utf8), url: url) else {
            throw StoreError(.catalogueInvalid, ["document": "the document", "reason": "it is not of format 1"])
        }
        return list
    }

    @Test(arguments: [
        "[%]", #"{"products":[%]}"#, #"{"format":1,"x":{},"products":[%]}"#,
    ])
    func `a list may be an array, or the member 'products'`(shape: String) throws {
        let product =
            #"{"productIdentifier":"cups","productType":"sticker","productResourceURL":"cups.zip"}"#
        let list = try list(shape.split(separator: "%").joined(separator: product))
        #expect(list.items.map(\.productIdentifier) == ["cups"])
        #expect(list.items[0].defect == nil)
        #expect(list.items[0].version == nil)
        #expect(list.warnings.isEmpty)
    }

    @Test
    func `every member of the format is parsed`() throws {
        let item = try list(
            #"""
            [{"productIdentifier": "org.example.cups", "productName": "Cups", "productType": "sticker",
              "productPrice": "1.99 EUR", "productResourceURL": "../content/cups.zip",
              "productResourceImageURL": "https://cdn.example/cups.png", "productResourceSize": 1234,
              "productDetailsURL": "/details/cups.json", "whatever": [1, {"a": null}]}]
            """#
        ).items[0]
        #expect(item.productName == "Cups")
        #expect(item.kind == .sticker)
        #expect(item.productPrice.amount == "1.99 EUR")
        #expect(item.resource?.url.absoluteString == "https://store.example/content/cups.zip")
        #expect(item.resource?.size == 1234)
        #expect(item.resource?.sha256 == nil)
        #expect(item.image?.url.absoluteString == "https://cdn.example/cups.png")
        #expect(item.details?.url.absoluteString == "https://store.example/details/cups.json")
        #expect(item.defect == nil)
    }

    @Test
    func `a name may be an object by language, and defaults to the identifier`() throws {
        let items = try list(
            #"""
            [{"productIdentifier":"a","productName":{"en":"Cups","pt":"Chávenas","x":7,"y":{}},
              "productResourceURL":"a.zip"},
             {"productIdentifier":"b","productName":null,"productResourceURL":"b.zip"},
             {"productIdentifier":"c","productName":["no"],"productResourceURL":"b.zip"}]
            """#
        ).items
        #expect(items[0].productName.text(in: ["pt-BR"]) == "Chávenas")
        #expect(items[1].productName == "b")
        #expect(items[2].productName == "c")
    }

    @Test(
        arguments: [
            ("1234", 1234), (#""1234""#, 1234), (#"" 1234 ""#, 1234), ("1234.0", 1234), ("0", 0), (#""big""#, nil),
            ("null", nil), ("-5", nil), ("1.5", nil), ("[]", nil), ("1e400", nil), (#""-3""#, nil), ("true", nil),
        ] as [(String, Int?)])
    func `a size may be a number or text, and is unknown otherwise`(written: String, size: Int?) throws {
        let list = try? list(
            #"""
            [{"productIdentifier":"a","productType":"skin","productResourceURL":"a.zip",
              "productResourceSize":\#(written)}]
            """#)
        // A number that JSON can't represent may make the whole document invalid, but must not become another number.
        if let item = list?.items.first {
            #expect(item.resource?.size == size)
            #expect(item.defect == nil)
        } else {
            #expect(written == "1e400")
        }
    }

    @Test(
        arguments: [
            ("", nil), (#","productPrice":"""#, nil), (#","productPrice":"0""#, nil), (#","productPrice":0"#, nil),
            (#","productPrice":"free""#, nil), (#","productPrice":"Free""#, nil), (#","productPrice":null"#, nil),
            (#","productPrice":"0.00 EUR""#, nil), (#","productPrice":"1.99 EUR""#, "1.99 EUR"),
            (#","productPrice":2"#, "2"),
        ] as [(String, String?)])
    func `missing, empty, zero and 'free' prices are free`(member: String, amount: String?) throws {
        let item = try list(#"[{"productIdentifier":"a","productResourceURL":"a.zip"\#(member)}]"#).items[0]
        #expect(item.productPrice.amount == amount)
    }

    @Test(arguments: [
        ("a/cups.zip", "cups"), ("cups", "cups"), ("my%20cups.v2.zip", "my cups.v2"), ("cups.zip?token=1", "cups"),
        (".hidden", ".hidden"), ("https://other.example/x/ch%C3%A1venas.zip", "chávenas"),
    ])
    func `a missing identifier defaults to the content file's name without its suffix`(
        address: String, identifier: String
    ) throws {
        let items = try list(
            #"""
            [{"productType":"sticker","productResourceURL":"\#(address)"},
             {"productIdentifier":"","productType":"sticker",
              "productResourceURL":"other/\#(address.split(separator: "/").last!)"}]
            """#
        ).items
        #expect(items.map(\.productIdentifier) == [identifier])
        #expect(items[0].defect == nil)
    }

    @Test
    func `an incomplete product is listed with the reason, and does not affect others`() throws {
        let list = try list(
            #"""
            [{"productIdentifier":"no-url","productType":"sticker"},
             {"productIdentifier":"bad-scheme","productType":"sticker","productResourceURL":"ftp://x/y.zip"},
             {"productIdentifier":"script","productType":"sticker","productResourceURL":"javascript:alert(1)"},
             {"productIdentifier":"no-host","productType":"sticker","productResourceURL":"http:///y.zip"},
             {"productIdentifier":"local","productType":"sticker","productResourceURL":"file:///etc/passwd"},
             {"productIdentifier":"no-kind","productResourceURL":"y.zip"},
             {"productIdentifier":"url-is-object","productType":"sticker","productResourceURL":{}},
             {"productType":"sticker","productName":"Nameless"},
             17, null, "text", ["a"],
             {"productIdentifier":"a\u0007b","productType":"sticker","productResourceURL":"y.zip"},
             {"productIdentifier":"bad-hash","productType":"sticker","productResourceURL":"y.zip",
              "productResourceSHA256":"zz"},
             {"productIdentifier":"good","productType":"sticker","productResourceURL":"good.zip"}]
            """#)
        #expect(list.items.count == 15)
        for item in list.items.dropLast() {
            #expect(item.defect != nil, "\(item.productIdentifier)")
            #expect(item.defect?.contains("\n") == false)
        }
        #expect(list.items[4].resource == nil)
        #expect(list.items[7].productIdentifier == "#8")
        #expect(list.items[7].productName == "Nameless")
        #expect(list.items[8].productIdentifier == "#9")
        #expect(list.items.last?.defect == nil)
        #expect(list.items.last?.productIdentifier == "good")
    }

    @Test(arguments: ["../../x", "🙂🙃", "a/b c", "%2F", String(repeating: "x", count: 300)])
    func `any valid identifier is accepted unchanged`(identifier: String) throws {
        let item = try list(
            #"[{"productIdentifier":"\#(identifier)","productType":"sticker","productResourceURL":"y.zip"}]"#
        ).items[0]
        #expect(item.productIdentifier == identifier)
        #expect(item.defect == nil)
    }

    @Test
    func `the first of two products with one identifier is used, and the second is reported`() throws {
        let list = try list(
            #"""
            [{"productIdentifier":"a","productType":"sticker","productResourceURL":"1.zip"},
             {"productType":"sticker","productResourceURL":"a.zip"},
             {"productIdentifier":"b","productType":"sticker","productResourceURL":"2.zip"}]
            """#)
        #expect(list.items.map { $0.resource?.url.lastPathComponent } == ["1.zip", "2.zip"])
        #expect(list.warnings.count == 1)
        #expect(list.warnings[0].contains("'a'"))
    }

    @Test
    func `a store of local files may refer to local files`() throws {
        let item = try list(
            #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"my packs/a.zip"}]"#,
            url: URL(string: "file:///srv/the%20store/catalogue.json")!
        ).items[0]
        #expect(item.resource?.url.absoluteString == "file:///srv/the%20store/my%20packs/a.zip")
        #expect(item.defect == nil)
    }

    @Test
    func `details of both formats are parsed, whatever members are missing`() throws {
        let url = URL(string: "https://store.example/details/cups.json")!
        let details = try DetailsDocument.parse(
            Data(
                #"""
                {"productDetailsInfo":"Cups that smile","productDetailsImageURL":"cups.png",
                 "productDetailsPreviewImagesURLsArray":["1.png", 7, {}, "ftp://x/2.png", "../3.png"],
                 "productDetailsSpriteImageURL":"https://cdn.example/sprite.png","more":1}
                """#.utf8), url: url)
        #expect(details.info == "Cups that smile")
        #expect(details.image?.absoluteString == "https://store.example/details/cups.png")
        #expect(
            details.previews.map(\.absoluteString) == [
                "https://store.example/details/1.png", "https://store.example/details/7",
                "https://store.example/3.png",
            ])
        #expect(details.sprite?.absoluteString == "https://cdn.example/sprite.png")

        let empty = try DetailsDocument.parse(Data("{}".utf8), url: url)
        #expect(empty == ProductDetails(info: ""))
        let localised = try DetailsDocument.parse(
            Data(#"{"format":2,"productDetailsInfo":{"en":"Cups","pt":"Chávenas"}}"#.utf8), url: url)
        #expect(localised.info.text(in: ["pt"]) == "Chávenas" && localised.changes == nil)
        let changed = try DetailsDocument.parse(Data(#"{"format":2,"changes":{"en":"New: a cup"}}"#.utf8), url: url)
        #expect(changed.changes?.text() == "New: a cup")
        #expect(try DetailsDocument.parse(Data(#"{"changes":["New"]}"#.utf8), url: url).changes == nil)
        #expect(throws: StoreError.self) { try DetailsDocument.parse(Data("[]".utf8), url: url) }
    }
}
