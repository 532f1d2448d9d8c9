import StoreSystem
import StoreTestSupport
import Testing

/// Tests that the depth of a tree is limited neither by the number of open files nor by the stack.
@Suite struct DeepTreeTests {
    /// More levels than a thread's stack has room for calls.
    private static let depth = 10_000

    private let folder: TemporaryFolder
    private var root: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a tree of any depth is removed`() throws {
        try root.createDirectory("a").putChain(Self.depth)
        try root.put("b", "2")
        try root.removeTree("a")
        #expect(try root.tree() == ["b": "2"])
    }

    @Test func `the content of a directory is removed, however deep it is`() throws {
        try root.putChain(Self.depth)
        try root.putChain(3, named: "e")
        try root.put("b", "2")
        try root.removeContents()
        #expect(try root.entries().isEmpty)
    }

    @Test func `branches at any depth are removed, and nothing else`() throws {
        try root.putChain(100, named: "kept")
        var deep = try root.createDirectory("a")
        for level in 0..<200 {
            try deep.put("file-\(level)", "x")
            try deep.createDirectory("empty").putChain(level % 7 == 0 ? 100 : 1)
            deep = try deep.createDirectory("d")
        }
        try root.putLink("link", to: "kept")
        try root.openDirectory("a").putLink("link", to: "../kept")
        try root.removeTree("a")
        #expect(try root.names() == ["kept", "link"])
        var last = root
        for _ in 0..<100 { last = try last.openDirectory("kept") }
        #expect(try last.names() == ["kept.txt"])
    }

    @Test func `a stopped removal ends, and another one completes it`() throws {
        try root.putChain(1000)
        try root.removeContents { true }
        #expect(try root.names() == ["d"])
        try root.removeContents()
        #expect(try root.entries().isEmpty)
    }

    @Test func `a walk visits every entry once`() throws {
        try root.putChain(1500)
        try root.put("a/b/c", "1")
        try root.put("left/out", "1")
        var visited: [String] = []
        try root.walk { entry, path, directory in
            visited.append(path)
            #expect(path.hasSuffix(entry.name) && directory.path(of: entry.name) == root.path(of: path))
            return path != "left"
        }
        #expect(visited.count == 1500 + 1 + 3 + 1)
        #expect(Set(visited).count == visited.count)
        #expect(visited.contains("a/b/c") && visited.contains("left") && !visited.contains("left/out"))
    }

    @Test func `interrupted replacements are removed at any depth`() throws {
        try root.createDirectory("a").putChain(1500)
        try root.put("a/d/d/d/x.new", "1")
        try root.removeReplacements()
        #expect(try !root.has("a/d/d/d/x.new"))
    }
}
