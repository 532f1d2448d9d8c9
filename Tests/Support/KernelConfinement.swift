import Glibc
public import StoreSystem

/// What the kernel of this machine has for the confinement of a process.
///
/// Tests ask the kernel themselves. If the code that they test said what is missing, a defect of it could skip the tests
/// that are to find it.
public enum KernelConfinement {
    /// Returns why a part can't take effect here, for display; `nil` if it can.
    public static func obstacle(to part: ConfinementReport.Part) -> String? {
        switch part {
        case .newPrivileges, .dumping, .resourceLimits: nil
        // No descriptor has the number.
        case .descriptors: error(of: "close_range", closeRange, Int(UInt32.max), Int(UInt32.max), 0)
        case .fileSystem: landlockObstacle(1)
        case .truncation: landlockObstacle(3)
        case .network: landlockObstacle(4)
        case .deviceControl: landlockObstacle(5)
        case .scope: landlockObstacle(6)
        case .socketPaths: landlockObstacle(9)
        case .systemCalls:
            // SECCOMP_GET_ACTION_AVAIL of SECCOMP_RET_KILL_PROCESS (<linux/seccomp.h>).
            withUnsafePointer(to: UInt32(0x8000_0000)) { error(of: "seccomp", seccomp, 2, 0, Int(bitPattern: $0)) }
        }
    }

    /// Why no process can read packs in confinement here, for display; `nil` if one can.
    ///
    /// The parts are those without which the daemon uses no such process, and which a kernel may lack or a container
    /// forbid.
    public static var obstacleToWorkers: String? {
        let parts: [ConfinementReport.Part] = [.descriptors, .fileSystem, .systemCalls]
        return parts.compactMap { obstacle(to: $0) }.first
    }

    private static func landlockObstacle(_ wanted: Int) -> String? {
        // LANDLOCK_CREATE_RULESET_VERSION (<linux/landlock.h>).
        if let reason = error(of: "landlock_create_ruleset", createRuleset, 0, 0, 1) { return reason }
        let version = systemCall(createRuleset, 0, 0, 1)
        return version < wanted ? "version \(version) of Landlock, and not \(wanted)" : nil
    }

    // MARK: System calls

    private typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int

    /// The function syscall(2), which is variadic, so that Swift does not import it; it takes all arguments in registers.
    private static let systemCall = unsafeBitCast(dlsym(nil, "syscall"), to: SystemCall.self)

    /// Makes a system call, and returns the kernel's error, for display; `nil` without one.
    private static func error(
        of name: String, _ number: Int, _ first: Int, _ second: Int, _ third: Int
    ) -> String? {
        guard systemCall(number, first, second, third) == -1 else { return nil }
        let error = Errno(rawValue: errno)
        return "\(name): \(error)"
    }

    private static let createRuleset = 444
    private static let closeRange = 436
    #if arch(x86_64)
        private static let seccomp = 317
    #else
        // The number of all architectures that came later (<asm-generic/unistd.h>).
        private static let seccomp = 277
    #endif
}
