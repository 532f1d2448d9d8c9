import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Directories in memory, and the bytes that stand for them.
@Suite struct MemoryDirectoryTests {
    private struct Tree: Equatable {
        var directories: [String] = []
        var files: [String: [UInt8]] = [:]

        init(_ directory: MemoryDirectory) {
            directories = directory.directories
            files = Dictionary(uniqueKeysWithValues: directory.files.map { ($0.path, Array($0.bytes)) })
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
            var encoding = MemoryDirectory.Encoding(entries: directories.count + files.count, size: 0)
            for directory in directories { encoding.addDirectory(directory) }
            for (path, content) in files {
                encoding.addFile(path, size: content.count)
                content.prefix(content.count / 2).withUnsafeBytes { encoding.append($0) }
                content.dropFirst(content.count / 2).withUnsafeBytes { encoding.append($0) }
            }
            return encoding.bytes
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `directories are the same after they were written and read`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let trees = (0..<Int.random(in: 0...4, using: &random)).map { _ in Tree(&random) }
        let file = try OpenFile.inMemory()
        try trees.flatMap(\.bytes).withUnsafeBytes { try file.write($0) }
        #expect(try MemoryDirectories(file, limit: 1 << 20).directories.map { Tree($0) } == trees)
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `damaged bytes are read without a crash`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Tree(&random).bytes
        for _ in 0..<200 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let read = try? MemoryDirectory.decode(bytes) else { continue }
            #expect(read.flatMap(\.files).reduce(0) { $0 + $1.bytes.count } <= bytes.count)
        }
    }

    @Test func `a file of more bytes than the limit is not read`() throws {
        let file = try OpenFile.inMemory()
        try [0, 0, 0, 0].withUnsafeBytes { try file.write(UnsafeRawBufferPointer(rebasing: $0.prefix(4))) }
        #expect(try MemoryDirectories(file, limit: 4).directories.count == 1)
        #expect(throws: StoreError.self) { try MemoryDirectories(file, limit: 3) }
    }
}
