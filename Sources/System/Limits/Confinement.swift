import Glibc
import StoreCLinux

/// What a process may still do after it confines itself to the reading of untrusted data.
///
/// Such a process has open files with the data, open directories in which it creates files, and a pipe to the process that
/// started it. It has no network, no other files and no other process:
///
/// ```swift
/// let report = Confinement(directories: [directory], keeping: [archive, report]).apply()
/// guard report.isSufficient else { … }
/// ```
///
/// Sources of the facts on which it relies: Documentation/userspace-api/landlock.rst, no_new_privs.rst and
/// seccomp_filter.rst of the kernel, and the manual pages landlock(7), seccomp(2), prctl(2), setrlimit(2) and
/// close_range(2).
///
/// What it does not prevent: the process learns the status (not the content) of any file that its user can find, and a
/// datagram socket that is kept can send to other unix sockets where the kernel's Landlock lacks
/// ``ConfinementReport/Part/scope`` and ``ConfinementReport/Part/socketPaths``.
public struct Confinement: Sendable {
    /// What a confined process may do beneath its directories.
    public enum Access: Sendable {
        /// It creates files and directories, and lists the latter; what exists is neither read nor changed.
        case creating
        /// It reads files and lists directories; nothing is created or changed.
        case reading
    }

    /// The directories that stay accessible, with all that is in them.
    public var directories: [Directory]
    /// What the process may do beneath the directories.
    public var access: Access
    /// The descriptors that stay open, besides those of the directories.
    public var kept: Set<FileDescriptor>
    /// The maximum size of writable private memory in bytes, including what the process uses already (`RLIMIT_DATA`).
    ///
    /// Allocations beyond it fail, which ends a Swift program.
    public var memoryLimit: Int
    /// The maximum processor time in seconds, including what the process has used already (`RLIMIT_CPU`).
    ///
    /// The process is then ended by SIGXCPU.
    public var processorTimeLimit: Int
    /// The maximum size in bytes to which a file can be extended (`RLIMIT_FSIZE`); writing beyond fails with EFBIG.
    public var fileSizeLimit: Int
    /// The number that all descriptors opened later are below (`RLIMIT_NOFILE`).
    public var openFileLimit: Int

    /// Creates a confinement, which takes effect with ``apply()``.
    public init(
        directories: [Directory], access: Access = .creating, keeping kept: Set<FileDescriptor> = [],
        memoryLimit: Int = 512 << 20,
        processorTimeLimit: Int = 600, fileSizeLimit: Int = 4 << 30, openFileLimit: Int = 64
    ) {
        self.directories = directories
        self.access = access
        self.kept = kept
        self.memoryLimit = memoryLimit
        self.processorTimeLimit = processorTimeLimit
        self.fileSizeLimit = fileSizeLimit
        self.openFileLimit = openFileLimit
    }

    /// Confines this process for good.
    ///
    /// To be called before threads are started and while no object refers to a descriptor that is closed. All parts are
    /// attempted, also after one failed.
    ///
    /// Afterwards the process can use the operations of a ``Directory`` that its access allows, except those that rename,
    /// remove and change, and start threads with ``SystemThread``. Swift's concurrency pool is not available, because its
    /// implementation opens files of `/proc`.
    ///
    /// - Returns: which parts are in effect.
    public func apply() -> ConfinementReport {
        var missing: [ConfinementReport.Part: String] = [:]
        // Counted before the descriptors of /proc are out of reach. The links of a directory are `.`, its entry in the
        // parent and one from each directory in it.
        var tasks = stat()
        let isSingleThreaded = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3

        attempt(.newPrivileges, "prctl(PR_SET_NO_NEW_PRIVS)", &missing) { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) }
        attempt(.dumping, "prctl(PR_SET_DUMPABLE)", &missing) { clinux_prctl(PR_SET_DUMPABLE, 0) }
        closeDescriptors(&missing)
        setLimits(&missing)
        Self.removeCrashHandlers
        restrictFileSystem(&missing, isSingleThreaded: isSingleThreaded)
        // Last, because the calls before are not on its list.
        filterSystemCalls(&missing)
        return ConfinementReport(missing: missing)
    }

    /// Removes Swift's handlers of crashes, once in a process; its copies have none then.
    ///
    /// The handlers start a program that prints the stack, which the kernel would take for an attack: the signal with which
    /// a confined process ends would always be SIGSYS.
    private static let removeCrashHandlers: Void = {
        for each in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(each, SIG_DFL) }
    }()

    /// Computes once what ``apply()`` computes, so that copies of this process, which confine themselves, take less time.
    ///
    /// Swift looks up the conformances of a type when it is used for the first time, which takes longer than its use.
    ///
    /// From then on, this process opens files without openat2(2), which a confined process may not call: its copies do not
    /// have to find that out.
    public static func prepare() {
        removeCrashHandlers
        Directory.avoidOpenat2()
        var missing: [ConfinementReport.Part: String] = [:]
        for (part, reason) in partsOfLaterKernels { missing[part] = reason }
        _ = ConfinementReport(missing: missing).isSufficient
        for access in [Access.creating, .reading] {
            let confinement = Confinement(directories: [], access: access, keeping: [.standardError])
            _ = (confinement.keptNumbers, confinement.limits)
            _ = bits(of: FileRight.allCases, version: 1) | bits(of: rightsBeneath(access), version: 1)
            _ = SystemCallFilter(rules: allowedCalls(process: 0, access: access), architecture: 0).program
        }
    }

    /// Calls a function of the operating system, and records a failure as the reason for which a part is missing.
    func attempt(
        _ part: ConfinementReport.Part, _ function: String, _ missing: inout [ConfinementReport.Part: String],
        _ body: () -> Int32
    ) {
        if body() == -1 { missing[part] = "\(function): \(Errno.current)" }
    }

    /// The limits of resources (setrlimit(2)), each with its name and number.
    private var limits: [(String, UInt32, Int)] {
        [
            ("RLIMIT_DATA", RLIMIT_DATA.rawValue, memoryLimit), ("RLIMIT_CPU", RLIMIT_CPU.rawValue, processorTimeLimit),
            ("RLIMIT_FSIZE", RLIMIT_FSIZE.rawValue, fileSizeLimit),
            ("RLIMIT_NOFILE", RLIMIT_NOFILE.rawValue, openFileLimit), ("RLIMIT_CORE", RLIMIT_CORE.rawValue, 0),
        ]
    }

    private func setLimits(_ missing: inout [ConfinementReport.Part: String]) {
        // Without this the signal SIGXFSZ would end the process, and the writing would not fail.
        Signal(rawValue: SIGXFSZ).ignore()
        for (name, resource, value) in limits {
            attempt(.resourceLimits, "setrlimit(\(name))", &missing) {
                let resource = __rlimit_resource_t(resource)
                // At the hard limit of processor time the signal would be SIGKILL.
                let hard = resource == __rlimit_resource_t(RLIMIT_CPU.rawValue) && value < .max ? value + 1 : value
                let wanted = rlimit(rlim_cur: rlim_t(max(0, value)), rlim_max: rlim_t(max(0, hard)))
                var limit = wanted
                if setrlimit(resource, &limit) == 0 { return 0 }
                // A hard limit can't be raised.
                guard getrlimit(resource, &limit) == 0 else { return -1 }
                limit.rlim_max = min(limit.rlim_max, wanted.rlim_max)
                limit.rlim_cur = min(limit.rlim_max, wanted.rlim_cur)
                return setrlimit(resource, &limit)
            }
        }
    }

    /// The numbers of the descriptors that stay open, in ascending order.
    private var keptNumbers: [Int32] {
        (kept.map(\.rawValue) + directories.map(\.descriptor)).filter { $0 >= 0 }.sorted()
    }

    private func closeDescriptors(_ missing: inout [ConfinementReport.Part: String]) {
        let kept = keptNumbers
        // A file that is opened later must not become a standard stream, to which the runtime writes its last message.
        let streams = (0...2).filter { !kept.contains($0) }
        if !streams.isEmpty {
            let null = clinux_open("/dev/null", O_RDWR | O_CLOEXEC, 0)
            if null == -1 { missing[.descriptors] = "open(/dev/null): \(Errno.current)" }
            for stream in streams where null >= 0 && null != stream {
                attempt(.descriptors, "dup2", &missing) { clinux_duplicate(null, stream) }
            }
        }
        var first: UInt32 = 3
        for number in kept where number > 2 {
            let last = UInt32(number)
            if first < last { attempt(.descriptors, "close_range", &missing) { clinux_close_range(first, last - 1) } }
            first = last + 1
        }
        attempt(.descriptors, "close_range", &missing) { clinux_close_range(first, .max) }
    }

    private func filterSystemCalls(_ missing: inout [ConfinementReport.Part: String]) {
        let architecture = clinux_architecture()
        guard architecture != 0 else {
            missing[.systemCalls] = "no list of system calls for this architecture"
            return
        }
        let rules = Confinement.allowedCalls(process: getpid(), access: access)
        let program = SystemCallFilter(rules: rules, architecture: architecture).program
        let result = clinux_filter_calls(program, UInt16(program.count))
        if result == -1 { missing[.systemCalls] = "seccomp: \(Errno.current)" }
        if result > 0 { missing[.systemCalls] = "seccomp: thread \(result) has a filter of its own" }
    }
}
