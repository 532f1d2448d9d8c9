import FoundationEssentials
import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The library, and the pages that lead from it, as HTML.
@Suite struct LibraryPageTests {
    private let texts = PageText(.english)

    private func html(_ page: some Page, in language: Language = .english) -> String {
        PageRenderer().html(page, in: language, sequence: 1)
    }

    private func pack(
        _ identifier: String, name: String = "Cups", store: String? = "shop", signed: Bool? = nil,
        isUpdatable: Bool = false, isHeld: Bool = false
    ) -> InstalledPack {
        InstalledPack(
            productIdentifier: identifier, store: store, signed: signed, kind: .sticker, name: name,
            version: Version("1.0.0"), path: "/packs/\(identifier)", size: 6800, installedAt: Date(), held: isHeld,
            state: isUpdatable ? [.downloaded, .updatable] : [.downloaded])
    }

    private func library(
        _ packs: [InstalledPack], unneeded: [InstalledPack] = [], verifiable: Set<String> = [],
        restorable: Set<String> = [], history: [OperationRecord] = [], in language: Language = .english
    ) -> String {
        html(
            LibraryPage(
                packs: packs, unneeded: unneeded, verifiable: verifiable, restorable: restorable, history: history,
                downloads: [:],
                PageText(language)), in: language)
    }

    @Test func `a rollback is offered only where there is a version to go back to`() {
        let page = library([pack("cups"), pack("cats")], restorable: ["cats"])
        #expect(page.contains("/actions/packs/cats/rollback") && !page.contains("/actions/packs/cups/rollback"))
    }

    @Test func `a pack of an unsigned store has a mark`() {
        #expect(library([pack("cups", signed: false)]).contains(#"<span class="mark">unsigned store</span>"#))
        for signed in [true, nil] { #expect(!library([pack("cups", signed: signed)]).contains("unsigned store")) }
    }

    @Test func `a verification is offered only where there is a list of files to compare with`() {
        let page = library([pack("cups"), pack("mine", store: nil)], verifiable: ["cups"])
        #expect(page.contains(#"action="/verification" data-dialog="Comparing the files""#), "\(page)")
        #expect(page.contains(#"name="select:cups" value="true""#) && !page.contains("Verify: mine"), "\(page)")
    }

    @Test func `a verification shows how many files were compared, and which are damaged, with a repair`() {
        func verification(_ outcomes: [VerificationPage.Outcome], in language: Language = .english) -> String {
            let packs = outcomes.enumerated().map {
                VerificationPage.Pack("org.example.\($0)", name: "<i>\($0)</i>", outcome: $1, PageText(language))
            }
            return html(VerificationPage(packs, back: "/library", PageText(language)), in: language)
        }
        let intact = verification([.intact(files: 12)])
        #expect(intact.contains("Intact: 12 files were compared with what was installed."), "\(intact)")
        #expect(intact.contains("<p data-result>1 pack is intact.</p>") && !intact.contains("/actions/packs"))
        #expect(intact.contains("<bdi>&lt;i&gt;0&lt;/i&gt;</bdi>"), "\(intact)")
        #expect(verification([.intact(files: 1)]).contains("Intact: 1 file was compared"))
        var damages = [PackDamage(path: "<b>.png", damage: .changed), PackDamage(path: "b.png", damage: .missing)]
        let damaged = verification([.damaged(damages), .intact(files: 3)])
        for part in [
            "2 files are not as they were installed:",
            "<bdi dir=\"ltr\">&lt;b&gt;.png</bdi>: changed", "b.png</bdi>: missing",
            #"action="/actions/packs/org.example.0/repair""#, "1 pack is damaged. 1 pack is intact.",
        ] { #expect(damaged.contains(part), "\(part): \(damaged)") }
        #expect(!damaged.contains("org.example.1/repair") && !damaged.contains("more file"), "\(damaged)")
        damages = (0..<23).map { PackDamage(path: "\($0).png", damage: .missing) }
        let many = verification([.damaged(damages)])
        #expect(many.contains("19.png") && !many.contains("20.png"), "\(many)")
        #expect(many.contains("<li>3 more files</li>"), "\(many)")
        let error = ErrorReport(StoreError(.packNotInstalled, ["product": "cups"]))
        let failed = verification([.failed(error), .damaged([.missingDirectory])])
        #expect(failed.contains("1 pack is damaged. 1 pack could not be verified."), "\(failed)")
        #expect(failed.contains("is not installed") && failed.contains("The directory of the pack is missing."))
        #expect(!failed.contains("org.example.0/repair") && failed.contains("org.example.1/repair"), "\(failed)")
        #expect(verification([]).contains("No pack is selected."))
        #expect(verification([.intact(files: 2)], in: .german).contains("Unversehrt: 2 Dateien"))
    }

    @Test func `packs from stores can be selected for removal, others can't`() {
        let page = library([pack("org.example.cups", name: "<i>Cups</i>"), pack("mine", store: nil)])
        #expect(page.contains(#"form="selection" name="select:org.example.cups" value="true""#), "\(page)")
        #expect(page.contains("Select &lt;i&gt;Cups&lt;/i&gt;") && !page.contains("<i>"), "\(page)")
        #expect(!page.contains("select:mine"))
        for button in [
            #"<button formmethod="post" formaction="/actions/holds" name="hold" value="true">Hold selected"#,
            #"<button formmethod="post" formaction="/actions/holds" name="hold" value="false">Release selected"#,
            #"formaction="/verification" name="selected" value="true" data-announcement="Comparing the files">Verify s"#,
        ] { #expect(page.contains(button), "\(button): \(page)") }
        #expect(!library([pack("mine", store: nil)]).contains("id=\"selection\""))
        #expect(!library([]).contains("id=\"selection\""))
    }

    @Test func `updates are offered, and otherwise the page says that there are none`() {
        let (all, others) = ("All packs are up to date.", "All other packs are up to date.")
        let page = library([pack("cups", isUpdatable: true), pack("cats")])
        #expect(page.contains(#"name="pack:cups""#) && !page.contains(all) && !page.contains(others), "\(page)")
        #expect(library([pack("cups")]).contains(all))
        let held = library([pack("cups", isUpdatable: true, isHeld: true)])
        #expect(held.contains(others) && !held.contains("Update all"), "\(held)")
        #expect(!library([pack("mine", store: nil)]).contains(all) && !library([]).contains(all))
    }

    @Test func `what is not needed is shown with its size, and nothing where all is needed`() {
        let page = library([pack("cups")], unneeded: [pack("cups", name: "<i>Base</i>")])
        #expect(page.contains("<bdi>&lt;i&gt;Base&lt;/i&gt;</bdi> · <bdi>6.8 kB</bdi>"), "\(page)")
        #expect(page.contains(#"name="unneeded" value="true""#))
        #expect(!library([pack("cups")]).contains("unneeded"))
    }

    @Test func `the history leads to older and newer operations, and to those on one product`() {
        func record(_ number: Int, _ product: String) -> OperationRecord {
            OperationRecord(
                operation: OperationID(rawValue: "op&\(number)"), action: .install, productIdentifier: product,
                store: "shop", version: Version("1.\(number)"), startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        }
        let records = [record(3, "<i>cups</i>"), record(2, "cats"), record(1, "cats")]
        func page(of product: String? = nil, name: String? = nil, newer: Bool, older: Bool) -> String {
            html(
                HistoryPage(
                    records, of: product, name: name, neighbours: .init(hasNewer: newer, hasOlder: older), texts))
        }
        let middle = page(newer: true, older: true)
        for part in [
            "<h1>History</h1>", #"href="/library/history?after=op%263" rel="prev""#,
            #"href="/library/history?before=op%261" rel="next""#, #"<a href="/library/history">Newest operations</a>"#,
            #"<a href="/library/history?product=%3Ci%3Ecups%3C%2Fi%3E"><bdi>&lt;i&gt;cups&lt;/i&gt;</bdi></a>"#, "1.2<",
        ] { #expect(middle.contains(part), "\(part): \(middle)") }
        #expect(!middle.contains("operations on all products"), "\(middle)")
        let only = page(of: "cats&dogs", name: "<b>Cats</b>", newer: false, older: true)
        for part in [
            "<h1>History of &lt;b&gt;Cats&lt;/b&gt;</h1>", "Show the operations on all products",
            "/library/history?before=op%261&amp;product=cats%26dogs",
        ] { #expect(only.contains(part), "\(part): \(only)") }
        #expect(!only.contains("rel=\"prev\"") && !only.contains("Newest"), "\(only)")
        let none = html(
            HistoryPage([], of: "cats", name: nil, neighbours: .init(hasNewer: false, hasOlder: false), texts))
        #expect(none.contains("There are no entries.") && !none.contains("<table"), "\(none)")
        let library = library([pack("cups")], history: records)
        #expect(library.contains(#"<a href="/library/history?product=cups" aria-label="History: Cups">"#), "\(library)")
        #expect(library.contains(#"<a href="/library/history">All operations</a>"#), "\(library)")
    }

    @Test func `a time keeps the order of its parts on a page from right to left`() {
        let record = OperationRecord(
            operation: OperationID(), action: .install, productIdentifier: "cups", store: "shop", version: nil,
            startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        let page = library([], history: [record], in: .arabic)
        #expect(page.contains(#"<td><bdi dir="ltr">2023-11-14 22:13 UTC</bdi></td>"#), "\(page)")
    }

    @Test func `the question about a removal shows what is removed, what is not, and what is not needed then`() {
        let step = ChangePlan.Step(
            id: "1f", action: .uninstall, productIdentifier: "cups", store: "shop", kind: .sticker, name: "Cups",
            installed: Version("1.0.0"), diskSize: 6800)
        let error = ErrorReport(StoreError(.skinIsInUse, ["product": "night"]))
        let plan = ChangePlan(
            steps: [step], unneeded: ["base"], failures: [.init(productIdentifier: "night", error: error)])
        let names = ["cups": "<i>Cups</i>", "base": "Base", "night": "Night"]
        let page = html(ConfirmationPage(removing: ["cups", "night"], plan, names: names, back: "/library", texts))
        for part in [
            "<bdi>&lt;i&gt;Cups&lt;/i&gt;</bdi>", "Sticker pack · 1.0.0 · 6.8 kB", "nothing needs these packs any more",
            "Base", #"<p class="notice error"><bdi>Night</bdi>: "#, #"name="packs" value="cups""#,
            #"name="agreed" value="1f""#, #"<a href="/library" data-cancel>Cancel</a>"#,
        ] { #expect(page.contains(part), "\(part): \(page)") }
        let nothing = html(ConfirmationPage(removing: [], ChangePlan(steps: []), names: [:], back: "/library", texts))
        #expect(nothing.contains("No pack is selected.") && !nothing.contains("/actions/removals"), "\(nothing)")
    }

    @Test func `the answer to a hold of several packs says which are held, and why others are not`() {
        let error = ErrorReport(StoreError(.packNotInstalled, ["product": "cats"]))
        func page(_ isHeld: Bool, _ changed: [String], _ failures: [(name: String, error: ErrorReport)]) -> String {
            html(ConfirmationPage(holding: isHeld, changed: changed, failures: failures, back: "/library", texts))
        }
        let held = page(true, ["<i>Cups</i>", "Dogs"], [("<b>Cats</b>", error)])
        for part in [
            "<h1>Hold packs</h1>", "These packs are held now: &lt;i&gt;Cups&lt;/i&gt;, Dogs",
            #"<p class="notice error"><bdi>&lt;b&gt;Cats&lt;/b&gt;</bdi>: "#, #"<a href="/library" data-cancel>Back"#,
        ] { #expect(held.contains(part), "\(part): \(held)") }
        #expect(page(false, ["Dogs"], []).contains("These packs are released now: Dogs"))
        #expect(page(false, [], []).contains("No pack is selected."))
    }

    @Test func `the sizes of all parts are shown with their sum`() {
        let use = DiskUse(
            packs: 1_000_000, previousVersions: 2_000_000, trash: 0, archives: 3_000_000, pictures: 0, catalogues: 0,
            database: 0, other: 4_000_000, freeSpace: nil)
        let page = html(DiskUsePage(use, texts))
        for part in ["1 MB", "2 MB", "3 MB", "4 MB", "10 MB"] {
            #expect(page.contains("<bdi>\(part)</bdi>"), "\(page)")
        }
        #expect(!page.contains("being deleted") && !page.contains("Free space"), "\(page)")
    }

    @Test func `an update may fetch less than the archive, an installation may not`() {
        func step(_ action: OperationAction) -> ChangePlan.Step {
            ChangePlan.Step(
                id: "1", action: action, productIdentifier: "cups", store: "shop", kind: .sticker, name: "Cups",
                downloadSize: 6800)
        }
        func page(_ actions: OperationAction...) -> String {
            let plan = ChangePlan(steps: actions.map(step))
            return html(UpdatePlanPage(plan, of: nil, names: [:], back: "/library", languages: [], texts))
        }
        #expect(page(.update).contains("<dd><bdi>at most 6.8 kB</bdi></dd>"))
        #expect(page(.install).contains("<dd><bdi>6.8 kB</bdi></dd>") && !page(.install).contains("at most"))
        #expect(page(.install, .update).contains("<dd><bdi>at most 14 kB</bdi></dd>"))
    }
}
