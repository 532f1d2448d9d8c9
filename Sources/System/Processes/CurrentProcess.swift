import Glibc
import StoreCLinux
public import StoreModel

/// A namespace of functions that describe, end or replace the process that runs this code.
public enum CurrentProcess {
    /// The process id of this process.
    public static var identifier: Int32 { getpid() }

    /// The effective user id of the process, which the kernel uses for permission checks.
    public static var effectiveUser: UInt32 { geteuid() }

    /// The path of the running program's executable file; `nil` where the kernel does not report it.
    public static var programPath: String? { FilePaths.linkTarget("/proc/self/exe") }

    /// The path of this process's working directory; `nil` where the kernel does not report it.
    static var workingDirectory: String? { FilePaths.linkTarget("/proc/self/cwd") }

    /// Makes programs with the setuid or setgid bit give no privileges to this process and to all that it starts
    /// (`PR_SET_NO_NEW_PRIVS`).
    ///
    /// - Returns: whether the kernel does so.
    @discardableResult
    public static func refuseNewPrivileges() -> Bool { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 }

    /// Ends the process with an exit code, after the C library's output buffers are written.
    public static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

    /// Replaces the running program by another (execv(3)).
    ///
    /// The process's id, environment and open standard streams remain. Returns only by throwing.
    ///
    /// - Parameters:
    ///   - program: the program's path.
    ///   - arguments: the program's arguments without its name.
    public static func replace(with program: String, arguments: [String]) throws(StoreError) -> Never {
        var pointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &pointers)
        let reason = Errno.current
        for pointer in pointers { free(pointer) }
        throw StoreError(call: "execv", path: program, errno: reason)
    }
}

/// A namespace of functions that name the users of the machine.
public enum UserNames {
    /// Returns a user as text for a message: `user 'bob' (1000)`, or `user 1000` if the user has no name.
    public static func describe(_ identifier: UInt32) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        guard getpwuid_r(identifier, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return "user \(identifier)" }
        return "user '\(String(cString: name))' (\(identifier))"
    }
}

/// A namespace of functions that examine the processes of the machine.
public enum ProcessTable {
    /// Returns whether a process with this id exists and this user may send signals to it.
    ///
    /// After a crash the id may have been reused by another program.
    public static func isRunning(_ identifier: Int32) -> Bool { kill(identifier, 0) == 0 }
}
