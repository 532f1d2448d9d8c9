import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// File trees in memory, and the bytes that stand for them.
@Suite struct FileTreeTests {
    private struct Tree: Equatable {
        var directories: [String] = []
        var files: [String: [UInt8]] = [:]

        init(_ tree: FileTree) {
            directories = tree.directories
            files = Dictionary(uniqueKeysWithValues: tree.files.map { ($0.path, Array($0.bytes)) })
        }

        init(_ random: inout SeededGenerator) {
            for number in 0..<Int.random(in: 0...5, using: &random) {
                let name = ["", "ä", "日本", "a/b"].randomElement(using: &random)! + String(number)
                if Bool.random(using: &random) {
                    directories.append(name)
                } else {
                    let count = Int.random(in: 0...300, using: &random)
                    files[name] = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                }
            }
        }

        var bytes: [UInt8] {
            var encoder = FileTree.Encoder(entries: directories.count + files.count, size: 0)
            for directory in directories { encoder.addDirectory(directory) }
            for (path, content) in files {
                encoder.addFile(path, size: content.count)
                content.prefix(content.count / 2).withUnsafeBytes { encoder.append($0) }
                content.dropFirst(content.count / 2).withUnsafeBytes { encoder.append($0) }
            }
            return encoder.bytes
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `trees are the same after they were written and read`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let trees = (0..<Int.random(in: 0...4, using: &random)).map { _ in Tree(&random) }
        let file = try OpenFile.inMemory()
        try trees.flatMap(\.bytes).withUnsafeBytes { try file.write($0) }
        #expect(try SharedFileTrees(file, limit: 1 << 20).trees.map { Tree($0) } == trees)
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `damaged bytes are read without a crash`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Tree(&random).bytes
        for _ in 0..<200 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let read = try? FileTree.decode(bytes, atMost: .max, entries: .max) else { continue }
            // Nothing was read twice, and nothing was left out.
            let entries =
                read.flatMap(\.directories).map { ($0 + "/", 0) }
                + read.flatMap(\.files).map { ($0.path, $0.bytes.count) }
            #expect(entries.reduce(4 * read.count) { $0 + 8 + $1.0.utf8.count + $1.1 } == bytes.count)
        }
    }

    @Test func `no more trees and entries are read than are allowed`() throws {
        // Zeros are as many trees without entries, and entries without a path are the smallest ones.
        let trees = [UInt8](repeating: 0, count: 40)
        #expect(try FileTree.decode(trees, atMost: 10, entries: 0).count == 10)
        #expect(throws: FileTree.Malformed.self) { try FileTree.decode(trees, atMost: 9, entries: 0) }
        let entries = [10, 0, 0, 0] + [UInt8](repeating: 0, count: 80)
        #expect(try FileTree.decode(entries, atMost: 1, entries: 10).first?.files.count == 10)
        #expect(throws: FileTree.Malformed.self) { try FileTree.decode(entries, atMost: 1, entries: 9) }
    }

    @Test func `a file of more bytes than the limit is not read`() throws {
        let file = try OpenFile.inMemory()
        try [0, 0, 0, 0].withUnsafeBytes { try file.write(UnsafeRawBufferPointer(rebasing: $0.prefix(4))) }
        #expect(try SharedFileTrees(file, limit: 4).trees.count == 1)
        #expect(throws: StoreError.self) { try SharedFileTrees(file, limit: 3) }
    }
}
