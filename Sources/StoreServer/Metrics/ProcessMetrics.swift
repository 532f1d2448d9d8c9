import FoundationEssentials
import Glibc
import StoreSystem

/// What the system says of this process.
struct ProcessMetrics {
    /// Seconds of processor time, of the program and of the system for it.
    var processorTime = 0.0
    var openDescriptors = 0
    var maximumDescriptors = 0
    /// In bytes.
    var virtualMemory = 0
    var residentMemory = 0
    /// Seconds since 1970.
    var startTime = 0.0

    init() {
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            processorTime = [usage.ru_utime, usage.ru_stime]
                .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            maximumDescriptors = Int(clamping: limit.rlim_cur)
        }
        // The two that are open for looking are none of them.
        openDescriptors = max(0, ((try? Directory.open("/proc/self/fd").entries().count) ?? 0) - 2)
        let pages = Self.text("/proc/self/statm").split(separator: " ").prefix(2).compactMap { Int($0) }
        if pages.count == 2 {
            (virtualMemory, residentMemory) = (pages[0] * Int(getpagesize()), pages[1] * Int(getpagesize()))
        }
        startTime = Self.startTime
    }

    /// The system counts from its own start.
    private static let startTime: Double = {
        // The program's name, which may hold anything, ends with the last parenthesis; the time is the 22nd field, and
        // the third follows the name.
        let fields = text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let boot = text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]), let boot, let since = Double(boot.dropFirst(6)) else {
            return 0
        }
        return since + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func text(_ path: String) -> String {
        // These files have no size before they are read.
        guard let bytes = try? OpenFile.open(path).read(count: 1 << 16, at: 0) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
