import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The page that asks for consent, as HTML.
@Suite struct ConsentPageTests {
    private let texts = PageText(.english)
    private let error = ErrorReport(
        code: .consentNeeded, message: "no consent", permissions: [.code, Permission(rawValue: "network")],
        requestingProduct: "radio")

    private func step(
        _ identifier: String, signed: Bool?, requiredBy: String? = nil, permissions: [Permission] = []
    ) -> ChangePlan.Step {
        ChangePlan.Step(
            id: "id-" + identifier, action: .install, productIdentifier: identifier, store: "sh<o>p", signed: signed,
            kind: .plugin, name: "The <i>\(identifier)</i>", version: Version("1.2"), requiredBy: requiredBy,
            downloadSize: 6800, permissions: permissions)
    }

    private func html(_ plan: ChangePlan?, form: [String: String] = [:]) -> String {
        let page = ConsentPage(
            error, plan: plan, action: "/actions/downloads", form: form, back: "/store", languages: ["en"], texts)
        return PageRenderer().html(page, in: .english, sequence: 1)
    }

    @Test func `the store and its mark are shown, and what is installed besides`() {
        let plan = ChangePlan(steps: [
            step("base", signed: false, requiredBy: "radio", permissions: [Permission(rawValue: "files")]),
            step("radio", signed: false, permissions: [.code, Permission(rawValue: "network")]),
        ])
        let page = html(plan, form: ["productIdentifier": "radio", "consent": "other=code"])
        for part in [
            "<bdi>The &lt;i&gt;radio&lt;/i&gt;</bdi>: this product needs your consent", "use the network",
            #"<p>Store: <bdi>sh&lt;o&gt;p</bdi> <span class="mark">unsigned store</span>"#, "Further packs",
            "<h2><bdi>The &lt;i&gt;base&lt;/i&gt;</bdi></h2>", "needed by The &lt;i&gt;radio&lt;/i&gt;",
            #"name="agreed" value="id-base id-radio""#, #"name="productIdentifier" value="radio""#,
            // All that the page shows, and what was granted before.
            #"name="consent" value="base=files other=code radio=code radio=network""#,
        ] { #expect(page.contains(part), "\(part): \(page)") }
        #expect(page.components(separatedBy: "<h2>").count == 3 && !page.contains("<i>"), "\(page)")
    }

    @Test func `a signed store has no mark, and without a plan the page shows the permissions alone`() {
        let signed = html(
            ChangePlan(steps: [step("radio", signed: true, permissions: [.code, Permission(rawValue: "network")])]))
        #expect(signed.contains("<p>Store: <bdi>sh&lt;o&gt;p</bdi></p>"), "\(signed)")
        #expect(!signed.contains("unsigned store") && !signed.contains("Further packs"), "\(signed)")
        let alone = html(nil)
        #expect(alone.contains("<bdi>radio</bdi>: this product") && !alone.contains("Store:"), "\(alone)")
        #expect(alone.contains(#"name="consent" value="radio=code radio=network""#), "\(alone)")
        #expect(!alone.contains("agreed"), "\(alone)")
    }
}
