import Glibc
import StoreTestSupport
import Testing

@testable import StoreSystem

/// A confinement can't be undone, so each case runs in a program of its own, `StoreConfinementProbe`.
///
/// Its exit code is 0 where the attempt succeeded, and otherwise the number of the error.
@Suite struct ConfinementTests {
    /// A process that makes a system call that is not on the list is killed with this signal.
    private static let killed = 128 + SIGSYS

    // MARK: What a confined process can do

    @Test(arguments: ["make-files", "threads", "messages", "inflate", "other", "empty-input"])
    func `a confined process can do its work`(attempt: String) async throws {
        let probe = try Probe()
        let result = try await probe.run(attempt)
        #expect(result.code == 0, "\(result)")
    }

    @Test func `files and directories appear beneath the directory with the mode that was given`() async throws {
        let probe = try Probe()
        let result = try await probe.run("make-files")
        try #require(result.code == 0, "\(result)")
        let status = try #require(try probe.folder.directory.status(of: "work/a/b/c/file"))
        #expect(status.kind == .file && status.size == 6000)
        #expect(access(probe.work + "/a/file", X_OK) == 0)
    }

    @Test(arguments: [("abort", [SIGABRT]), ("crash", [SIGILL, SIGTRAP])])
    func `a crash ends a confined process with its own signal`(attempt: String, signals: [Int32]) async throws {
        let result = try await Probe().run(attempt)
        #expect(signals.map { 128 + $0 }.contains(result.code), "\(result)")
    }

    @Test func `parts that the kernel lacks are reported with a reason`() async throws {
        let probe = try Probe()
        let missing = try await probe.run("empty-input").missing
        for part in ConfinementReport.Part.allCases {
            let (reason, obstacle) = (missing[part], KernelConfinement.obstacle(to: part))
            #expect((reason == nil) == (obstacle == nil), "\(part): \(reason ?? "none"), \(obstacle ?? "none")")
            #expect(reason != "", "\(part)")
        }
    }

    @Test func `a part whose system call fails is missing, with the call and its error as the reason`() {
        let confinement = Confinement(directories: [])
        var missing: [ConfinementReport.Part: String] = [:]
        confinement.attempt(.dumping, "prctl", &missing) { 0 }
        confinement.attempt(.descriptors, "close_range", &missing) {
            errno = EPERM
            return -1
        }
        #expect(missing == [.descriptors: "close_range: \(Errno.notPermitted)"])
        let report = ConfinementReport(missing: missing)
        #expect(report.isInEffect(.dumping) && !report.isInEffect(.descriptors) && !report.isSufficient)
    }

    // MARK: Files

    @Test(arguments: ["read", "overwrite", "truncate"])
    func `no existing file can be opened`(attempt: String) async throws {
        let probe = try Probe()
        for path in ["/etc/passwd", probe.home + "/secret", probe.work + "/existing"] {
            // What is at risk in the attempt to truncate it is not the system's own file.
            if attempt == "truncate", path.hasPrefix("/etc") { continue }
            let result = try await probe.run(attempt, path, needs: [.systemCalls])
            #expect(result.code == EACCES, "\(path): \(result)")
        }
        #expect(try probe.folder.directory.read("home/secret") == probe.secret)
    }

    @Test(arguments: ["create", "make-directory"])
    func `nothing can be created outside of the directory`(attempt: String) async throws {
        let probe = try Probe()
        let result = try await probe.run(attempt, probe.home + "/new", needs: [.fileSystem])
        #expect(result.code == EACCES, "\(result)")
        #expect(try probe.folder.directory.status(of: "home/new") == nil)
    }

    @Test func `no directory outside can be opened`() async throws {
        let probe = try Probe()
        for path in ["/", "/etc", probe.home] {
            let result = try await probe.run("open-directory", path, needs: [.fileSystem])
            #expect(result.code == EACCES, "\(path): \(result)")
        }
        let beneath = try await probe.run("open-directory", probe.work, needs: [.fileSystem])
        #expect(beneath.code == 0, "\(beneath)")
    }

    @Test(arguments: ["open-parent", "create-in-parent"])
    func `the parent of the directory is out of reach`(attempt: String) async throws {
        let probe = try Probe()
        let result = try await probe.run(attempt, needs: [.fileSystem])
        #expect(result.code == EACCES, "\(result)")
        #expect(try probe.folder.directory.status(of: "stray") == nil)
    }

    @Test(arguments: ["open-path", "unnamed", "status", "read-in-directory"])
    func `a file is only opened to create it`(attempt: String) async throws {
        let result = try await Probe().run(attempt, "/etc/passwd", needs: [.systemCalls])
        #expect(result.code == EACCES, "\(result)")
    }

    @Test(arguments: [("openat2", ENOSYS), ("clone3", ENOSYS)])
    func `a call whose flags a filter can't see does not exist`(attempt: String, reason: Int32) async throws {
        let result = try await Probe().run(attempt, needs: [.systemCalls])
        #expect(result.code == reason, "\(result)")
    }

    @Test(arguments: [
        "list", "symbolic-link", "hard-link", "rename", "remove", "device", "pipe", "setgid-directory", "change-mode",
    ])
    func `links, devices, renaming and removing end the process`(attempt: String) async throws {
        let probe = try Probe()
        let result = try await probe.run(attempt, needs: [.systemCalls])
        #expect(result.code == ConfinementTests.killed, "\(result)")
        #expect(try Directory.open(probe.work).entries().map(\.name) == ["existing"])
    }

    @Test(arguments: ["setuid-file", "setgid-file"])
    func `no file gets the setuid or setgid bit`(attempt: String) async throws {
        let probe = try Probe()
        let result = try await probe.run(attempt, needs: [.systemCalls])
        #expect(result.code == EACCES, "\(result)")
        #expect(try Directory.open(probe.work).entries().map(\.name) == ["existing"])
    }

    // MARK: Network and processes

    @Test(arguments: [
        "socket", "unix-socket", "connect", "execute", "fork", "vfork", "namespace", "signal", "signal-thread", "trace",
        "read-memory", "write-memory", "ring", "allow-dumping", "raise-limit", "executable-memory", "make-executable",
        "x32", "unknown-call",
    ])
    func `the network, other processes and executable memory end the process`(attempt: String) async throws {
        let result = try await Probe().run(attempt, needs: [.systemCalls])
        #expect(result.code == ConfinementTests.killed, "\(result)")
    }

    // MARK: Limits

    @Test(arguments: [("memory", ENOMEM), ("reserved-memory", ENOMEM), ("file-size", EFBIG), ("descriptors", EMFILE)])
    func `a limit can't be exceeded`(attempt: String, reason: Int32) async throws {
        let result = try await Probe().run(attempt, needs: [.resourceLimits])
        #expect(result.code == reason, "\(result)")
    }

    @Test func `memory that the limit does not count can't be mapped`() async throws {
        let result = try await Probe().run("shared-memory", needs: [.systemCalls])
        #expect(result.code == EPERM, "\(result)")
    }

    @Test func `the limit of processor time ends the process`() async throws {
        let result = try await Probe().run("processor-time", needs: [.resourceLimits])
        #expect(result.code == 128 + SIGXCPU, "\(result)")
    }

    @Test func `an inherited descriptor that is not named is closed`() async throws {
        let result = try await Probe().run("inherited", needs: [.descriptors])
        #expect(result.code == EBADF, "\(result)")
    }
}
