import Foundation

/// Memory and descriptors of a running process, as the kernel reports them.
struct ProcessFacts {
    /// The anonymous memory in bytes.
    let memory: Int
    /// The maximum of the resident memory in bytes.
    let mostMemory: Int
    let descriptors: Int
    /// The size of the data segment in bytes: what RLIMIT_DATA limits.
    let dataSegment: Int

    /// Reads the facts; `nil` if the process has ended.
    init?(_ pid: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
        else { return nil }
        func kilobytes(_ name: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
                .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let memory = kilobytes("RssAnon"), let most = kilobytes("VmHWM"),
            let data = kilobytes("VmData")
        else { return nil }
        (self.memory, mostMemory, descriptors, dataSegment) = (memory << 10, most << 10, open.count, data << 10)
    }
}
