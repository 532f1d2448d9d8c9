import Dispatch
import Glibc
import StoreCLinux
import Synchronization

/// An observer of changes of the machine's links, addresses and routes (rtnetlink(7)).
///
/// The observation ends when the object is released.
public final class NetworkChanges: Sendable {
    private let source: Mutex<any DispatchSourceRead>

    /// Starts to observe changes of the machine's links, addresses and routes.
    ///
    /// - Parameter changed: called on a dispatch queue of its own, once or more for each change.
    /// - Returns: `nil` where the system does not report changes.
    public init?(_ changed: @escaping @Sendable () -> Void) {
        let descriptor = clinux_open_network_changes()
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "system.network-changes"))
        source.setEventHandler {
            // The kind of change does not matter. An overflow of the socket's buffer (ENOBUFS) is a change, too.
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 || errno == ENOBUFS
                || errno == EINTR
            {}
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = Mutex(source)
    }

    deinit { source.withLock { $0.cancel() } }
}
