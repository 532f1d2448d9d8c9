import FoundationEssentials
import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The results of a search as HTML.
@Suite struct StoreResultsTests {
    private func html(
        _ product: ProductItem, state: [ProductState] = [.free], isUnmanaged: Bool = false
    ) -> String {
        let summary = ProductSummary(product, store: "shop", state: state, languages: ["en"])
        let results = StoreResults(
            [summary], unmanaged: isUnmanaged ? [product.productIdentifier] : [], unsigned: [], hasStores: true,
            downloads: [:], next: nil, PageText(.english))
        return PageRenderer().html(results, in: .english, sequence: 1)
    }

    private func product(_ name: String) -> ProductItem {
        ProductItem(
            productIdentifier: "org.example.cups", kind: .sticker, productName: LocalizedText(name),
            resource: ContentReference(url: URL(string: "https://store.example/cups.zip")!))
    }

    @Test func `a card has the texts of its product, escaped, and nothing for what is missing`() {
        let html = html(product("<b>Cups & \"mugs\"</b>"))
        #expect(html.contains("<bdi>&lt;b&gt;Cups &amp; &quot;mugs&quot;&lt;/b&gt;</bdi>"), "\(html)")
        #expect(html.contains(#"data-product="org.example.cups""#) && html.contains("/store/shop/org.example.cups"))
        #expect(html.contains(#"<span class="noicon" aria-hidden="true">&lt;</span>"#))
        #expect(html.contains("Install") && html.contains(#"name="productIdentifier" value="org.example.cups""#))
        #expect(html.contains("data-progress hidden>"))
        #expect(!html.contains("<img") && !html.contains("error"), "\(html)")
        for word in ["false", "nil", "Optional"] { #expect(!html.contains(word), "\(html)") }
    }

    @Test func `a card offers to remove an installed pack, unless that was placed by hand`() {
        #expect(html(product("Cups"), state: [.downloaded, .free]).contains("/actions/packs/org.example.cups/remove"))
        let unmanaged = html(product("Cups"), state: [.downloaded, .free], isUnmanaged: true)
        #expect(!unmanaged.contains("remove") && !unmanaged.contains("<form"), "\(unmanaged)")
        #expect(unmanaged.contains("Installed"))
    }

    @Test(arguments: Language.allCases) func `all templates can be read`(language: Language) throws {
        _ = try PageRenderer.read(language)
    }

    /// Values that find their properties for templates themselves have to know all of them.
    @Test func `templates find each property of the values that occur many times`() {
        let field = PageField(name: "a", value: "b")
        let button = ProductActions.Button(
            label: "a", product: "b", action: "/c", method: "post", isMain: true, opensDialog: false, fields: [field])
        let download = ProductActions.Download(fraction: nil, text: "a")
        let card = StoreResults.Card(
            id: "a", store: "b", name: "c", initial: "c", href: "/", icon: nil, publisher: nil, kindName: "d",
            price: "e", size: nil, isUnsigned: false, defect: nil, state: nil, buttons: [button], download: nil,
            failure: nil)
        let values: [(reflected: Any, value: any TemplateValue)] = [
            (field, TemplateField(field: field)), (button, button), (download, download), (card, card),
        ]
        for (reflected, value) in values {
            for case (let name?, let property) in Mirror(reflecting: reflected).children {
                let found = value.child(named: name)
                #expect(found != nil, "\(name)")
                if let text = property as? String { #expect(found as? String == text, "\(name)") }
                let isMissing = Mirror(reflecting: property).displayStyle == .optional
                #expect(!isMissing || found as? Bool == false, "\(name)")
            }
            #expect(value.child(named: "none") == nil)
        }
    }
}
