import Glibc
public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test on a machine that lacks a file of a Debian package.
    ///
    /// The reason ends with the package's name. `scripts/test` installs the packages that tests need, and fails if a
    /// test was skipped for want of one.
    public static func needs(_ path: String, debian package: String) -> Self {
        .enabled("there is no \(path) (Debian: \(package))") { access(path, R_OK) == 0 }
    }

    /// Skips a test of programs that confine themselves where they are built with a sanitizer.
    ///
    /// A sanitizer makes system calls that such a program is not allowed.
    public static var needsConfinement: Self {
        .enabled(if: !Sanitizers.areEnabled, "a sanitizer does not work in a confined process")
    }
}

/// Skips the current test, or the current case of a test with arguments, and prints the reason.
///
/// A test must not return where it checked nothing: that would count as passed. `scripts/test` lists what is printed here.
public func skip(_ reason: String) throws -> Never {
    noteSkipped(reason)
    try Test.cancel(Comment(rawValue: reason))
}

/// Prints that the current test leaves out a part on this machine, and why, while the rest of it runs.
///
/// `scripts/test` lists what is printed here together with the tests that were skipped.
public func noteSkipped(_ part: String) {
    // One call writes the line, so that it does not mix with those of tests that run at the same time.
    let line = "skipped: \(Test.current?.displayName ?? Test.current?.name ?? "?"): \(part)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}

/// Skips the current test if no directory of `PATH` has a program of a Debian package.
public func need(_ program: String, debian package: String) throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    guard path.split(separator: ":").contains(where: { access("\($0)/\(program)", X_OK) == 0 }) else {
        try skip("there is no \(program) (Debian: \(package))")
    }
}
