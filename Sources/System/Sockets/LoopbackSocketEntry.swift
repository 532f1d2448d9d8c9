/// A line of the kernel's list of TCP sockets, `/proc/net/tcp` or `/proc/net/tcp6` (proc(5)).
struct LoopbackSocketEntry: Equatable {
    let localPort: UInt16
    let remotePort: UInt16
    /// The id of the user who created the socket.
    let user: UInt32
    /// Whether both addresses are 127.0.0.1, or both ::1.
    let isLoopback: Bool

    // The words of the list are in the byte order of the machine, which is little-endian on all supported ones.
    private static let loopback: Set<Substring> = ["0100007F", "00000000000000000000000001000000"]

    /// Reads a line; `nil` for the heading, and for a socket that is not connected or no longer belongs to a process.
    ///
    /// The kernel states user 0 for a socket whose process has closed it, which must not be taken for the administrator.
    init?(_ line: String) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        // sl, local_address, rem_address, st, tx:rx, tr:tm, retrnsmt, uid, timeout, inode
        guard fields.count > 9, fields[3] == "01", fields[9] != "0", let user = UInt32(fields[7]) else { return nil }
        let (local, remote) = (fields[1].split(separator: ":"), fields[2].split(separator: ":"))
        guard local.count == 2, remote.count == 2, let localPort = UInt16(local[1], radix: 16),
            let remotePort = UInt16(remote[1], radix: 16)
        else { return nil }
        self.localPort = localPort
        self.remotePort = remotePort
        self.user = user
        isLoopback = local[0] == remote[0] && Self.loopback.contains(local[0])
    }
}
