import FoundationEssentials
import StoreModel
import Testing

@testable import storectl

@Suite struct PackRemovalTests {
    private func groups(_ identifiers: [String], _ dependencies: [String: [String]]) -> [[String]] {
        let packs = dependencies.map { identifier, needed in
            InstalledPack(
                productIdentifier: identifier, store: "s", kind: .plugin, name: identifier, version: nil, path: "/p",
                size: 1, installedAt: Date(timeIntervalSince1970: 0), held: false, dependencies: needed, state: [])
        }
        return PackRemoval(identifiers, among: packs).groups
    }

    @Test func `packs that need others are removed before these`() {
        #expect(groups([], [:]) == [])
        #expect(groups(["b", "a"], [:]) == [["b", "a"]])
        #expect(groups(["b", "a"], ["a": ["b"]]) == [["a"], ["b"]])
        #expect(
            groups(["c", "b", "a", "x"], ["a": ["b", "c"], "b": ["c", "other"]]) == [["a", "x"], ["b"], ["c"]])
    }

    @Test func `packs that need each other are removed one after another`() {
        #expect(groups(["a", "b"], ["a": ["b"], "b": ["a"]]) == [["a"], ["b"]])
        #expect(groups(["a", "b", "c"], ["a": ["b", "a"], "b": ["a"], "c": ["a"]]) == [["c"], ["a"], ["b"]])
        #expect(groups(["a"], ["a": ["a"]]) == [["a"]])
    }
}
