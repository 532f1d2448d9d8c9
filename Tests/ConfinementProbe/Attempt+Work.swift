import Glibc
import StoreCDeflate
import StoreModel
import StoreSystem

extension Attempt {
    /// What a confined process has to be able to do.
    static var work: [String: Body] {
        [
            "make-files": makeFiles, "threads": threads, "messages": messages, "inflate": inflate,
            "other": other,
            "empty-input": { _ in
                var byte: UInt8 = 0
                return read(STDIN_FILENO, &byte, 1) == 0 ? 0 : EIO
            },
            "crash": { files in preconditionFailure("\(files.path)") },
            "abort": { _ in abort() },
        ]
    }

    private static func makeFiles(_ files: FilesBeforeConfinement) throws -> Int32 {
        var directory = files.directory
        for name in ["a", "b", "c"] {
            directory = try directory.createDirectory(name)
            let file = try directory.createFile("file", mode: 0o755)
            try file.reserve(100_000)
            try file.write([UInt8](repeating: 7, count: 1000), at: 5000)
            try file.giveBack()
            try file.sync()
            guard try file.status().size == 6000 else { return EIO }
        }
        for name in ["..", "a/../../b", "/etc"] {
            do throws(StoreError) {
                _ = try files.directory.createFile(name)
                return EIO
            } catch {
                guard error.errno == .improperLink else { return EIO }
            }
        }
        return 0
    }

    /// Starts threads, all of which allocate memory, and waits for them.
    private static func threads(_ files: FilesBeforeConfinement) throws -> Int32 {
        let end = files.sockets.1
        for thread in 0..<8 {
            try SystemThread.start {
                var texts: [Int: String] = [:]
                for number in 0..<20_000 { texts[number] = "\(thread) has the number \(number)" }
                SystemThread.sleep(for: .milliseconds(1))
                var byte = UInt8(texts.count == 20_000 ? 1 : 0)
                _ = write(end, &byte, 1)
            }
        }
        var sum = 0
        for _ in 0..<8 {
            var byte: UInt8 = 0
            guard read(files.sockets.0, &byte, 1) == 1 else { return errno }
            sum += Int(byte)
        }
        // The end of a thread makes system calls, too.
        SystemThread.sleep(for: .milliseconds(50))
        return sum == 8 ? 0 : EIO
    }

    /// Sends messages over the socket pair in both ways, with all functions for it.
    private static func messages(_ files: FilesBeforeConfinement) throws -> Int32 {
        let (first, second) = files.sockets
        var bytes: [UInt8] = Array("message".utf8)
        let count = bytes.count
        guard send(first, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return errno }
        var ready = pollfd(fd: second, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 5000) == 1, ready.revents == Int16(POLLIN) else { return EIO }
        guard recv(second, &bytes, count, 0) == count else { return errno }
        let isSent = bytes.withUnsafeMutableBytes { buffer in
            var piece = iovec(iov_base: buffer.baseAddress, iov_len: count)
            return withUnsafeMutablePointer(to: &piece) { piece in
                var message = msghdr()
                message.msg_iov = piece
                message.msg_iovlen = 1
                return sendmsg(second, &message, Int32(MSG_NOSIGNAL)) == count && recvmsg(first, &message, 0) == count
            }
        }
        return isSent && bytes == Array("message".utf8) ? 0 : EIO
    }

    /// Inflates 100 times the same text, and writes the result beneath the directory.
    private static func inflate(_ files: FilesBeforeConfinement) throws -> Int32 {
        // Raw deflate, at the highest level of zlib.
        let deflated: [UInt8] = [
            75, 206, 207, 75, 203, 204, 75, 77, 81, 72, 30, 101, 140, 50, 70, 25, 3, 193, 0, 0,
        ]
        let expected = [UInt8](String(repeating: "confined ", count: 100).utf8)
        var inflated = [UInt8](repeating: 0, count: expected.count)
        guard let decompressor = libdeflate_alloc_decompressor() else { return ENOMEM }
        defer { libdeflate_free_decompressor(decompressor) }
        let result = libdeflate_deflate_decompress(
            decompressor, deflated, deflated.count, &inflated, inflated.count, nil)
        guard result == LIBDEFLATE_SUCCESS, inflated == expected else { return EIO }
        // Larger than the threshold above which malloc maps memory, and grown step by step.
        var large: [UInt8] = []
        for _ in 0..<20_000 { large += inflated }
        guard large.count == 20_000 * expected.count else { return EIO }
        try files.directory.createFile("inflated").write(inflated, at: 0)
        return 0
    }

    /// Random numbers, the clock and text formatting.
    private static func other(_ files: FilesBeforeConfinement) throws -> Int32 {
        var numbers: Set<UInt64> = []
        for _ in 0..<100 { numbers.insert(UInt64.random(in: 0 ... .max)) }
        let start = ContinuousClock.now
        let texts = numbers.map { "\($0) \(Double($0)) \(start)" }
        try FileDescriptor.standardError.writeAll("\(texts.count)\n")
        // Standard streams of the C library ask what kind of file they are.
        puts("written")
        return fflush(nil) == 0 && texts.count == 100 && ContinuousClock.now >= start ? 0 : EIO
    }
}
