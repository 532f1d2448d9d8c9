import StoreModel
import StoreSystem

/// A namespace for finding the bus of the user's session.
public enum SessionBusAddress {
    /// Returns the address of the session's bus: that of the environment, or the one of systemd's user manager.
    ///
    /// - Returns: `nil` where there is no session, as for cron or a container.
    public static func find(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/"),
            !FilePaths.isMissing(directory + "/bus")
        else { return nil }
        return "unix:path=" + escaped(directory) + "/bus"
    }

    /// Returns a path as a value of an address of D-Bus, in which other bytes than these are escaped (D-Bus
    /// Specification, "Server Addresses").
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            unescaped.contains(byte) ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte])
        }.joined()
    }

    private static let unescaped = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/.\\".utf8)
}
