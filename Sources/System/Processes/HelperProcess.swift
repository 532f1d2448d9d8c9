import Glibc
import StoreCLinux
public import StoreModel
import Synchronization

/// A program that this process has started, with a connected socket as its standard input.
///
/// The program is killed when the object is released.
public final class HelperProcess: Sendable {
    /// The process id of the program.
    public let identifier: Int32
    private let isReaped = Mutex(false)

    /// Starts a program that has a socket as standard input, and only standard error besides.
    ///
    /// It has an empty environment, ends with its default for every signal, and its standard output is `/dev/null`.
    ///
    /// - Parameters:
    ///   - words: the program's absolute path and its arguments.
    ///   - socket: the program's end of a pair of sockets.
    public init(_ words: [String], input socket: MessageSocket) throws(SystemCallError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copy stays open in the program, because dup2(2) does not copy the flag FD_CLOEXEC.
        posix_spawn_file_actions_adddup2(&actions, socket.descriptor, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        clinux_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, so that Ctrl-C in a terminal ends it with this process and not before.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for text in arguments { free(text) } }
        var child: pid_t = 0
        let number = posix_spawn(&child, words[0], &actions, &attributes, &arguments, &environment)
        guard number == 0 else { throw SystemCallError(function: "posix_spawn", errno: Errno(rawValue: number)) }
        identifier = child
    }

    deinit { end() }

    /// Kills the program, and waits until it has ended.
    public func end() {
        isReaped.withLock { isReaped in
            if isReaped { return }
            isReaped = true
            kill(identifier, SIGKILL)
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        }
    }
}
