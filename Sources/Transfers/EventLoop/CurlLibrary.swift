import StoreCCurl
import Synchronization

/// A namespace for loading libcurl, which has to precede every other use of it.
///
/// The library is loaded with the first transfer or by ``TransferEngine/prepare()``, or when a date of HTTP is parsed, not with
/// the program: together with the libraries that it needs itself it takes milliseconds, in which a daemon that is only asked
/// for a list has already answered.
enum CurlLibrary {
    private static let lock = Mutex(())

    /// Loads and initializes the library unless that was done before; returns whether it can be used.
    ///
    /// After a failure, such as a lack of file descriptors, the next call tries again.
    static func load() -> Bool { lock.withLock { _ in ccurl_load() != 0 } }
}
