import Glibc
import StoreCLinux

/// A program that was started to live on without its starter: in a session of its own, with nothing of ours open, and
/// never a zombie of ours.
public struct DetachedProcess: Sendable {
    /// The process between us and the program, which ends with the program's exit code.
    private let between: Int32

    /// Starts a program. Its input and output are `/dev/null`, its current folder is `/`.
    ///
    /// - Parameters:
    ///   - words: the program's absolute path, and what it is told.
    ///   - errors: what its standard error goes to.
    public static func start(_ words: [String], errors: OpenFile) throws(FileError) -> DetachedProcess {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        let between = clinux_start_detached(arguments, errors.descriptor)
        guard between > 0 else { throw FileError(call: "fork", path: words.first ?? "", errno: .current) }
        return DetachedProcess(between: between)
    }

    /// The program's exit code if it has ended, 127 where it could not be run, 128 and the number of the signal that
    /// ended it; else `nil`. Not to be asked again after the end.
    public func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(between, &status, WNOHANG) == between else { return nil }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Lets the program go on alone. Not to be called after ``exitCode()`` has told its end.
    public func release() {
        kill(between, SIGKILL)
        var status: Int32 = 0
        while waitpid(between, &status, 0) == -1, errno == EINTR {}
    }
}
