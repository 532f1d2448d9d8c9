import Glibc
import StoreCLinux

/// A snapshot of the resources that this process uses, as the kernel and the C library count them.
public struct ResourceUsage: Sendable {
    /// The processor time of the process, in seconds, including that of the kernel on its behalf.
    public let processorTime: Double
    /// The number of file descriptors that this process has open.
    public let openDescriptors: Int
    /// The maximum number of file descriptors that this process may have open.
    public let maximumDescriptors: Int
    /// The size of this process's address space in bytes.
    public let virtualMemory: Int
    /// The number of bytes of this process's address space that are in physical memory.
    public let residentMemory: Int
    /// The number of bytes that this process has allocated and not freed.
    ///
    /// Unlike ``residentMemory`` it does not include freed memory that the C library holds for reuse, so that it grows
    /// only if the program keeps more.
    public let allocatedMemory: Int

    /// Returns the resources that this process uses at this moment.
    ///
    /// A value that the kernel does not report is 0.
    public static func current() -> ResourceUsage {
        var usage = rusage()
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        let memory = memory()
        // Without the two descriptors that are open for counting.
        let descriptors = ((try? Directory.open("/proc/self/fd").entries().count) ?? 2) - 2
        return ResourceUsage(
            processorTime: times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 },
            openDescriptors: max(0, descriptors), maximumDescriptors: OpenFileLimit.current,
            virtualMemory: memory.virtual, residentMemory: memory.resident, allocatedMemory: memory.allocated)
    }

    /// Returns the memory of this process in bytes: its address space (`virtual`), the part of it in physical memory
    /// (`resident`), the part of that which is not from files (`anonymous`), and what the program has allocated and not
    /// freed (`allocated`).
    static func memory() -> (virtual: Int, resident: Int, anonymous: Int, allocated: Int) {
        // All pages, those in memory, and those of files or shared memory among them (proc(5)).
        let fields = text(of: "/proc/self/statm").split(separator: " ").prefix(3).compactMap { Int($0) }
        let pages = fields.count == 3 ? fields.map { $0 * Int(getpagesize()) } : [0, 0, 0]
        return (pages[0], pages[1], pages[1] - pages[2], Int(clamping: clinux_allocated_memory()))
    }

    /// When this process was started, in seconds since 1970; 0 where the kernel does not report it.
    public static let startTime: Double = {
        // The program's name, which may hold anything, ends with the last parenthesis. The start is field 22, in ticks
        // since the system's start, and field 3 follows the name (proc(5)).
        let fields = text(of: "/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        // Before the line `btime` it has a counter for each interrupt of the machine.
        let boot = text(of: "/proc/stat", limit: 1 << 20).split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]), let boot, let since = Double(boot.dropFirst(6)) else {
            return 0
        }
        return since + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    /// Returns the text of a file of /proc, at most `limit` bytes of it: its size is given as 0.
    private static func text(of path: String, limit: Int = 4096) -> String {
        guard let bytes = try? OpenFile.open(path).read(count: limit, at: 0) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
