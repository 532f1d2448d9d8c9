public import StoreModel

extension SystemCallError {
    /// Creates the error of a failed system call from the function's name and the error number.
    public init(function: String, errno: Errno) {
        self.init(number: errno.rawValue, function: function, reason: errno.description)
    }

    /// The error number (`errno`) of the failed system call.
    public var errno: Errno { Errno(rawValue: number) }
}

/// Calls a function of the operating system, and repeats the call while a signal interrupts it.
///
/// - Parameters:
///   - function: the function's name, for the error.
///   - body: calls the function once and returns its result, -1 for a failure with `errno` set.
/// - Throws: ``SystemCallError`` for every failure but EINTR.
@discardableResult
func systemCall<Result: SignedInteger>(
    _ function: String, _ body: () -> Result
) throws(SystemCallError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let reason = Errno.current
        if reason != .interrupted { throw SystemCallError(function: function, errno: reason) }
    }
}

/// Calls a function of the operating system that works on a file, and repeats the call while a signal interrupts it.
///
/// - Parameters:
///   - function: the function's name, for the error.
///   - path: the file's path, for the error; evaluated only when the call fails.
///   - body: calls the function once and returns its result, -1 for a failure with `errno` set.
/// - Throws: ``StoreError`` for every failure but EINTR.
@discardableResult
func systemCall<Result: SignedInteger>(
    _ function: String, on path: @autoclosure () -> String, _ body: () -> Result
) throws(StoreError) -> Result {
    do throws(SystemCallError) {
        return try systemCall(function, body)
    } catch {
        throw StoreError(error, path: path())
    }
}
