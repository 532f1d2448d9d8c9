import ArgumentParser
import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTerminal
@testable import storectl

@Suite struct PackColumnTests {
    private static func pack(
        _ identifier: String, version: String? = nil, size: Int = 1, installed: Double = 0, signed: Bool? = true
    ) -> InstalledPack {
        InstalledPack(
            productIdentifier: identifier, store: "s", signed: signed, kind: .sticker, name: identifier.uppercased(),
            version: version.map { Version($0) }, path: "/p/" + identifier, size: size,
            installedAt: Date(timeIntervalSince1970: installed), held: identifier == "a",
            state: [.downloaded, .updatable])
    }

    private static let packs = [
        pack("b", version: "1.10", size: 5, installed: 1), pack("a", version: "1.9", size: 9, installed: 2),
        pack("c", size: 5, installed: 3),
    ]

    @Test func `names of columns are separated by commas`() throws {
        #expect(try PackColumn.list("id,VERSION,path") == [.id, .version, .path])
        #expect(throws: ValidationError.self) { try PackColumn.list("id,,path") }
        #expect(throws: ValidationError.self) { try PackColumn.list("colour") }
        #expect(throws: ValidationError.self) { try PackColumn.list("id,path,ID") }
        #expect(PackColumn.standard.count == PackColumn.allCases.count - 1)
    }

    @Test(arguments: [
        (["list", "--sort", "sizee"], "the value 'sizee' is invalid for '--sort <column>': expected id, name, "),
        (
            ["list", "--columns", "sizee"],
            "the value 'sizee' is invalid for '--columns <columns>': expected id, name, "
        ),
        (
            ["list", "--columns", "id,sizee"],
            "the value 'id,sizee' is invalid for '--columns <columns>': no such column 'sizee'; expected id, name, "
        ),
    ])
    func `the error of an unknown column says it once`(words: [String], message: String) async throws {
        let error = await #expect(throws: (any Error).self) { _ = try await Storectl.asyncParseAsRoot(words) }
        let text = UsageMessage.text(Storectl.message(for: try #require(error)))
        #expect(text.hasPrefix(message), "\(text)")
    }

    @Test(
        arguments: [
            (PackColumn.id, ["a", "b", "c"]), (.name, ["a", "b", "c"]), (.version, ["c", "a", "b"]),
            (.size, ["a", "b", "c"]), (.installed, ["c", "a", "b"]), (.notes, ["b", "c", "a"]),
        ] as [(PackColumn, [String])])
    func `packs are sorted by a column, the largest and latest first`(column: PackColumn, order: [String]) {
        #expect(column.sorted(Self.packs).map(\.productIdentifier) == order)
    }

    @Test func `a column shows the text of a pack`() {
        let texts = PackColumn.allCases.filter { $0 != .installed }.map { $0.text(of: Self.packs[1]) }
        #expect(texts == ["a", "A", "sticker", "1.9", "9 B", "s", "Updatable, held", "/p/a"])
        #expect(PackColumn.version.text(of: Self.packs[2]) == "-")
        #expect(PackColumn.notes.text(of: Self.pack("b", signed: false)) == "Updatable, unsigned")
        #expect(PackColumn.notes.text(of: Self.pack("b", signed: nil)) == "Updatable, store removed")
    }

    @Test func `columns that were chosen exclude the JSON document`() async {
        await #expect(throws: (any Error).self) {
            _ = try await Storectl.asyncParseAsRoot(["list", "--columns", "id", "--json"])
        }
        let list = try? await Storectl.asyncParseAsRoot(["ls", "--columns", "id,size", "--sort", "size"]) as? List
        #expect(list?.columns == [.id, .size] && list?.sort == .size)
    }

    @Test func `an identifier and a version are separated by the last at sign`() {
        #expect(ProductVersions.split("cups@1.2.0")?.id == "cups")
        #expect(ProductVersions.split("cups@1.2.0")?.version == Version("1.2.0"))
        #expect(ProductVersions.split("a@b@2")?.id == "a@b")
        for text in ["cups", "cups@", "@1", "@"] { #expect(ProductVersions.split(text) == nil, "\(text)") }
    }

    @Test func `an update is described by what it needs and requests otherwise`() {
        var pack = Self.pack("a", version: "1.0")
        (pack.dependencies, pack.permissions) = (["x", "y"], [Permission(rawValue: "code")])
        var product = ProductItem(productIdentifier: "a", kind: .plugin, productName: "A", version: Version("2.0"))
        (product.dependencies, product.permissions) = (["z", "y"], pack.permissions)
        let changes = VersionChanges(from: pack, to: product)
        #expect(changes.versions == "1.0 → 2.0")
        #expect(changes.summary == "also requires z; no longer requires x")
        product.permissions.append(Permission(rawValue: "network"))
        #expect(
            VersionChanges(from: pack, to: product).summary?.hasPrefix("requests permission to use the network; ")
                == true)
        (pack.version, product.version) = (nil, nil)
        #expect(VersionChanges(from: pack, to: product).versions == nil)
    }
}
