import Glibc
import StoreModel
import StoreSystem

extension Attempt {
    /// Attempts to exceed the limits, and to use a descriptor that was closed.
    static var limits: [String: Body] {
        [
            "memory": { _ in
                let memory = mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                return memory == MAP_FAILED ? errno : 0
            },
            // Reserved first, and made writable afterwards.
            "reserved-memory": { _ in
                let memory = mmap(nil, 1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                if memory == MAP_FAILED { return 0 }
                return mprotect(memory, 1 << 30, PROT_READ | PROT_WRITE) == 0 ? 0 : errno
            },
            "shared-memory": { _ in
                let memory = mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                return memory == MAP_FAILED ? errno : 0
            },
            "file-size": { files in
                let file = try files.directory.createFile("large")
                let bytes = [UInt8](repeating: 1, count: 1 << 20)
                try file.write(bytes, at: 0)
                return bytes.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, 1, 1 << 20) } == 1 ? 0 : errno
            },
            "descriptors": { files in
                var open: [OpenFile] = []
                for number in 0..<100 {
                    do throws(StoreError) {
                        open.append(try files.directory.createFile("file-\(number)"))
                    } catch {
                        return error.errno?.rawValue ?? 0
                    }
                }
                return 0
            },
            "processor-time": { _ in
                // Beyond the limit; the signal ends the loop before.
                var now = timespec()
                while now.tv_sec < 20 { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) }
                return 0
            },
            "inherited": { fcntl($0.inherited, F_GETFD) == -1 ? errno : 0 },
        ]
    }
}
