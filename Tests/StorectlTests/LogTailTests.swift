import FoundationEssentials
import StoreSystem
import StoreTestSupport
import Testing

@testable import storectl

@Suite struct LogTailTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/log" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try folder.directory.put("log", text) }

    @Test(arguments: [0, 1, 2, 3, 9]) func `the last lines are returned in their order`(count: Int) throws {
        let lines = ["one", "two", "three"]
        for end in ["", "\n"] {
            try write(lines.joined(separator: "\n") + end)
            var log = try LogTail(path: path)
            // The last line may still be being written.
            #expect(try log.last(count) == Array((end.isEmpty ? lines.dropLast() : lines).suffix(count)))
        }
    }

    @Test func `empty lines are lines, and an incomplete line is returned when it is complete`() throws {
        try write("one\n\ntwo\nthr")
        var log = try LogTail(path: path)
        #expect(try log.last(3) == ["one", "", "two"])
        try folder.directory.openOrCreateFile("log").write(Array("ee\n\n".utf8), at: 12)
        #expect(try log.appended() == ["three", ""])
    }

    @Test func `lines are found across the pieces in which a long file is read`() throws {
        let lines = (0..<5000).map { "line \($0) " + String(repeating: "x", count: $0 % 97) }
        try write(lines.joined(separator: "\n") + "\n")
        var log = try LogTail(path: path)
        #expect(try log.last(4000) == Array(lines.suffix(4000)))
        #expect(try log.last(9999) == lines)
    }

    @Test func `appended lines are returned once each, when they are complete`() throws {
        try write("one\n")
        var log = try LogTail(path: path)
        #expect(try log.last(5) == ["one"])
        #expect(try log.appended() == [])
        let file = try folder.directory.openOrCreateFile("log")
        try file.write(Array("two\nthr".utf8), at: 4)
        #expect(try log.appended() == ["two"])
        try file.write(Array("ee\n".utf8), at: 11)
        #expect(try log.appended() == ["three"])
        #expect(try log.appended() == [])
        // As the next daemon does with a long log.
        try file.truncate(to: 0)
        try file.write(Array("new\n".utf8), at: 0)
        #expect(try log.appended() == ["new"])
    }

    @Test func `a truncated log that has grown past its old size is read from its beginning`() throws {
        try write("old\n")
        var log = try LogTail(path: path)
        #expect(try log.last(5) == ["old"])
        let file = try folder.directory.openOrCreateFile("log")
        try file.truncate(to: 0)
        try file.write(Array("one\ntwo\n".utf8), at: 0)
        #expect(try log.appended() == ["one", "two"])
        #expect(try log.appended() == [])
    }

    @Test func `long additions are returned in parts, without loss`() throws {
        let lines = (0..<40_000).map { "line \($0) " + String(repeating: "x", count: 40) }
        try write(lines.joined(separator: "\n") + "\n")
        var log = try LogTail(path: path)
        var parts: [[String]] = []
        while case let part = try log.appended(), !part.isEmpty { parts.append(part) }
        #expect(parts.count > 1 && parts.flatMap { $0 } == lines)
    }
}
