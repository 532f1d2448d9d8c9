import Glibc
import StoreCLinux
public import StoreModel

/// A handle of a program that was started in its own session and keeps running after this process has ended.
///
/// It is the child of an intermediate process, so it never becomes a zombie of this one.
public struct DetachedProcess: Sendable {
    /// The id of the intermediate process, which exits with the program's exit code.
    private let between: Int32

    /// Starts a program in its own session, with `/dev/null` as input and output, in the directory `/`.
    ///
    /// When it returns, the program is about to run, also if the handle is released at once.
    ///
    /// - Parameters:
    ///   - words: the program's absolute path and its arguments.
    ///   - errors: the file that receives the program's standard error.
    public static func start(_ words: [String], errors: OpenFile) throws(StoreError) -> DetachedProcess {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        let between = clinux_start_detached(arguments, errors.descriptor)
        guard between > 0 else { throw StoreError(call: "fork", path: words.first ?? "", errno: .current) }
        return DetachedProcess(between: between)
    }

    /// Returns the exit code of the detached program once it has exited, else `nil`.
    ///
    /// Not to be called again after a code was returned. The code is 127 where the program could not be run, and 128
    /// plus the number of the signal that ended it.
    public func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(between, &status, WNOHANG) == between else { return nil }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Stops observing the detached program, which keeps running.
    ///
    /// Not to be called after ``exitCode()`` has returned a code.
    public func release() {
        kill(between, SIGKILL)
        var status: Int32 = 0
        while waitpid(between, &status, 0) == -1, errno == EINTR {}
    }
}
