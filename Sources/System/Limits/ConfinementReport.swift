import StoreModel

/// Which parts of a ``Confinement`` are in effect in this process, and why the others are not.
///
/// Older kernels lack some parts. A caller decides with ``missing`` whether it goes on without them.
public struct ConfinementReport: Sendable {
    /// A part of a confinement.
    public enum Part: String, Sendable, CaseIterable {
        /// Programs with the setuid or setgid bit give no privileges (`PR_SET_NO_NEW_PRIVS`; Linux 3.5).
        case newPrivileges
        /// No process of the same user traces this one or reads its memory, and no core is dumped (`PR_SET_DUMPABLE`).
        case dumping
        /// The limits of memory, processor time, file size, open files and core files (setrlimit(2)).
        case resourceLimits
        /// Descriptors that were not named are closed, and not named standard streams are `/dev/null` (Linux 5.9).
        case descriptors
        /// No file is executed, renamed, linked or removed, and files and directories are read or created only beneath the
        /// directory (Landlock ABI 1; Linux 5.13).
        case fileSystem
        /// No file outside of the directory is truncated (Landlock ABI 3; Linux 6.2).
        case truncation
        /// No TCP port is bound or connected to (Landlock ABI 4; Linux 6.7).
        case network
        /// No device that is opened is controlled by ioctl(2) (Landlock ABI 5; Linux 6.10).
        case deviceControl
        /// No signal reaches a process outside, and no abstract unix socket is connected to (Landlock ABI 6; Linux 6.12).
        case scope
        /// No unix socket outside is found by its path (Landlock ABI 9).
        case socketPaths
        /// The kernel kills the process at a system call that it does not need (seccomp(2); Linux 4.14).
        case systemCalls

        /// What is not restricted in a process without the part, for display.
        public var restricted: String {
            switch self {
            case .newPrivileges: EnglishText.filled("programs with other privileges")
            case .dumping: EnglishText.filled("access by the user's other processes")
            case .resourceLimits: EnglishText.filled("memory and processor time")
            case .descriptors: EnglishText.filled("inherited open files")
            case .fileSystem: EnglishText.filled("files")
            case .truncation: EnglishText.filled("truncating files")
            case .network: EnglishText.filled("TCP ports")
            case .deviceControl: EnglishText.filled("control of devices")
            case .scope: EnglishText.filled("signals and abstract unix sockets")
            case .socketPaths: EnglishText.filled("connecting to unix sockets")
            case .systemCalls: EnglishText.filled("system calls")
            }
        }
    }

    /// The parts that are not in effect, each with the reason.
    public let missing: [Part: String]

    /// Creates a report from the parts that are not in effect.
    public init(missing: [Part: String]) { self.missing = missing }

    /// Whether a part is in effect.
    public func isInEffect(_ part: Part) -> Bool { missing[part] == nil }

    /// Whether the process is confined to files beneath the directory and to the calls that it needs.
    ///
    /// Parts beyond these are a second line of defence on newer kernels: the filter of system calls forbids what they do.
    public var isSufficient: Bool {
        Set(missing.keys).isSubset(of: [.truncation, .network, .deviceControl, .scope, .socketPaths])
    }
}
