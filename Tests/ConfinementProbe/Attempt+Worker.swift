import Glibc
import StoreSystem
import Synchronization

extension Attempt {
    /// What a worker can try against the process that started it, or against the pack that it is to unpack.
    static var worker: [String: Body] {
        [
            "write-archive": { files in
                var byte: UInt8 = 1
                return pwrite(files.archive, &byte, 1, 0) == 1 ? 0 : errno
            },
            "write-receipt": { try put(".receipt.json", in: $0) },
            "write-hidden-file": { try put(".bashrc", in: $0) },
            "write-program": { try put("program", mode: 0o755, in: $0) },
            "write-colliding-names": { try put("a.txt", in: $0) | put("A.txt", in: $0) },
            "write-control-characters": { try put("a\u{1B}[2J.txt", in: $0) },
            "write-many-files": { files in
                for number in 0..<100 { _ = try put("\(number).txt", in: files) }
                return 0
            },
            "kill-itself": { _ in call(Number.tgkill, Int(getpid()), thread, Int(SIGKILL)) },
            "stop-itself": { _ in call(Number.tgkill, Int(getpid()), thread, Int(SIGSTOP)) },
            "spin": { _ in
                var number: UInt64 = 1
                while true { number = number &* 3 &+ 1 }
            },
            "sleep": { _ in
                while true { SystemThread.sleep(for: .seconds(1000)) }
            },
            // Two threads need a global variable, whose initial value takes so long that one waits for the other.
            "share-variable": { _ in
                try SystemThread.start { Slow.count.withLock { $0 += 1 } }
                Slow.count.withLock { $0 += 1 }
                while Slow.count.withLock({ $0 }) < 2 { SystemThread.sleep(for: .milliseconds(1)) }
                return 0
            },
            "close-report": { files in
                close(files.report)
                while true { SystemThread.sleep(for: .seconds(1000)) }
            },
            "eat-memory": { _ in
                var blocks: [[UInt8]] = []
                while true { blocks.append([UInt8](repeating: UInt8(blocks.count & 0xFF), count: 1 << 20)) }
            },
            "flood-report": { files in
                let bytes = [UInt8](repeating: 0x20, count: 1 << 16)
                while write(files.report, bytes, bytes.count) > 0 {}
                return 0
            },
            "trickle-report": { files in
                while write(files.report, " ", 1) == 1 { SystemThread.sleep(for: .milliseconds(1)) }
                return 0
            },
            "garble-report": { files in write(files.report, "{}", 2) == 2 ? 0 : errno },
            // For several packs at once, these are done by `WorkerUnderAttack`.
            "forge-memory": { _ in 0 }, "garble-memory": { _ in 0 }, "fill-memory": { _ in 0 },
            "leave-memory-empty": { _ in 0 },
            "demand-consent": { try demandConsent(exitCode: 5, $0) },
            "demand-consent-as-conflict": { try demandConsent(exitCode: 7, $0) },
        ]
    }

    /// Reports that the user must grant a permission, with the exit code of that error or another one.
    private static func demandConsent(exitCode: Int, _ files: FilesBeforeConfinement) throws -> Int32 {
        let error = #"{"code":"consent.needed","message":"m","permissions":["code"],"exitCode":\#(exitCode)}"#
        let report = #"{"failed":{"_0":\#(error)}}"#
        _ = write(files.report, report, report.utf8.count)
        _exit(0)
    }

    private enum Slow {
        static let count = {
            SystemThread.sleep(for: .milliseconds(100))
            return Count()
        }()
    }

    private final class Count: Sendable {
        private let value = Mutex(0)
        func withLock<Value>(_ body: (inout Int) -> Value) -> Value { value.withLock { body(&$0) } }
    }

    private static func put(_ name: String, mode: UInt32 = 0o644, in files: FilesBeforeConfinement) throws -> Int32 {
        try files.directory.createFile(name, mode: mode).write([1], at: 0)
        return 0
    }
}
