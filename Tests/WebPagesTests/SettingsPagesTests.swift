import FoundationEssentials
import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The pages for stores and access tokens as HTML.
@Suite struct SettingsPagesTests {
    private let texts = PageText(.english)
    private let hostile = "<b>\"shop\" & 'co'</b>"
    private let escaped = "&lt;b&gt;&quot;shop&quot; &amp; &#39;co&#39;&lt;/b&gt;"
    private let fingerprint = String(repeating: "9f2c", count: 16)

    private func html(_ page: some Page, in language: Language = .english) -> String {
        PageRenderer().html(page, in: language, sequence: 1)
    }

    @Test(arguments: [
        ("https://store.example/mugs/", "", "store.example"), ("https://store.example:8443/", "mugs", "mugs"),
        ("file:///srv/store/public/", "", "store"), ("file:///srv/cups/catalogue.json", "", "cups"),
        ("http://[::1]:80/", "", "1"), ("file:///", "", ""), ("", "", ""), ("no url", "", "nourl"),
    ])
    func `a store without a name is named after its server or directory`(address: String, name: String, result: String)
    {
        #expect(StoreForm(["url": " \(address)\n", "name": name]).storeName == result)
    }

    @Test func `a fingerprint is read in groups, and empty fields count as none`() {
        let form = StoreForm([
            "url": "https://store.example/", "fingerprint": " 9F2C 9f2c:9f2c ", "token": "", "priority": " ",
            "root": "",
        ])
        #expect(form.fingerprint == "9F2C9f2c9f2c")
        #expect(form.token == nil && form.priority == nil && form.root == nil && form.rootAddress == nil)
        #expect(!form.isUnsigned && !form.usesNetrc)
    }

    @Test func `the form keeps what was entered after an error, escaped, and shows the hint`() {
        let form = StoreForm(["url": "https://a.example/\(hostile)", "name": hostile, "token": hostile, "root": "{}"])
        let error = ErrorReport(StoreError(.invalidStoreName, ["store": .untrusted(hostile)]))
        let page = html(AddStorePage(form, error: texts.report(error), texts))
        #expect(page.contains(#"role="alert"><p>Invalid store name &#39;&lt;b&gt;"#), "\(page)")
        #expect(page.contains("not beginning with") && page.contains("Choose the file again."), "\(page)")
        // The name and the token.
        #expect(page.ranges(of: #" value="\#(escaped)""#).count == 2, "\(page)")
        #expect(page.contains("<details open>") && !page.contains("<b>"), "\(page)")
        let empty = html(AddStorePage(StoreForm(), texts))
        #expect(empty.contains("<details>") && !empty.contains("role=\"alert\"") && !empty.contains(" checked"))
        #expect(empty.contains(#"method="post" action="/actions/stores" enctype="multipart/form-data""#))
    }

    @Test func `the question about a root shows its fingerprint in groups, and sends it with what was entered`() {
        let form = StoreForm(["url": "https://store.example/", "token": "t\"1", "priority": "7", "netrc": "true"])
        let page = html(ConfirmationPage(trusting: fingerprint, of: form, texts))
        #expect(page.contains("9f2c 9f2c 9f2c") && page.contains("Compare the fingerprint of the root"), "\(page)")
        for (name, value) in [
            ("url", "https://store.example/"), ("name", "store.example"), ("token", "t&quot;1"), ("priority", "7"),
            ("netrc", "true"), ("fingerprint", fingerprint),
        ] {
            #expect(page.contains(#"<input type="hidden" name="\#(name)" value="\#(value)">"#), "\(name): \(page)")
        }
        #expect(!page.contains(#"name="unsigned""#))
    }

    @Test func `an unsigned store is a choice of its own, with a warning`() {
        let page = html(ConfirmationPage(addingUnsigned: StoreForm(["url": "https://a.example/\(hostile)"]), texts))
        #expect(page.contains(#"<p class="notice warning">The store is not signed."#), "\(page)")
        #expect(page.contains(#"<input type="hidden" name="unsigned" value="true">"#), "\(page)")
        #expect(!page.contains("<b>") && page.contains("Add the store without signatures"), "\(page)")
    }

    private func store(_ signature: StoreSignature?, error: ErrorReport? = nil) throws -> StoreSummary {
        StoreSummary(
            name: "shop", url: try #require(URL(string: "https://store.example/")), unsigned: signature == nil,
            priority: 3, refreshedAt: Date(timeIntervalSince1970: 1_700_000_000), products: 2, error: error,
            signature: signature, signatureAvailable: signature == nil)
    }

    @Test func `the trust in a store is shown with its roles, keys and publishers, escaped`() throws {
        let signature = StoreSignature(
            fingerprint: fingerprint, rootVersion: 4, verifiedAt: Date(timeIntervalSince1970: 1_700_000_000),
            expires: nil, warnings: [hostile])
        let keys = ["a", "b"].map { id in
            StoreTrustReport.Key(id: String(repeating: id, count: 64), scheme: hostile, publicKey: "x")
        }
        let report = StoreTrustReport(
            store: "shop", signed: true, signatureAvailable: true, signature: signature, age: 1, warnAfter: 259_200,
            refuseAfter: 5_400, refusal: ErrorReport(StoreError(.noSuchStore, ["store": .untrusted(hostile)])),
            roles: [.init(role: "timestamp", version: nil, expires: nil, threshold: 1, keys: keys)],
            publishers: [.init(name: hostile, identifierPrefix: hostile, threshold: 2, keys: keys)])
        let page = html(StoreTrustPage(try store(signature), report, texts))
        for part in [
            "9f2c 9f2c", "2023-11-14 22:13 UTC", "warns after 3 days", "after 90 minutes.", "timestamp", "1 of 2",
            "2 of 2", "aaaaaaaaaaaaaaaa</code>", "Nothing is installed or updated from this store: ",
            #"<th scope="row"><bdi>\#(escaped)</bdi></th>"#,
        ] { #expect(page.contains(part), "\(part): \(page)") }
        #expect(!page.contains("<b>") && !page.contains("aaaaaaaaaaaaaaaaa"), "\(page)")
        #expect(!page.contains("unsigned</span>") && !page.contains("This store is not signed"), "\(page)")
    }

    @Test func `an unsigned store says what that means, and that it could be verified`() throws {
        let report = StoreTrustReport(
            store: "shop", signed: false, signatureAvailable: true, signature: nil, age: nil, warnAfter: 1,
            refuseAfter: 1, refusal: nil, roles: [], publishers: [])
        let error = ErrorReport(StoreError(.invalidStoreName, ["store": .untrusted(hostile)]))
        let page = html(StoreTrustPage(try store(nil, error: error), report, texts))
        #expect(page.contains("This store is not signed") && page.contains("publishes signed metadata"), "\(page)")
        #expect(!page.contains("<table>") && page.contains("notice error") && !page.contains("<b>"), "\(page)")
        let settings = html(SettingsPage(stores: [try store(nil)], settings: [], warnings: [], texts))
        #expect(settings.contains(#"<a href="/settings/stores/shop">"#) && settings.contains("unsigned"))
        #expect(settings.contains("/settings/add-store") && settings.contains("/settings/tokens"))
    }

    @Test func `tokens are listed, escaped, and a secret is shown once`() {
        let token = WebToken(
            id: "0123456789ab", name: hostile, scopes: [.read, .settings],
            createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        let page = html(TokensPage([token], texts))
        #expect(page.contains("<bdi>\(escaped)</bdi>") && page.contains("read, settings"), "\(page)")
        #expect(page.contains(#"<bdi dir="ltr">2023-11-14 22:13 UTC</bdi>"#), "\(page)")
        #expect(page.contains(#"aria-label="Revoke: \#(escaped)""#) && !page.contains("<b>"), "\(page)")
        #expect(page.contains(#"method="get" action="/settings/tokens/0123456789ab""#), "\(page)")
        #expect(!page.contains("id=\"secret\""), "\(page)")
        let created = html(TokensPage([token], created: (token, "s3cret"), texts))
        #expect(created.contains(#"<code id="secret" dir="ltr">s3cret</code>"#), "\(created)")
        #expect(html(TokensPage([], texts)).contains("There are no access tokens."))
        #expect(html(TokensPage([], texts)).contains(#"name="name" value="" maxlength="64""#))
        let question = html(ConfirmationPage(revoking: token, texts))
        #expect(question.contains(#"action="/actions/tokens/0123456789ab/revoke""#) && !question.contains("<b>"))
    }

    @Test func `a form that failed keeps what was entered for the token`() {
        let form = ["name": hostile, "scope:settings": "true"]
        #expect(TokensPage.scopes(in: form) == [.read, .settings])
        #expect(TokensPage.scopes(in: [:]) == [.read])
        let error = texts.report(StoreError(.webTokenNameTaken, ["token": .untrusted(hostile)]))
        let page = html(TokensPage([], error: error, form: form, texts))
        #expect(page.contains(#"value="\#(escaped)""#) && page.contains(#"name="scope:settings" value="true" checked"#))
        #expect(page.contains(#"name="scope:install" value="true">"#) && page.contains("choose another name"))
    }
}
