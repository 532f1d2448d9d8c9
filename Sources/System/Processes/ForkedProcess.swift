import Glibc
import StoreCLinux
public import StoreModel

/// How a process has ended, and what it used, as the kernel counts it.
public struct ProcessEnd: Sendable, Hashable {
    /// The code with which the process exited; `nil` where a signal ended it.
    public var exitCode: Int32?
    /// The number of the signal that ended the process; `nil` where it exited.
    public var signal: Int32?
    /// The most bytes that the process had in physical memory at once.
    public var largestMemory: Int

    /// Creates a description of how a process ended.
    public init(exitCode: Int32? = nil, signal: Int32? = nil, largestMemory: Int = 0) {
        self.exitCode = exitCode
        self.signal = signal
        self.largestMemory = largestMemory
    }
}

/// A copy of this process (fork(2)), which does one piece of work and ends.
public struct ForkedProcess: Sendable {
    private let identifier: Int32

    /// Starts a copy of this process, which must have one thread.
    ///
    /// The copy is killed by the kernel when this process ends before it.
    ///
    /// - Parameter body: the work of the copy; it returns the copy's exit code. Work that uses other
    ///   threads must run in ``SystemThread/run(_:)``.
    public static func start(_ body: () -> Int32) throws(SystemCallError) -> ForkedProcess {
        let parent = getpid()
        let identifier = try systemCall("fork") { clinux_fork() }
        if identifier != 0 { return ForkedProcess(identifier: identifier) }
        // The parent may have ended before its end could be a signal.
        guard clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0, getppid() == parent else { _exit(1) }
        _exit(body())
    }

    /// Waits until the process has ended, and kills it once the other end of a socket is closed.
    public func wait(whileOpen socket: MessageSocket) throws(SystemCallError) -> ProcessEnd {
        let process = try systemCall("pidfd_open") { clinux_open_process(identifier) }
        clinux_await_process(process, identifier, socket.descriptor)
        close(process)
        var status: Int32 = 0
        var usage = rusage()
        try systemCall("wait4") { wait4(identifier, &status, 0, &usage) }
        let signal = status & 0x7F
        // The kernel counts in kibibytes (getrusage(2)).
        return ProcessEnd(
            exitCode: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal,
            largestMemory: usage.ru_maxrss * 1024)
    }
}
