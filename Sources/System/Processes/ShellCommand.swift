import FoundationEssentials
import Glibc
import StoreCLinux
public import StoreModel

/// A namespace for running a command of the user's, such as a pager, in a shell.
public enum ShellCommand {
    /// Runs a shell command on this process's terminal with a text as its standard input, and waits for its end.
    ///
    /// As in system(3), Ctrl-C and Ctrl-\ interrupt the command and not this process. A command that ends before it has
    /// read the whole text is no error. Signals concern the whole process: not to be called twice at once.
    ///
    /// - Parameter variables: environment variables of the command in addition to those of this process.
    /// - Returns: the command's exit code, or 128 plus the number of the signal that ended it.
    public static func run(
        _ command: String, input: String, variables: [String: String] = [:]
    ) throws(SystemCallError) -> Int32 {
        var ends: [Int32] = [0, 0]
        // Another thread may start a process meanwhile, which must not keep the pipe open.
        try systemCall("pipe2") { clinux_pipe(&ends) }
        let (reader, writer) = (Descriptor(ends[0]), Descriptor(ends[1]))
        return try run(command, variables, input: reader.number) {
            reader.close()
            try? FileDescriptor(rawValue: writer.number).writeAll(input)
            writer.close()
        }
    }

    /// Runs a shell command with bytes as its standard input, waits for its end, and returns what it printed.
    ///
    /// Otherwise as ``run(_:input:variables:)``. The command's standard error is that of this process.
    ///
    /// - Parameter limit: the maximum length of the output in bytes; the rest is dropped.
    /// - Returns: the command's exit code, and the content of its standard output.
    public static func output(
        of command: String, input: [UInt8], variables: [String: String] = [:], limit: Int = 1 << 16
    ) throws(SystemCallError) -> (exitCode: Int32, output: [UInt8]) {
        // Not a pipe: a command that prints while it reads would wait for its output to be read.
        let memory = Descriptor(try systemCall("memfd_create") { clinux_open_memory("input") })
        let written = input.withUnsafeBytes { bytes in
            Result { () throws(SystemCallError) in try FileDescriptor(rawValue: memory.number).writeAll(bytes) }
        }
        try written.get()
        try systemCall("lseek") { lseek(memory.number, 0, SEEK_SET) }
        var ends: [Int32] = [0, 0]
        try systemCall("pipe2") { clinux_pipe(&ends) }
        let (reader, writer) = (Descriptor(ends[0]), Descriptor(ends[1]))
        var output: [UInt8] = []
        let exitCode = try run(command, variables, input: memory.number, output: writer.number) {
            writer.close()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = (try? systemCall("read") { read(reader.number, &buffer, buffer.count) }) ?? 0
                if count == 0 { break }
                output += buffer[..<min(count, limit - output.count)]
            }
        }
        return withExtendedLifetime(memory) { (exitCode, output) }
    }

    /// Runs a shell command, and waits for its end.
    ///
    /// - Parameters:
    ///   - input: the descriptor of the command's standard input.
    ///   - output: the descriptor of the command's standard output; `nil` if it is that of this process.
    ///   - whileRunning: called after the command has started. The command has copies of both descriptors, so that these may be
    ///     closed.
    private static func run(
        _ command: String, _ variables: [String: String], input: Int32, output: Int32? = nil, _ whileRunning: () -> Void
    ) throws(SystemCallError) -> Int32 {
        let previous = [SIGINT, SIGQUIT, SIGPIPE].map { (number: $0, handler: signal($0, SIG_IGN)) }
        defer { for (number, handler) in previous { _ = signal(number, handler) } }
        let child = try spawn(["/bin/sh", "-c", command], input: input, output: output, variables)
        whileRunning()
        var status: Int32 = 0
        try systemCall("waitpid") { waitpid(child, &status, 0) }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// A descriptor that is closed at the latest when the object is released.
    private final class Descriptor {
        let number: Int32
        private var isOpen = true

        init(_ number: Int32) { self.number = number }
        deinit { close() }

        func close() {
            if isOpen { Glibc.close(number) }
            isOpen = false
        }
    }

    private static func spawn(
        _ words: [String], input: Int32, output: Int32?, _ variables: [String: String]
    ) throws(SystemCallError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copy stays open in the program, because dup2(2) does not copy the flag FD_CLOEXEC.
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        var environment = ProcessInfo.processInfo.environment
        environment.merge(variables) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var child: pid_t = 0
        let number = SpawnAttributes.withDefaultSignals {
            posix_spawn(
                &child, words[0], &actions, $0.assumingMemoryBound(to: posix_spawnattr_t.self), &arguments, &settings)
        }
        guard number == 0 else { throw SystemCallError(function: "posix_spawn", errno: Errno(rawValue: number)) }
        return child
    }
}
