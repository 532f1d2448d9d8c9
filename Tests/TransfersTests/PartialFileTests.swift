import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// The queues on which the bytes of a file are written and hashed.
@Suite(.hangGuard) struct PartialFileTests {
    private let file: OpenFile
    private let partial: PartialFile

    init() throws {
        file = try scratchFile()
        partial = PartialFile(file)
    }

    @Test func `pieces that come one by one are hashed without the second queue`() async throws {
        // As long as it is suspended, only the disk's queue can hash.
        partial.hashQueue.suspend()
        defer { partial.hashQueue.resume() }
        let pieces = (0..<3).map { OriginBytes.random(1000, seed: UInt64($0)) }
        for (number, piece) in pieces.enumerated() {
            try partial.append(piece, at: number * 1000)
            try await partial.flush()
            #expect(partial.sha256 == SHA256Digest(of: pieces[...number].joined()))
        }
        #expect(try file.content == Array(pieces.joined()))
    }

    @Test func `pieces that queue up are hashed on the second queue, in order`() async throws {
        let pieces = (0..<20).map { OriginBytes.random(1000, seed: UInt64($0)) }
        partial.hashQueue.suspend()
        do {
            defer { partial.hashQueue.resume() }
            partial.diskQueue.suspend()
            do {
                defer { partial.diskQueue.resume() }
                for number in 0..<10 { try partial.append(pieces[number], at: number * 1000) }
            }
            partial.diskQueue.sync {}
            #expect(partial.sha256 == SHA256Digest(of: []))
            // Each of these is the only one that waits for the disk, but not the only one that waits to be hashed.
            for number in 10..<20 {
                try partial.append(pieces[number], at: number * 1000)
                partial.diskQueue.sync {}
            }
            #expect(partial.sha256 == SHA256Digest(of: []))
        }
        try await partial.flush()
        #expect(partial.sha256 == SHA256Digest(of: pieces.joined()))
        #expect(try file.content == Array(pieces.joined()))
    }

    @Test func `bytes behind a gap are read again on the second queue`() async throws {
        let bytes = OriginBytes.random(3000)
        try partial.append(Array(bytes[1000...]), at: 1000)
        try await partial.flush()
        partial.hashQueue.suspend()
        do {
            defer { partial.hashQueue.resume() }
            try partial.append(Array(bytes[..<1000]), at: 0)
            partial.diskQueue.sync {}
            #expect(partial.sha256 == SHA256Digest(of: []))
        }
        try await partial.flush()
        #expect(partial.sha256 == SHA256Digest(of: bytes))
    }

    /// Writes two pieces of 1,000 bytes, the second one first, changes the file, and only then lets the pieces be hashed.
    private func change(_ body: () throws -> Void) async throws -> [UInt8] {
        let bytes = OriginBytes.random(2000)
        partial.hashQueue.suspend()
        do {
            defer { partial.hashQueue.resume() }
            partial.diskQueue.suspend()
            do {
                defer { partial.diskQueue.resume() }
                for start in [1000, 0] { try partial.append(Array(bytes[start..<start + 1000]), at: start) }
            }
            partial.diskQueue.sync {}
            try body()
        }
        return bytes
    }

    @Test func `bytes behind a gap are hashed as they are in the file`() async throws {
        let bytes = try await change { try file.write([0, 1, 2, 3], at: 1500) }
        try await partial.flush()
        #expect(try partial.sha256 == SHA256Digest(of: file.content))
        #expect(partial.sha256 != SHA256Digest(of: bytes))
    }

    @Test func `a file that another program truncates is not complete`() async throws {
        _ = try await change { try file.truncate(to: 1700) }
        let error = await #expect(throws: StoreError.self) { try await partial.flush() }
        #expect(error?.code == .partialFileChanged)
    }

    @Test func `bytes after a failed write are not counted as pending`() async throws {
        let readOnly = try OpenFile.open("/dev/null")
        let partial = PartialFile(readOnly)
        try partial.append([1], at: 0)
        partial.diskQueue.sync {}
        let piece = [UInt8](repeating: 0, count: 256 << 10)
        for _ in 0..<10 { #expect(throws: StoreError.self) { try partial.append(piece, at: 1) } }
        let hasRoom = partial.hasRoom {}
        #expect(hasRoom)
        await #expect(throws: StoreError.self) { try await partial.flush() }
        #expect(partial.size == 0)
    }
}
