import Foundation
import Testing

/// Tests the preloaded library itself.
@Suite(.enabled(if: CrashShim.canPreload, "a sanitizer has to be loaded before the rig")) struct CrashShimTests {
    /// The system calls that can change a file or directory, for strace.
    private static let calls = [
        "open", "openat", "openat2", "creat", "mkdir", "mkdirat", "mknod", "mknodat", "rename", "renameat", "renameat2",
        "unlink", "unlinkat", "rmdir", "link", "linkat", "symlink", "symlinkat", "write", "writev", "pwrite64",
        "pwritev", "pwritev2", "truncate", "ftruncate", "fallocate", "copy_file_range", "sendfile", "splice", "chmod",
        "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat",
        "setxattr", "lsetxattr", "fsetxattr", "removexattr", "fsync", "fdatasync", "sync", "syncfs", "sync_file_range",
        "msync", "bind", "io_uring_setup",
    ]

    @Test func `no changing system call escapes the rig, from any thread or library`() async throws {
        let store = try await CrashStore()
        let worker = try CrashWorker(shim: try await CrashShim(), storectl: Programs.path("storectl"))
        let (trace, seen) = (worker.folder.path + "/trace", worker.folder.path + "/strace")
        try worker.control.order(CrashFault(action: .count, kinds: [.changes, .descriptor]))
        try worker.control.arm()
        let preloaded = worker.shim.variables(home: worker.home, control: worker.control, trace: trace)
        // Not every architecture has every call.
        let calls = Self.calls.map { "?" + $0 }.joined(separator: ",")
        var words = ["-f", "-qq", "-y", "-s", "4096", "-e", "signal=none", "-e", "trace=" + calls, "-o", seen]
        for (name, value) in preloaded { words += ["-E", "\(name)=\(value)"] }
        let daemon = try worker.startDaemon(under: ["/usr/bin/strace"] + words)
        try await worker.untilAnswering(daemon)
        for command in [
            ["store", "add", "shop", store.url, "--unsigned"], ["install", "cups", "cats", "other"],
            ["config", "set", "downloads.maximumAtOnce", "3"], ["hold", "cups"], ["unhold", "cups"],
        ] {
            try #require(try await worker.run([command])[0].exit == 0, "\(command)")
        }
        try store.updates.show(2)
        for command in [["refresh"], ["update"], ["rollback", "cups"], ["uninstall", "cats"], ["daemon", "stop"]] {
            try #require(try await worker.run([command])[0].exit == 0, "\(command)")
        }
        #expect(try await worker.end(of: daemon, "strace").exit == 0)

        let counted = try Self.counted(trace)
        let observed = try Self.observed(seen, beneath: worker.home)
        #expect(counted == observed, "\(counted.filter { observed[$0.key] != $0.value }), strace saw \(observed)")
        #expect((counted["pwrite64"] ?? 0) > 20 && (counted["rename"] ?? 0) > 10 && counted.count > 10, "\(counted)")
    }

    /// Returns how often the library counted each call.
    private static func counted(_ path: String) throws -> [String: Int] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return Dictionary(lines.map { (common(String($0.prefix { $0 != " " })), 1) }, uniquingKeysWith: +)
    }

    /// Returns how often strace observed each call beneath a directory.
    private static func observed(_ path: String, beneath home: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        // strace splits a call that another thread interrupts into two lines.
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        where !line.contains(" resumed>") {
            let call = line.drop { $0.isNumber || $0 == " " }
            let name = String(call.prefix { $0 != "(" })
            // Written data is not a path; the path of a descriptor comes first, in angle brackets.
            let places = ["write", "pwrite64", "writev"].contains(name) ? call.prefix { $0 != "," } : call[...]
            // A socket is bound through the open directory, whose descriptor does not show the path.
            let isSocket = name == "bind" && places.contains("/proc/self/fd/")
            guard
                isSocket || places.contains(home + "/") || places.contains("\(home)\"") || places.contains("\(home)>")
            else { continue }
            counts[common(name), default: 0] += 1
        }
        return counts
    }

    /// Returns the common name of calls with the same effect.
    private static func common(_ name: String) -> String {
        switch name {
        case "openat2", "open", "creat": "openat"
        case "mkdirat": "mkdir"
        case "renameat", "renameat2": "rename"
        case "unlinkat", "rmdir": "unlink"
        case "linkat": "link"
        case "futimens": "utimensat"
        default: name
        }
    }
}
