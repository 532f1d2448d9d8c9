import Foundation
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDownloads

/// Downloads whose archives are unpacked together.
@Suite(.hangGuard) struct UnpackQueueTests {
    /// An unpacker that waits before each call until it is let through, and records which archives come together.
    private final class GatedUnpacker: Unpacking {
        /// The content of the files of each call, in order.
        let calls = Mutex<[[String]]>([])
        private let isOpen = Atomic(false)
        /// What a process does that one of several archives has taken over: it returns the files of all, or `nil` to unpack
        /// them; it may throw.
        let takenOver: @Sendable ([OpenFile], CancellationFlag) throws -> OpenFile?

        init(takenOver: @escaping @Sendable ([OpenFile], CancellationFlag) throws -> OpenFile? = { _, _ in nil }) {
            self.takenOver = takenOver
        }

        var sharesProcesses: Bool { true }

        func open() { isOpen.store(true, ordering: .relaxed) }

        private func wait(_ archives: [OpenFile], _ cancellation: CancellationFlag) throws {
            calls.withLock { $0.append(archives.map { Self.content(of: $0) }) }
            while !isOpen.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: 0.001)
                try cancellation.check()
            }
        }

        func unpack(
            _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
        ) throws -> UnpackReport {
            try wait([archive], cancellation)
            return try Unpacker().unpack(archive, into: directory, limits: limits)
        }

        func unpackInMemory(
            _ archives: [OpenFile], limits: ArchiveLimits, cancellation: CancellationFlag
        ) throws -> UnpackedPacks {
            try wait(archives, cancellation)
            if let file = try takenOver(archives, cancellation) {
                return try UnpackedPacks(file, count: archives.count, limits: limits)
            }
            return try Unpacker().unpackInMemory(archives, limits: limits, cancellation: cancellation)
        }

        func unpack(
            _ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?, cancellation: CancellationFlag
        ) throws {
            throw CancellationError()
        }

        /// The content of the only file of an archive, which is stored in it after its header and its name.
        static func content(of archive: OpenFile) -> String {
            let size = (try? archive.read(count: 1, at: 18).first).map(Int.init) ?? 0
            return String(decoding: (try? archive.read(count: size, at: 31)) ?? [], as: UTF8.self)
        }
    }

    /// The number of archives that are unpacked at once.
    private let slots = max(2, ParallelWork.processors)

    private static func request(
        _ name: String, on home: DownloadsHome, kind: String = "thing", isStated: Bool = true, content: String? = nil
    ) throws -> DownloadRequest {
        let content = Array((content ?? name).utf8)
        let file = Receipt.File(path: "1", size: name.utf8.count, sha256: SHA256Digest(of: name.utf8))
        return try home.request(
            name, kind: kind, content: content, stated: isStated ? SHA256Digest(ofFiles: [file]) : nil)
    }

    /// Begins downloads while all slots are taken by others, and returns when they wait.
    ///
    /// A batch has only an equal share of the downloads that wait. So packs of another kind wait behind `requests`, enough for
    /// one batch with all of these.
    private func begin(_ requests: [DownloadRequest], on home: DownloadsHome) async throws {
        let fillers = try (0..<requests.count * (slots - 1)).map {
            try Self.request("filler\($0)", on: home, kind: "filler")
        }
        await home.manager.apply(DownloadSettings(maximumAtOnce: slots + requests.count + fillers.count))
        let first = try (0..<slots).map { [try Self.request("first\($0)", on: home, isStated: false)] }
        _ = await home.manager.start(first)
        let steps = await home.manager.environment.steps
        for group in first {
            let task = try #require(await home.manager.entries[group[0].product.productIdentifier]?.task)
            try await eventually { task.status.activity == .unpacking && !steps.unpackQueue.isWaiting(task.number) }
        }
        for request in requests + fillers {
            _ = await home.manager.start([[request]])
            let task = try #require(await home.manager.entries[request.product.productIdentifier]?.task)
            try await eventually { steps.unpackQueue.isWaiting(task.number) }
        }
    }

    /// Waits until all downloads have ended, and returns the code of the error of each that failed.
    private func end(on home: DownloadsHome) async throws -> [String: String] {
        while await home.manager.all().contains(where: { !$0.state.isEnd }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        let failed = await home.manager.all().filter { $0.state == .failed }
        return Dictionary(uniqueKeysWithValues: failed.map { ($0.productIdentifier, $0.error?.code.rawValue ?? "") })
    }

    /// Returns the archives that were unpacked together, without those that only fill the slots or the queue.
    private func calls(of unpacker: GatedUnpacker) -> [[String]] {
        unpacker.calls.withLock { $0 }.filter { call in
            !call.contains { $0.hasPrefix("first") || $0.hasPrefix("filler") }
        }
    }

    private func installed(on home: DownloadsHome) throws -> [String: String] {
        let packs = try home.folder.directory.openDirectory("data/packs")
        return Dictionary(
            uniqueKeysWithValues: try packs.entries().map { entry in
                let content = try packs.openDirectory(entry.name).read("1", limit: 100)
                return (entry.name, String(decoding: content, as: UTF8.self))
            })
    }

    @Test func `packs that wait are unpacked together, as many as may be`() async throws {
        let unpacker = GatedUnpacker()
        let home = try await DownloadsHome(unpacking: unpacker)
        let names = (0..<UnpackGroup.packLimit + 3).map { String(format: "p%02d", $0) }
        try await begin(names.map { try Self.request($0, on: home) }, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        let together = calls(of: unpacker)
        #expect(together.contains(Array(names.prefix(UnpackGroup.packLimit))), "\(together)")
        #expect(together.flatMap(\.self).sorted() == names && together.count > 1)
        #expect(try names.allSatisfy { try installed(on: home)["\($0).thing"] == $0 })
        await home.manager.close()
    }

    @Test func `a request to a process can have the archives of as many packs as are unpacked together`() {
        // Further files are those of the request itself, for the report and for the result.
        #expect(UnpackGroup.packLimit + 3 <= MessageSocket.descriptorLimit)
    }

    @Test func `no slot stays empty while one download unpacks what all wait for`() async throws {
        let unpacker = GatedUnpacker()
        let home = try await DownloadsHome(unpacking: unpacker)
        // Without the others, the second of them is the fair part of another slot.
        let requests = try (0..<2).map { try Self.request("filler-\($0)", on: home, kind: "filler") }
        try await begin(requests, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        let most = unpacker.calls.withLock { $0.map(\.count).max() }
        #expect(most == 2)
        await home.manager.close()
    }

    @Test func `only packs of one kind that is checked in memory, and with stated hashes, are unpacked together`()
        async throws
    {
        let unpacker = GatedUnpacker()
        let home = try await DownloadsHome(unpacking: unpacker)
        let requests = [
            try Self.request("a", on: home), try Self.request("b", on: home, isStated: false),
            try Self.request("c", on: home, kind: "other"), try Self.request("d", on: home),
            try Self.request("e", on: home, isStated: false), try Self.request("f", on: home, kind: "other"),
            try Self.request("g", on: home, kind: "on-disk"), try Self.request("h", on: home, kind: "on-disk"),
        ]
        try await begin(requests, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        #expect(Set(calls(of: unpacker)) == [["a", "d"], ["b"], ["c", "f"], ["e"], ["g"], ["h"]])
        await home.manager.close()
    }

    @Test func `a pack that fails, or makes the unpacker fail, fails alone`() async throws {
        let unpacker = GatedUnpacker { archives, _ in
            if archives.contains(where: { GatedUnpacker.content(of: $0) == "bad" }) {
                throw StoreError(.workerCrashed, ["reason": "signal 11"])
            }
            return nil
        }
        let home = try await DownloadsHome(unpacking: unpacker)
        let requests =
            try ["a", "bad", "c"].map { try Self.request($0, on: home) }
            + [Self.request("d", on: home, content: "other content")]
        try await begin(requests, on: home)
        unpacker.open()
        #expect(try await end(on: home) == ["d": "content.hash-mismatch"])
        #expect(calls(of: unpacker).contains(["a", "bad", "c", "other content"]))
        let installed = try installed(on: home)
        #expect(installed["a.thing"] == "a" && installed["bad.thing"] == "bad" && installed["c.thing"] == "c")
        await home.manager.close()
    }

    @Test func `files that one archive has written for the others are not installed`() async throws {
        let unpacker = GatedUnpacker { archives, _ in
            let file = try OpenFile.inMemory()
            for (number, archive) in archives.enumerated() {
                let content = number == 0 ? GatedUnpacker.content(of: archive) : "forged"
                var pack = FileTree.Encoder(entries: 1, size: content.utf8.count)
                pack.addFile("1", size: content.utf8.count)
                Array(content.utf8).withUnsafeBytes { pack.append($0) }
                try pack.bytes.withUnsafeBytes { try file.write($0) }
            }
            return file
        }
        let home = try await DownloadsHome(unpacking: unpacker)
        try await begin(["a", "b", "c"].map { try Self.request($0, on: home) }, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        let installed = try installed(on: home)
        for name in ["a", "b", "c"] { #expect(installed["\(name).thing"] == name) }
        await home.manager.close()
    }

    @Test func `packs that are too large together are prepared in halves`() async throws {
        let unpacker = GatedUnpacker { archives, _ in
            if archives.count > 2 { throw StoreError(.archiveTooLarge, ["limit": .bytes(1)]) }
            return nil
        }
        let home = try await DownloadsHome(unpacking: unpacker)
        try await begin(["a", "b", "c", "d", "e"].map { try Self.request($0, on: home) }, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        #expect(calls(of: unpacker) == [["a", "b", "c", "d", "e"], ["a", "b"], ["c", "d", "e"], ["c"], ["d", "e"]])
        let installed = try installed(on: home)
        for name in ["a", "b", "c", "d", "e"] { #expect(installed["\(name).thing"] == name) }
        await home.manager.close()
    }

    @Test func `nothing of a batch is in staging while it is unpacked`() async throws {
        let staged = Mutex<[String]>([])
        let folder = Mutex<Directory?>(nil)
        let unpacker = GatedUnpacker { archives, _ in
            guard GatedUnpacker.content(of: archives[0]) == "a", let data = folder.withLock({ $0 }) else { return nil }
            staged.withLock { names in names += (try? data.openDirectory("staging").names()) ?? ["?"] }
            return nil
        }
        let home = try await DownloadsHome(unpacking: unpacker)
        folder.withLock { $0 = try? home.folder.directory.openDirectory("data") }
        let requests = try ["a", "b"].map { try Self.request($0, on: home) }
        try await begin(requests, on: home)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        #expect(calls(of: unpacker) == [["a", "b"]])
        // Others may be there, which were unpacked before.
        #expect(staged.withLock { Set($0) }.isDisjoint(with: requests.map(\.operation.rawValue) + ["?"]))
        await home.manager.close()
    }

    @Test(arguments: ["a", "b"]) func `of packs that are unpacked together, one can be cancelled`(
        name: String
    ) async throws {
        let unpacker = GatedUnpacker { archives, cancellation in
            if GatedUnpacker.content(of: archives[0]).hasPrefix("filler") { return nil }
            while true {
                Thread.sleep(forTimeInterval: 0.001)
                try cancellation.check()
            }
        }
        let home = try await DownloadsHome(unpacking: unpacker)
        try await begin(["a", "b", "c"].map { try Self.request($0, on: home) }, on: home)
        unpacker.open()
        try await eventually { calls(of: unpacker).contains(["a", "b", "c"]) }
        #expect(try await home.manager.cancel(name).state == .cancelled)
        #expect(try await end(on: home) == [:])
        let installed = try installed(on: home)
        for other in ["a", "b", "c"] { #expect(installed["\(other).thing"] == (other == name ? nil : other)) }
        #expect(try home.folder.directory.openDirectory("data/staging").entries().isEmpty)
        await home.manager.close()
    }

    @Test func `a download that is cancelled while it waits is not unpacked`() async throws {
        let unpacker = GatedUnpacker()
        let home = try await DownloadsHome(unpacking: unpacker)
        try await begin(["a", "b"].map { try Self.request($0, on: home) }, on: home)
        #expect(try await home.manager.cancel("a").state == .cancelled)
        unpacker.open()
        #expect(try await end(on: home) == [:])
        #expect(calls(of: unpacker) == [["b"]])
        await home.manager.close()
    }
}
