import StoreModel
import Testing

@testable import storectl

/// Tests how a plan is shown.
@Suite struct PlanTextTests {
    private func step(
        _ identifier: String, _ action: OperationAction = .install, from installed: String? = nil, to version: String?,
        for product: String? = nil, download: Int? = nil, disk: Int? = nil, permissions: [Permission] = []
    ) -> ChangePlan.Step {
        ChangePlan.Step(
            id: identifier, action: action, productIdentifier: identifier, store: "shop", kind: .plugin,
            name: identifier,
            installed: installed.map { Version($0) }, version: version.map { Version($0) }, requiredBy: product,
            downloadSize: download, diskSize: disk, permissions: permissions)
    }

    /// Returns the lines of a plan with single spaces.
    private func lines(_ plan: ChangePlan, consent: Set<Permission> = [], isWhole: Bool = false) -> [String] {
        PlanText(plan: plan, consent: consent).lines(width: nil, isWhole: isWhole)
            .map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test func `an update shows both versions, sizes, and what comes with it`() {
        let plan = ChangePlan(
            steps: [
                step("base", to: "1.0.0", for: "app", download: 453_000, disk: 1_000_000),
                step("app", .update, from: "1.0.0", to: "1.2.0", download: 2_000_000, disk: 2_000_000),
            ], freeSpace: 12_000_000_000)
        #expect(
            lines(plan) == [
                "ID VERSION DOWNLOAD NOTES", "base 1.0.0 453 kB required by app", "app 1.0.0 → 1.2.0 ≤ 2.0 MB",
                "To download: at most 2.5 MB, size on disk: 3.0 MB, free: 12 GB.",
            ])
    }

    @Test func `a plan says what it leaves out`() {
        let step = step("a", to: "1", download: 60, disk: 50)
        let report = ErrorReport(StoreError(.noSuchProduct, ["product": "b", "stores": .list(["'shop'"])]))
        let plan = ChangePlan(steps: [step], failures: [.init(productIdentifier: "b", error: report)])
        #expect(PlanText(plan: plan).failures == ["'b' is left out: \(report.message)"])
    }

    @Test func `a plan fails where every named product fails`() {
        let report = ErrorReport(StoreError(.noSuchProduct, ["product": "b", "stores": .list(["'shop'"])]))
        let plan = ChangePlan(
            steps: [step("base", to: "1", for: "a")],
            failures: ["a", "b"].map { .init(productIdentifier: $0, error: report) })
        #expect(PlanOptions.fails(plan, for: ["a", "b"]) && PlanOptions.fails(plan, for: ["b"]))
        #expect(!PlanOptions.fails(plan, for: ["a", "c"]) && !PlanOptions.fails(plan, for: []))
    }

    @Test func `what is unknown is left out of the sums`() {
        let plan = ChangePlan(steps: [step("a", to: nil), step("b", .repair, to: "1", download: 5)])
        #expect(lines(plan) == ["ID VERSION DOWNLOAD NOTES", "a - -", "b 1 ≤ 5 B repair"])
        // A store may state any size.
        let huge = ChangePlan(steps: [step("a", to: "1", download: .max), step("b", to: "1", download: .max)])
        #expect(huge.downloadSize == nil)
    }

    @Test func `a removal shows what it frees, and what is unneeded then`() {
        let plan = ChangePlan(
            steps: [step("app", .uninstall, from: "1.0.0", to: nil, disk: 1000)], unneeded: ["base"])
        #expect(lines(plan) == ["ID VERSION SIZE NOTES", "app 1.0.0 1.0 kB", "Frees 1.0 kB."])
        #expect(
            lines(plan, isWhole: true).last
                == "No longer needed then: 'base'. Remove with 'storectl autoremove'.")
    }

    @Test func `what is kept back is listed with the reason`() {
        let update = AvailableUpdate(
            productIdentifier: "cats", store: "shop", installed: Version("1"), available: Version("2"), heldBack: "held"
        )
        #expect(
            lines(ChangePlan(steps: [], keptBack: [update])) == [
                "Kept back:", "ID VERSION REASON", "cats 1 → 2 held",
            ])
        #expect(lines(ChangePlan(steps: [])).isEmpty)
    }

    @Test func `what an update changes is shown in the user's language, and shortened before the update`() {
        var update = step("app", .update, from: "1.0.0", to: "1.2.0")
        let long = (1...12).map { "line \($0)" }.joined(separator: "\n")
        update.changes = LocalizedText(byLanguage: ["en": long, "de": "Neu: eine Tasse"])
        let plan = ChangePlan(steps: [update])
        let german = PlanText(plan: plan, languages: ["de"]).lines(width: nil)
        #expect(german.suffix(2) == ["Changes in app 1.2.0:", "  Neu: eine Tasse"])
        let english = PlanText(plan: plan, languages: ["en"])
        #expect(english.lines(width: nil).suffix(2) == ["  line 10", "  …"])
        #expect(english.lines(width: nil, isWhole: true).last == "  line 12")
    }

    @Test func `a plan that is confirmed shows all permissions, another one those that are not asked about later`() {
        let network = Permission(rawValue: "network")
        let plan = ChangePlan(steps: [
            step("base", to: "1", for: "weather"), step("weather", to: "1", permissions: [.code, network]),
        ])
        let sentence = "'weather' requests permission to "
        func permissions(_ consent: Set<Permission>, isWhole: Bool = false, isConfirmed: Bool = false) -> [String] {
            PlanText(plan: plan, consent: consent).lines(width: nil, isWhole: isWhole, isConfirmed: isConfirmed)
                .filter { $0.contains("requests permission") }
        }
        let all = [sentence + [Permission.code, network].sorted().map(\.meaning).joined(separator: ", ") + "."]
        #expect(permissions([], isConfirmed: true) == all && permissions([.code], isConfirmed: true) == all)
        #expect(permissions([], isWhole: true) == all)
        #expect(permissions([]).isEmpty)
        #expect(permissions([network]) == [sentence + "use the network."])
    }

    @Test func `identifiers are complete on a narrow terminal`() {
        let identifier = "org.example.a-very-long-identifier"
        let plan = ChangePlan(steps: [step(identifier, to: "1.0.0", for: "org.example.app", download: 5)])
        let table = PlanText(plan: plan).lines(width: 40).prefix(2)
        #expect(table.last?.hasPrefix(identifier) == true && table.allSatisfy { $0.count <= 40 })
        let noted = ChangePlan(steps: [step("org.example.cups", to: "1.0.0", for: "org.example.app", download: 5)])
        #expect(
            PlanText(plan: noted).lines(width: 40).prefix(4) == [
                "ID                VERSION  DOWNLOAD", "org.example.cups  1.0.0         5 B",
                "'org.example.cups' is required by", "'org.example.app'.",
            ])
    }
}
