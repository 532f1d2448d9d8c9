import Foundation
import StoreTestSupport
import Testing

/// Tests the models of file systems, with recordings that are written by hand.
@Suite struct PowerCutModelTests {
    /// Returns the contents that a file may have after a power cut at the end of the recording; `nil` if it is missing.
    private func contents(
        of path: String, _ rules: PowerCutRules, from tree: FolderTree = FolderTree(), _ calls: [RecordedCall]
    ) -> Set<Data?> {
        var random = SeededGenerator(seed: 1)
        let model = PowerCutModel(from: tree, calls)
        var found: Set<Data?> = []
        for _ in 0..<20 {
            for state in model.states([rules], &random) where state.cut.end == calls.count {
                found.insert(model.tree(after: state.cut).files[path])
            }
        }
        return found
    }

    private func tree(_ files: [String: String]) -> FolderTree {
        var tree = FolderTree()
        for path in files.keys where path.contains("/") {
            tree.entries[String(path.split(separator: "/")[0])] = .folder
        }
        for (path, text) in files { tree.entries[path] = .file(Data(text.utf8)) }
        return tree
    }

    private let old = Data("old".utf8), new = Data("new".utf8)
    private let journals = [PowerCutRules.ext4, .xfs]

    @Test func `a synced file that got its name before is there everywhere`() {
        let calls = [RecordedCall(.made, "a"), .write("a", new), RecordedCall(.synced, "a"), RecordedCall(.synced, "")]
        for rules in PowerCutRules.all { #expect(contents(of: "a", rules, calls) == [new], "\(rules.name)") }
    }

    @Test func `nothing that was not synced has to be there`() {
        let calls = [RecordedCall(.made, "a"), .write("a", new)]
        for rules in PowerCutRules.all {
            #expect(contents(of: "a", rules, calls).isSuperset(of: [nil, new, Data()]), "\(rules.name)")
        }
    }

    @Test func `a sync of one file makes earlier names durable in a journal, and not in btrfs or POSIX`() {
        let calls = [
            RecordedCall(.renamed, "a", "b"), RecordedCall(.made, "c"), .write("c", new), RecordedCall(.synced, "c"),
        ]
        let tree = tree(["a": "old"])
        for rules in journals { #expect(contents(of: "b", rules, from: tree, calls) == [old], "\(rules.name)") }
        for rules in [PowerCutRules.btrfs, .posix] {
            #expect(contents(of: "b", rules, from: tree, calls) == [nil, old], "\(rules.name)")
        }
    }

    @Test func `a sync of a file that did not change since makes no name durable`() {
        let calls = [RecordedCall(.renamed, "a", "b"), RecordedCall(.synced, "c")]
        for rules in PowerCutRules.all {
            #expect(
                contents(of: "b", rules, from: tree(["a": "old", "c": "c"]), calls) == [nil, old], "\(rules.name)")
        }
    }

    @Test func `a sync of a renamed file makes its new name durable, and in POSIX a sync of the directory does`() {
        let tree = tree(["from/a": "old", "to/x": ""])
        let rename = RecordedCall(.renamed, "from/a", "to/a")
        for rules in journals + [.btrfs] {
            let calls = [rename, RecordedCall(.synced, "to/a")]
            #expect(contents(of: "to/a", rules, from: tree, calls) == [old], "\(rules.name)")
        }
        #expect(
            contents(of: "to/a", .posix, from: tree, [rename, RecordedCall(.synced, "to/a")]) == [nil, old])
        for rules in PowerCutRules.all {
            let calls = [rename, RecordedCall(.synced, "to")]
            #expect(contents(of: "to/a", rules, from: tree, calls) == [old], "\(rules.name)")
        }
    }

    @Test func `a rename between directories is one step`() {
        let tree = tree(["from/a": "old", "to/x": ""])
        let rename = RecordedCall(.renamed, "from/a", "to/a")
        for (rules, synced) in PowerCutRules.all.flatMap({ rules in ["from", "to", "from/b"].map { (rules, $0) } }) {
            let calls = [rename, RecordedCall(.made, "from/b"), RecordedCall(.synced, synced)]
            var random = SeededGenerator(seed: 1)
            let model = PowerCutModel(from: tree, calls)
            let states = model.states([rules], &random)
            #expect(!states.isEmpty, "\(rules.name), \(synced)")
            for state in states {
                let files = model.tree(after: state.cut).files
                #expect((files["from/a"] == nil) != (files["to/a"] == nil), "\(rules.name), \(synced): \(files)")
            }
        }
    }

    @Test func `a sync of a file in new directories makes their names durable`() {
        let calls = [
            RecordedCall(.madeFolder, "x"), RecordedCall(.madeFolder, "x/y"), RecordedCall(.made, "x/y/a"),
            .write("x/y/a", new), RecordedCall(.synced, "x/y/a"),
        ]
        for rules in journals + [.btrfs] { #expect(contents(of: "x/y/a", rules, calls) == [new], "\(rules.name)") }
        #expect(contents(of: "x/y/a", .posix, calls).contains(nil))
    }

    @Test func `a replaced file may be empty afterwards, except in ext4`() {
        let calls = [RecordedCall(.made, "b"), .write("b", new), RecordedCall(.renamed, "b", "a")]
        let tree = tree(["a": "old"])
        #expect(contents(of: "a", .ext4, from: tree, calls) == [old, new])
        for rules in [PowerCutRules.xfs, .btrfs, .posix] {
            #expect(contents(of: "a", rules, from: tree, calls).isSuperset(of: [old, new, Data()]), "\(rules.name)")
        }
    }

    @Test func `of a new file's length without its bytes, XFS knows nothing`() {
        let calls = [RecordedCall(.made, "a"), .write("a", new)]
        let zeros = Data(count: new.count)
        #expect(!contents(of: "a", .xfs, calls).contains(zeros))
        for rules in [PowerCutRules.ext4, .btrfs, .posix] {
            #expect(contents(of: "a", rules, calls).contains(zeros), "\(rules.name)")
        }
    }

    @Test func `pages of a file reach the disk in any order, each completely`() {
        let size = 4096
        let bytes = Data(repeating: 1, count: size) + Data(repeating: 2, count: size) + Data(repeating: 3, count: 10)
        let calls = [RecordedCall(.made, "a"), .write("a", bytes)]
        for rules in journals + [.btrfs] {
            let found = contents(of: "a", rules, calls).compactMap(\.self)
            #expect(
                found.contains(Data(count: size) + Data(repeating: 2, count: size)),
                "\(rules.name): only the second page")
            for content in found {
                for (page, value) in [UInt8(1), 2, 3].enumerated() where page * size < content.count {
                    let part = content.dropFirst(page * size).prefix(size)
                    #expect(Set(part).isSubset(of: [0, value]) && Set(part).count == 1, "\(rules.name)")
                }
            }
        }
    }

    @Test func `bytes that fdatasync covered are there, but not a name`() {
        let calls = [RecordedCall(.made, "a"), .write("a", new), RecordedCall(.synced, "a", first: 1)]
        for rules in PowerCutRules.all { #expect(contents(of: "a", rules, calls) == [nil, new], "\(rules.name)") }
    }
}

extension RecordedCall {
    fileprivate init(_ kind: Kind, _ path: String, _ other: String = "", first: Int = 0, data: Data = Data()) {
        self.init(kind: kind, path: path, other: other, first: first, second: 0, data: data)
    }

    fileprivate static func write(_ path: String, _ data: Data) -> RecordedCall {
        RecordedCall(.wrote, path, data: data)
    }
}
