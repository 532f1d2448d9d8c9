import FoundationEssentials
import Glibc

/// The sanitizers that tests may be built with.
public enum Sanitizers {
    /// Whether this process, and the programs beside it, run with one.
    ///
    /// It keeps a shadow of all memory and does not give freed memory back at once, so that sizes of processes then say
    /// nothing.
    public static let areOn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    /// What programs that are started need of this process's environment.
    public static let environment: [String: String] = {
        let names = ["ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE", "LD_LIBRARY_PATH", "LD_PRELOAD"]
        return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
    }()
}
