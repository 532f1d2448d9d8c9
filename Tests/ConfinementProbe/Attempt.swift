import Glibc
import StoreSystem

/// What the probe has open, or has learned, before it confines itself.
struct FilesBeforeConfinement {
    let directory: Directory
    /// The connected ends of a socket pair, which stay open.
    let sockets: (Int32, Int32)
    /// A descriptor that the confinement closes.
    let inherited: Int32
    /// The id of the process that started the probe.
    let parent: Int32
    /// The path that the attempt concerns.
    let path: String
    /// The archive of a worker, and the pipe for its report; -1 if the probe is no worker.
    var archive: Int32 = -1
    var report: Int32 = -1
}

/// A namespace of what the probe can try.
///
/// An attempt returns 0 or the error number of the call that failed.
enum Attempt {
    typealias Body = (FilesBeforeConfinement) throws -> Int32

    static var all: [String: Body] {
        work.merging(files) { first, _ in first }.merging(processes) { first, _ in first }
            .merging(limits) { first, _ in first }.merging(worker) { first, _ in first }
    }

    // MARK: System calls

    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

    /// The function syscall(2), which is variadic, so that Swift does not import it; it takes all arguments in registers.
    private static let systemCall = unsafeBitCast(dlsym(nil, "syscall"), to: SystemCall.self)

    /// Makes a system call, and returns 0 or its error number.
    static func call(_ number: Int, _ arguments: Int...) -> Int32 {
        let all = arguments + [Int](repeating: 0, count: 6 - arguments.count)
        return systemCall(number, all[0], all[1], all[2], all[3], all[4], all[5]) == -1 ? errno : 0
    }

    /// The number of the calling thread; glibc declares gettid(2) only with _GNU_SOURCE.
    static var thread: Int { Int(systemCall(Number.gettid, 0, 0, 0, 0, 0, 0)) }

    /// Makes a system call with a path, and returns 0 or its error number.
    static func call(_ number: Int, _ descriptor: Int32, _ path: String, _ arguments: Int...) -> Int32 {
        path.withCString { pointer in
            let all = [Int(descriptor), Int(bitPattern: pointer)] + arguments + [0, 0, 0, 0]
            return systemCall(number, all[0], all[1], all[2], all[3], all[4], all[5]) == -1 ? errno : 0
        }
    }

    #if arch(x86_64)
        enum Number {
            static let openat = 257, openat2 = 437, mkdirat = 258, mknodat = 259, unlinkat = 263, renameat2 = 316
            static let linkat = 265, symlinkat = 266, fchmod = 91, socket = 41, connect = 42, execve = 59, clone = 56
            static let clone3 = 435, kill = 62, tgkill = 234, ptrace = 101, readMemory = 310, writeMemory = 311
            static let ringSetup = 425, prctl = 157, setLimit = 302, getdents = 217, newfstatat = 262, gettid = 186
        }
    #else
        // The numbers of all architectures that came later (<asm-generic/unistd.h>).
        enum Number {
            static let openat = 56, openat2 = 437, mkdirat = 34, mknodat = 33, unlinkat = 35, renameat2 = 276
            static let linkat = 37, symlinkat = 36, fchmod = 52, socket = 198, connect = 203, execve = 221, clone = 220
            static let clone3 = 435, kill = 129, tgkill = 131, ptrace = 117, readMemory = 270, writeMemory = 271
            static let ringSetup = 425, prctl = 167, setLimit = 261, getdents = 61, newfstatat = 79, gettid = 178
        }
    #endif
}
