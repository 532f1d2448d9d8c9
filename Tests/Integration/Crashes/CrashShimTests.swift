import Foundation
import StoreTestSupport
import Testing

/// Tests the preloaded library itself, by a comparison with all system calls that the kernel sees.
///
/// Not with sanitizers, whose runtime has calls of its own.
@Suite(.enabled(if: !Sanitizers.areEnabled, "a sanitizer makes calls of its own")) struct CrashShimTests {
    @Test func `no call of the daemon on its files escapes the rig, from any thread or library`() async throws {
        let store = try await CrashStore()
        let traced = try await TracedWorker()
        let worker = traced.worker
        let daemon = try worker.startDaemon(under: traced.strace)
        try await worker.untilAnswering(daemon)
        let slow = CrashStore.slow
        for command in [
            ["store", "add", "shop", store.url, "--unsigned"], ["install", "cups", "cats", "other"],
            ["config", "set", "downloads.maximumAtOnce", "3"], ["hold", "cups"], ["unhold", "cups"],
            ["install", slow, "--no-wait", "--limit-rate", "1"], ["pause", slow], ["resume", slow], ["cancel", slow],
        ] {
            try #require(try await worker.run([command])[0].exit == 0, "\(command)")
        }
        try store.updates.show(2)
        for command in [["refresh"], ["update"], ["rollback", "cups"], ["update", "cups"]] {
            try #require(try await worker.run([command])[0].exit == 0, "\(command)")
        }
        try Data("damaged".utf8).write(to: URL(filePath: worker.home + "/data/packs/cups.stickers/01.png"))
        for command in [["verify", "--repair"], ["uninstall", "cats"], ["daemon", "stop"]] {
            try #require(try await worker.run([command])[0].exit == 0, "\(command)")
        }
        #expect(try await worker.end(of: daemon, "strace").exit == 0)

        let kernel = try traced.judge(
            except: daemon.outputFiles,
            // The index of SQLite's journal, which SQLite rebuilds after a crash.
            mapped: [worker.home + "/data/library.sqlite-shm"])
        let counted = try traced.counted()
        #expect((counted["pwrite64"] ?? 0) > 20 && (counted["rename"] ?? 0) > 10 && counted.count > 10, "\(counted)")
        #expect((counted["pread64"] ?? 0) > 20 && (counted["readdir"] ?? 0) > 20, "\(counted)")
        #expect(kernel.calls["futex"] != nil, "strace was to show every call: \(kernel.calls)")
    }

    @Test func `no call of storehouse on its store escapes the rig`() async throws {
        let traced = try await TracedWorker()
        let worker = traced.worker
        try FileManager.default.createDirectory(atPath: worker.home, withIntermediateDirectories: true)
        var output: [String] = []
        for command in [
            ["init", "STORE"], ["add", "STORE", "PACKS/1/cups"], ["add", "STORE", "PACKS/1/cats"],
            ["publish", "STORE"], ["add", "STORE", "PACKS/2/cups", "--version", "2.0.0"], ["publish", "STORE"],
            ["withdraw", "STORE", "cats"], ["publish", "STORE"],
        ] {
            let running = try StorehouseSubject.start(command, worker, [:], under: traced.strace)
            let result = try await worker.end(of: running, "storehouse")
            try #require(result.exit == 0, "\(command): \(result)")
            output += running.outputFiles
        }
        _ = try traced.judge(except: output, mapped: [])
        let counted = try traced.counted()
        #expect((counted["rename"] ?? 0) > 5 && (counted["fsync"] ?? 0) + (counted["syncfs"] ?? 0) > 3, "\(counted)")
    }

    @Test func `calls that the programs do not make yet are counted as well`() async throws {
        let traced = try await TracedWorker()
        let home = traced.worker.home
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let script = """
            import os, sys
            os.chdir(sys.argv[1])
            path = sys.argv[1] + "/a"
            def attempt(function, *arguments):
                try: function(*arguments)
                except OSError as error: print(function.__name__ + ": " + error.strerror)
            file = os.open("a", os.O_RDWR | os.O_CREAT)
            other = os.open("b", os.O_RDWR | os.O_CREAT)
            os.write(file, b"0123456789")
            os.writev(file, [b"01", b"23"])
            os.pwritev(file, [b"45"], 3)
            attempt(os.pwritev, file, [b"67"], 3, os.RWF_DSYNC)
            attempt(os.copy_file_range, file, other, 5, 0, 0)
            os.sendfile(other, file, 0, 4)
            ends = os.pipe()
            os.write(ends[1], b"spliced")
            if hasattr(os, "splice"): os.splice(ends[0], other, 7)
            else: print("splice: Python has it since 3.10")
            attempt(os.setxattr, path, "user.x", b"1")
            attempt(os.setxattr, file, "user.x", b"2")
            attempt(os.removexattr, path, "user.x")
            os.truncate(path, 3)
            os.ftruncate(other, 100)
            os.posix_fallocate(other, 0, 200)
            os.mkfifo("pipe")
            os.mkdir("d")
            os.link("a", "d/c")
            os.symlink("a", "d/l")
            os.rename("b", "d/b")
            os.chmod(path, 0o600)
            os.chown(path, os.getuid(), -1)
            os.utime("a", (1, 1))
            os.fdatasync(file)
            os.fsync(file)
            os.sync()
            os.preadv(file, [bytearray(2)], 0)
            os.readv(file, [bytearray(2)])
            os.stat("a"); os.lstat("d/l"); os.fstat(file); list(os.scandir("d"))
            os.unlink("pipe"); os.unlink("d/b"); os.unlink("d/c"); os.unlink("d/l"); os.rmdir("d")
            """
        let python = try Programs.start(
            traced.strace[0], traced.strace.dropFirst() + ["/usr/bin/python3", "-I", "-S", "-B", "-c", script, home],
            environment: ["PATH": "/usr/bin:/bin"])
        let result = try await traced.worker.end(of: python, "python3")
        try #require(result.exit == 0, "\(result)")
        // Such as attributes, which not every file system has: the call is seen, but not with an effect.
        for refused in result.output.split(separator: "\n") { noteSkipped("the effect of a call, \(refused)") }
        let kernel = try traced.judge(except: python.outputFiles, mapped: [])
        #expect(kernel.counts["sync"] == 1 && (kernel.counts["mknod"] ?? 0) == 1, "\(kernel.counts)")
    }

    @Test(arguments: [
        "io_uring_setup(8, {flags=0}) = 5<anon_inode:[io_uring]>",
        "a_call_of_a_later_kernel(3</home/data/x>) = 0",
        "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 4</home/data/x>, 0) = 0x7f0000000000",
        "mmap(NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE, 4</elsewhere>, 0) = 0x7f0000000000",
        "msync(0x7f0000000000, 4096, MS_SYNC) = 0",
        "ioctl(4</home/b>, BTRFS_IOC_CLONE or FICLONE, 5</home/a>) = 0",
        "write(4</elsewhere>, \"x\"..., 1) = 1",
        "write(4, \"x\"..., 1) = 1",
        "openat(AT_FDCWD</>, \"/elsewhere\", O_WRONLY|O_CREAT|O_CLOEXEC, 0600) = 4</elsewhere>",
        "unlinkat(4</elsewhere>, \"x\", 0) = 0",
        "bind(4<socket:[1]>, {sa_family=AF_UNIX, sun_path=\"/elsewhere/s\"}, 110) = 0",
        "open_by_handle_at(4</home>, {handle_bytes=8}, O_RDWR) = 5</home/x>",
    ])
    func `a call that may change something unseen is a problem`(call: String) {
        let trace = KernelTrace("12 " + call, beneath: "/home", except: [], mapped: ["/home/data/shm"])
        #expect(trace.problems.count == 1 && trace.counts.isEmpty, "\(trace)")
    }

    @Test(arguments: [
        ("write(4</home/x>, \"x\"..., 1 <unfinished ...>", "write"),
        ("sync() = 0", "sync"),
        ("pwritev2(4</home/a, (b>, [{iov_base=\"x\", iov_len=1}], 1, 0, RWF_DSYNC) = 1", "pwritev2"),
        ("fsetxattr(4</home/a>, \"user.x\", \"1\", 1, 0) = 0", "fsetxattr"),
        ("splice(3<pipe:[7]>, NULL, 4</home/a>, NULL, 7, 0) = 7", "splice"),
        ("renameat2(3</elsewhere>, \"x\", 4</home>, \"a, \\\"b\", RENAME_NOREPLACE) = 0", "rename"),
        ("openat2(4</home/data>, \"x\", {flags=O_RDONLY, resolve=RESOLVE_BENEATH}, 24) = 5</home/data/x>", "openat"),
        ("newfstatat(4</home/a>, \"\", {st_size=1}, AT_EMPTY_PATH) = 0", "newfstatat"),
    ])
    func `a call beneath the directory is counted`(call: String, name: String) {
        let trace = KernelTrace("12 " + call, beneath: "/home", except: [], mapped: [])
        #expect(trace.problems.isEmpty && trace.counts == [name: 1], "\(trace)")
    }
}

/// A worker whose programs run under strace, with the preloaded library.
private struct TracedWorker {
    let worker: CrashWorker
    /// strace's command line.
    let strace: [String]
    private let trace: String
    private let seen: String

    init() async throws {
        worker = try CrashWorker(shim: try await CrashShim(), programs: IsolatedPrograms())
        (trace, seen) = (worker.folder.path + "/trace", worker.folder.path + "/strace")
        try worker.control.order(CrashFault(action: .count, kinds: [.changes, .descriptor, .read]))
        try worker.control.arm()
        let variables = worker.shim.variables(home: worker.home, control: worker.control, trace: trace)
        strace =
            ["/usr/bin/strace"] + KernelTrace.options + ["-A", "-o", seen]
            + variables.flatMap { ["-E", "\($0.key)=\($0.value)"] }
    }

    /// Returns how often the library counted each call, by the common names of calls with the same effect.
    func counted() throws -> [String: Int] {
        let names = ["openat2": "openat", "futimens": "utimensat", "mkdirat": "mkdir"]
        let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        let calls = lines.map { String($0.prefix { $0 != " " }) }
        return Dictionary(calls.map { (names[$0] ?? $0, 1) }, uniquingKeysWith: +)
    }

    /// Judges all calls that strace saw, and compares them with those that the library counted.
    ///
    /// - Parameters:
    ///   - output: the files outside the directory that the programs may change.
    ///   - mapped: the files that they may map into memory.
    func judge(except output: [String], mapped: Set<String>) throws -> KernelTrace {
        let lines = try String(contentsOfFile: seen, encoding: .utf8)
        // The rig's own files.
        let own = [trace, worker.control.path]
        let kernel = KernelTrace(
            lines, beneath: worker.home, except: Set(output + own), mapped: mapped.union([worker.control.path]))
        for problem in kernel.problems.prefix(20) { Issue.record("\(problem)") }
        var counted = try counted()
        // Counts each entry of a directory; see ``SystemCallEffects/harmless``.
        counted["readdir"] = nil
        let names = Set(counted.keys).union(kernel.counts.keys)
        let different = names.filter { counted[$0] != kernel.counts[$0] }.sorted()
        #expect(
            different.isEmpty,
            "\(different.map { "\($0): \(counted[$0] ?? 0) counted, \(kernel.counts[$0] ?? 0) seen" })")
        return kernel
    }
}
