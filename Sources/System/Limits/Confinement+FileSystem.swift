import Glibc
import StoreCLinux
import StoreModel

extension Confinement {
    /// The rights of Landlock, with the bits of <linux/landlock.h>.
    enum FileRight: UInt64, CaseIterable {
        case execute = 0
        case writeFile, readFile, readDirectory, removeDirectory, removeFile
        case makeCharacterDevice, makeDirectory, makeFile, makeSocket, makePipe, makeBlockDevice, makeSymbolicLink
        /// Moving or linking a file to another directory, which ABI 1 always denies.
        case refer
        case truncate, controlDevice
        /// Finding a unix socket by its path.
        case resolveSocket

        /// The first version of Landlock's ABI that has the right.
        var version: Int32 {
            switch self {
            case .refer: 2
            case .truncate: 3
            case .controlDevice: 5
            case .resolveSocket: 9
            default: 1
            }
        }
    }

    /// The rights that remain beneath the directories.
    ///
    /// A directory in which files are created has to be opened, for which the right to list it is needed. Files are
    /// created for reading and writing; that no other file is opened is left to the filter of system calls.
    static func rightsBeneath(_ access: Access) -> Set<FileRight> {
        switch access {
        case .creating: [.readFile, .writeFile, .truncate, .makeFile, .makeDirectory, .readDirectory]
        case .reading: [.readFile, .readDirectory]
        }
    }

    /// The bits of those rights that a version of Landlock's ABI has.
    static func bits(of rights: some Sequence<FileRight>, version: Int32) -> UInt64 {
        rights.filter { $0.version <= version }.reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// The parts of the confinement that Landlock provides, each with the first version of its ABI.
    static let landlockParts: [(part: ConfinementReport.Part, version: Int32)] = [
        (.fileSystem, 1), (.truncation, 3), (.network, 4), (.deviceControl, 5), (.scope, 6), (.socketPaths, 9),
    ]

    /// Denies what Landlock can deny in this kernel.
    func restrictFileSystem(_ missing: inout [ConfinementReport.Part: String], isSingleThreaded: Bool) {
        let (version, error) = Confinement.landlock
        if version < 1 {
            let reason = "no Landlock: \(error)"
            for each in Confinement.landlockParts { missing[each.part] = reason }
            return
        }
        var reason: String?
        var ruleset = clinux_landlock_ruleset()
        ruleset.file_rights = Confinement.bits(of: FileRight.allCases, version: version)
        // Binding and connecting of TCP sockets.
        if version >= 4 { ruleset.network_rights = 0b11 }
        // Abstract unix sockets, and signals.
        if version >= 6 { ruleset.scopes = 0b11 }
        let rules = clinux_landlock_create(&ruleset)
        if rules == -1 {
            reason = "landlock_create_ruleset: \(Errno.current)"
        } else {
            let rights = Confinement.bits(of: Confinement.rightsBeneath(access), version: version)
            if directories.contains(where: { clinux_landlock_allow(rules, $0.descriptor, rights) == -1 }) {
                reason = "landlock_add_rule: \(Errno.current)"
            } else if clinux_landlock_restrict(rules) == -1 {
                reason = "landlock_restrict_self: \(Errno.current)"
            } else if !isSingleThreaded {
                reason = "other threads were started before, which Landlock does not confine"
            }
            close(rules)
        }
        if let reason {
            for each in Confinement.landlockParts { missing[each.part] = reason }
        } else {
            for (part, reason) in Confinement.partsOfLaterKernels { missing[part] = reason }
        }
    }

    /// What a confined process lacks on this kernel, found without starting one.
    ///
    /// Whether the rest takes effect is only known when a process has confined itself.
    public static var expectedReport: ConfinementReport {
        var missing = partsOfLaterKernels
        let (version, error) = landlock
        if version < 1 {
            for each in landlockParts { missing[each.part] = "no Landlock: \(error)" }
        }
        if clinux_prctl(PR_GET_SECCOMP, 0) == -1 { missing[.systemCalls] = "seccomp: \(Errno.current)" }
        return ConfinementReport(missing: missing)
    }

    /// The version of the kernel's Landlock; -1 without any, and then the error.
    private static let landlock: (version: Int32, error: Errno) = {
        let version = clinux_landlock_version()
        return (version, .current)
    }()

    /// The parts that need a later version of Landlock than the kernel's, each with the reason why it is missing.
    static let partsOfLaterKernels: [ConfinementReport.Part: String] = {
        let later = landlockParts.filter { $0.version > landlock.version }
        return Dictionary(
            uniqueKeysWithValues: later.map { each in
                let reason = EnglishText.filled(
                    "needs version {version} of Landlock, and the kernel has {found}",
                    ["version": "\(each.version)", "found": "\(landlock.version)"])
                return (each.part, reason)
            })
    }()
}
