import FoundationEssentials
import Glibc

/// The sanitizers that tests may be built with.
public enum Sanitizers {
    /// Whether this process and the programs beside it run with a sanitizer.
    ///
    /// A sanitizer keeps shadow memory and delays the release of freed memory, so process sizes are meaningless.
    public static let areEnabled = isThread || dlsym(nil, "__asan_init") != nil

    /// Whether it is the thread sanitizer.
    public static let isThread = dlsym(nil, "__tsan_init") != nil

    /// Returns whether the memory of processes can be judged; notes otherwise that the current test leaves that out.
    public static func canCheckMemory() -> Bool {
        if areEnabled { noteSkipped("memory is not measured with a sanitizer") }
        return !areEnabled
    }

    /// The environment variables that started programs need from this process.
    public static let environment: [String: String] = {
        let names = [
            "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE", "LD_LIBRARY_PATH", "LD_PRELOAD",
        ]
        return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
    }()
}
