import Glibc
public import StoreModel

/// The process that runs this code.
public enum CurrentProcess {
    /// The process's id.
    public static var identifier: Int32 { getpid() }

    /// The id of the user whose permissions count.
    public static var effectiveUser: UInt32 { geteuid() }

    /// The path of the program's file; `nil` where the kernel does not tell.
    public static var programPath: String? { FilePaths.linkTarget("/proc/self/exe") }

    /// The path of the working directory; `nil` where the kernel does not tell.
    static var workingDirectory: String? { FilePaths.linkTarget("/proc/self/cwd") }

    /// Ends the process after writing what the C library has buffered.
    public static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

    /// Replaces the process by another program (execv(3)), which keeps the process's id, environment and open standard
    /// streams.
    ///
    /// Returns only by throwing.
    ///
    /// - Parameters:
    ///   - program: the program's path.
    ///   - arguments: the program's arguments without its name.
    public static func replace(with program: String, arguments: [String]) throws(FileError) -> Never {
        var pointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &pointers)
        let reason = Errno.current
        for pointer in pointers { free(pointer) }
        throw FileError(call: "execv", path: program, errno: reason)
    }
}

/// Other processes of the machine.
public enum ProcessTable {
    /// Returns whether a process with this id runs that this user may signal.
    ///
    /// After a crash the id may belong to another program than the one that had it.
    public static func isRunning(_ identifier: Int32) -> Bool { kill(identifier, 0) == 0 }
}
