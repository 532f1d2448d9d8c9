import StoreCLinux

/// Who is at the other end of a unix socket.
public enum PeerCredentials {
    /// The user id that the other end had when it connected (SO_PEERCRED, see unix(7)): the kernel noted it, so it
    /// can't be forged.
    ///
    /// - Parameter descriptor: of a connected unix socket.
    /// - Returns: `nil` where the descriptor is not one.
    public static func user(of descriptor: Int32) -> UInt32? {
        let user = clinux_peer_user(descriptor)
        return user == .max ? nil : user
    }
}
