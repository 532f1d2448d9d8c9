import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreDownloads

@Suite struct ArchiveCacheTests {
    private let home: TemporaryFolder
    private let (partial, folder): (Directory, Directory)

    init() throws {
        home = try TemporaryFolder()
        partial = try home.directory.createDirectory("partial")
        folder = try home.directory.createDirectory("archives")
    }

    private func bytes(_ seed: Int, _ count: Int = 1000) -> [UInt8] { OriginBytes.random(count, seed: UInt64(seed)) }

    /// Inserts an archive into the cache, and returns its hash.
    @discardableResult
    private func insert(_ bytes: [UInt8], in archives: ArchiveCache) async throws -> SHA256Digest {
        let digest = SHA256Digest(of: bytes)
        let name = digest.hex + ".part"
        try partial.put(name, Data(bytes))
        await archives.insert(name, in: partial, as: digest, size: bytes.count)
        return digest
    }

    private func size() throws -> Int {
        try folder.names().reduce(0) { $0 + (try folder.status(of: $1)?.size ?? 0) }
    }

    @Test func `an inserted archive is moved into the cache and found by its hash`() async throws {
        let archives = ArchiveCache(folder, limit: 10_000)
        let digest = try await insert(bytes(1), in: archives)
        #expect(try partial.names().isEmpty)
        let kept = try #require(try await archives.open(digest, size: 1000))
        #expect(kept.size == 1000)
        #expect(try kept.file.read(count: 2000, at: 0) == bytes(1))
        // A cache that is opened later finds it as well.
        #expect(try await ArchiveCache(folder, limit: 10_000).open(digest, size: nil) != nil)
        #expect(try await archives.open(SHA256Digest(of: bytes(2)), size: nil) == nil)
    }

    @Test func `inserting an archive that was taken from the cache evicts nothing`() async throws {
        let archives = ArchiveCache(folder, limit: 1500)
        let digest = try await insert(bytes(1), in: archives)
        // Its bytes are not in the directory of partial files, where those of a fetched archive are.
        await archives.insert("operation.part", in: partial, as: digest, size: 1000)
        #expect(try await archives.open(digest, size: 1000) != nil)
    }

    @Test(arguments: ["other bytes", "shorter", "longer", "folder", "link"])
    func `a cached file with other content than its name states is not used`(substitute: String) async throws {
        let archives = ArchiveCache(folder, limit: 10_000)
        let digest = SHA256Digest(of: bytes(1))
        try await insert(bytes(3), in: archives)
        switch substitute {
        case "other bytes": try folder.put(digest.hex, Data(bytes(2)))
        case "shorter": try folder.put(digest.hex, Data(bytes(1).dropLast()))
        case "longer": try folder.put(digest.hex, Data(bytes(1) + [0]))
        case "folder": try folder.makeDirectory(digest.hex)
        default: try folder.putLink(digest.hex, to: "/dev/zero")
        }
        for size in [1000, nil] { #expect(try await archives.open(digest, size: size) == nil) }
        // The file is deleted, and not read a second time.
        if substitute != "link" { #expect(try !folder.has(digest.hex)) }
        #expect(try await insert(bytes(1), in: archives) == digest)
    }

    @Test func `the least recently used archive is evicted first`() async throws {
        for (place, seed) in [1, 2, 3].enumerated() {
            let name = SHA256Digest(of: bytes(seed)).hex
            try folder.put(name, Data(bytes(seed)))
            try folder.openFile(name).setModified(Date(timeIntervalSince1970: 1000 + Double(place)))
        }
        let archives = ArchiveCache(folder, limit: 3500)
        #expect(try await archives.open(SHA256Digest(of: bytes(1)), size: nil) != nil)
        try await insert(bytes(4), in: archives)
        #expect(try await archives.open(SHA256Digest(of: bytes(2)), size: nil) == nil)
        for seed in [1, 3, 4] { #expect(try folder.has(SHA256Digest(of: bytes(seed)).hex), "\(seed)") }
        await archives.setLimit(1500)
        #expect(try folder.names() == [SHA256Digest(of: bytes(4)).hex])
        await archives.free(1)
        #expect(try folder.names().isEmpty)
    }

    @Test(arguments: 0..<10)
    func `archives are evicted in the order of their last use`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var entries = ArchiveCacheEntries()
        // The names, the least recently used first, and the sizes.
        var (order, sizes): ([String], [String: Int]) = ([], [:])
        for step in 0..<2000 {
            let (name, time) = ("\(Int.random(in: 0..<50, using: &random))", Date(timeIntervalSince1970: Double(step)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                order.removeAll { $0 == name }
                order.append(name)
                sizes[name] = Int.random(in: 1...100, using: &random)
                entries.insert(name, size: sizes[name] ?? 0, usedAt: time)
            case 1 where sizes[name] != nil:
                order.removeAll { $0 == name }
                order.append(name)
                entries.use(name, at: time)
            case 1: entries.use(name, at: time)
            case 2:
                order.removeAll { $0 == name }
                sizes[name] = nil
                entries.remove(name)
            default:
                let evicted = entries.leastRecentlyUsed()
                #expect(evicted == order.first)
                guard let evicted else { continue }
                order.removeFirst()
                sizes[evicted] = nil
                entries.remove(evicted)
            }
            #expect(entries.count == order.count)
            #expect(entries.size == sizes.values.reduce(0, +))
        }
    }

    @Test func `concurrent insertions stay within the size limit`() async throws {
        let archives = ArchiveCache(folder, limit: 10_500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<100 { group.addTask { try await insert(bytes(seed), in: archives) } }
            while try await group.next() != nil { #expect(try size() <= 10_500) }
        }
        #expect(try size() == 10_000)
    }

    @Test func `the cache directory may be emptied at any time`() async throws {
        let archives = ArchiveCache(folder, limit: 2500)
        let digest = try await insert(bytes(1), in: archives)
        try folder.removeTree(digest.hex)
        #expect(try await archives.open(digest, size: nil) == nil)
        for seed in 2..<6 { try await insert(bytes(seed), in: archives) }
        #expect(try size() == 2000)
    }

    @Test func `an archive larger than the limit is not cached`() async throws {
        let none = ArchiveCache(folder, limit: 0)
        try await insert(bytes(1), in: none)
        let small = ArchiveCache(folder, limit: 999)
        try await insert(bytes(1), in: small)
        #expect(try folder.names().isEmpty)
        // Files that the cache did not create are left alone.
        try folder.put("notes", "mine")
        await small.setLimit(0)
        #expect(try folder.names() == ["notes"])
    }
}
