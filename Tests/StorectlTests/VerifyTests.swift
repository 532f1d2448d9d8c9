import StoreAPI
import StoreModel
import Testing

@testable import storectl

@Suite struct VerifyTests {
    private func row(_ damages: PackDamage.Kind...) -> Verify.Row {
        Verify.Row(
            VerificationDocument(
                productIdentifier: "cats",
                damages: damages.enumerated().map { PackDamage(path: "\($0).png", damage: $1) }))
    }

    private func failed(_ row: Verify.Row, _ code: ErrorCode) -> Verify.Row {
        var row = row
        row.error = ErrorReport(code: code, message: "failed")
        return row
    }

    private func exitCode(_ rows: Verify.Row...) -> StoreModel.ExitCode {
        commonExitCode(of: Verify.relevantErrors(rows))
    }

    @Test func `the exit code is that of the damaged packs`() {
        #expect(exitCode() == .done && exitCode(row()) == .done && exitCode(Verify.Row(unmanaged: "mine")) == .done)
        #expect(exitCode(row(.changed)) == .refused && exitCode(row(), row(.changed)) == .refused)
        // Of a repair.
        let unreachable = failed(row(.changed), .transferUnreachable)
        #expect(exitCode(unreachable) == .network && exitCode(row(), unreachable) == .network)
        var repaired = row(.changed)
        repaired.error = nil
        #expect(exitCode(repaired, row()) == .done && exitCode(repaired, unreachable) == .partial)
        // A pack that could not be checked.
        let unknown = Verify.Row("nope", ErrorReport(code: .packMissing, message: "none"))
        #expect(exitCode(unknown) == .notFound && exitCode(unknown, row()) == .partial)
    }

    @Test func `damage is described by its types`() {
        func text(_ damages: PackDamage.Kind...) -> String {
            Verify.Row.text(of: damages.map { PackDamage(path: "a", damage: $0) })
        }
        #expect(text(.added) == "1 added file")
        #expect(text(.added, .missing, .added) == "1 missing file and 2 added files")
        #expect(
            text(.permissions, .changed, .permissions, .missing)
                == "1 missing file, 1 changed file and 2 files with wrong permissions")
    }

    @Test func `the hint of a failed download names the store`() {
        let error = ErrorReport(
            code: .transferHTTPStatus, message: "gone", hint: "check the URL, or report it to the store's publisher")
        #expect(
            error.naming(store: "shop").hint == "check the URL, or report it to the publisher of the store 'shop'")
        #expect(error.naming(store: nil) == error)
    }

    @Test(arguments: [
        ("a.png", true), ("a.PNG", true), ("a", true), ("b.jpg/a", true), (".hidden", true), ("a.jpg", false),
        ("a.png.gif", false), ("a.", false),
    ])
    func `a contact sheet may have the extension of a PNG file, or none`(path: String, isAllowed: Bool) {
        #expect(Stickers.Show.mayBePNG(path) == isAllowed)
    }
}
