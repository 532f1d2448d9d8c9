import StoreCSystemd
import StoreMessages
import StoreModel
import StoreSystem

/// A connection to the bus of the user's session (D-Bus), which one thread uses.
///
/// Calls wait for their replies, at most for ``timeout``.
final class SessionBus {
    /// The maximum time for one call.
    private static let timeout = Duration.seconds(5)
    /// The name of the program, and of its icon and desktop entry.
    private static let application = "storectl"

    /// A signal of the notification server.
    enum Signal {
        case action(number: UInt32, key: String, sender: String)
        case closed(number: UInt32, sender: String)
    }

    private let bus: OpaquePointer
    /// Whether the signals of the notification server are received.
    private var isWatching = false
    private var openedAddresses = 0

    /// Begins to connect to the bus at an address of D-Bus, such as `unix:path=/run/user/1000/bus`.
    init(address: String) throws(SystemCallError) {
        var created: OpaquePointer?
        try Self.check("sd_bus_start", csystemd_connect(address, UInt64(Self.timeout / .microseconds(1)), &created))
        guard let created else { throw SystemCallError(function: "sd_bus_start", errno: .invalidArgument) }
        bus = created
    }

    deinit { sd_bus_flush_close_unref(bus) }

    // MARK: Notifications

    /// Shows a notification in place of another one, unless that number is 0.
    ///
    /// - Returns: the number of the notification, and the server that shows it, whose signals are about it.
    func show(
        _ notification: DesktopNotification, replacing replaced: UInt32, _ messages: Messages
    ) throws(SystemCallError) -> (number: UInt32, server: String) {
        if !isWatching {
            try Self.check("AddMatch", csystemd_watch_notifications(bus))
            isWatching = true
        }
        // Each time, because another server may have taken over.
        let readsMarkup = try Self.check("GetCapabilities", csystemd_reads_markup(bus)) > 0
        let body = readsMarkup ? notification.body.escapingMarkup : notification.body
        var call: OpaquePointer?
        var reply: OpaquePointer?
        defer {
            sd_bus_message_unref(call)
            sd_bus_message_unref(reply)
        }
        try Self.check(
            "Notify",
            csystemd_begin_notification(
                bus, Self.application, replaced, Self.application, notification.title, body, &call))
        for (key, label) in notification.actions(messages) {
            try Self.check("Notify", csystemd_add_button(call, key, label))
        }
        var number: UInt32 = 0
        try Self.check("Notify", csystemd_show_notification(bus, call, Self.application, &number, &reply))
        return (number, Self.sender(of: reply))
    }

    /// Closes a notification, without waiting for the reply.
    func close(_ number: UInt32) { _ = csystemd_close_notification(bus, number) }

    // MARK: Addresses

    /// Opens an address in the user's browser: by the desktop's portal, or by a program that the user's service manager
    /// runs.
    ///
    /// The daemon does not start the browser itself, which would inherit its restrictions and end with it.
    ///
    /// - Parameter program: the path of a program that opens addresses; `nil` if there is none.
    func open(_ address: String, program: String?) throws(SystemCallError) {
        do {
            try Self.check("OpenURI", csystemd_open_by_portal(bus, address))
        } catch {
            guard let program else { throw error }
            openedAddresses += 1
            let unit = "storectl-open-\(CurrentProcess.identifier)-\(openedAddresses).service"
            try Self.check("StartTransientUnit", csystemd_run(bus, unit, program, address))
        }
    }

    // MARK: Signals

    /// Returns the next signal of the notification server that was received; `nil` if there is none.
    func nextSignal() throws(SystemCallError) -> Signal? {
        while true {
            var message: OpaquePointer?
            guard try Self.check("sd_bus_process", sd_bus_process(bus, &message)) > 0 else { return nil }
            guard let message else { continue }
            defer { sd_bus_message_unref(message) }
            var number: UInt32 = 0
            var key: UnsafePointer<CChar>?
            if csystemd_read_action(message, &number, &key) > 0, let key {
                return .action(number: number, key: String(cString: key), sender: Self.sender(of: message))
            }
            if csystemd_read_closed(message, &number) > 0 {
                return .closed(number: number, sender: Self.sender(of: message))
            }
        }
    }

    /// Waits until there is something to receive, or to read from a descriptor, at most for a duration.
    static func wait(
        for bus: SessionBus?, or descriptor: FileDescriptor, atMost duration: Duration?
    ) throws(SystemCallError) {
        let milliseconds = duration.map { Int32(clamping: Int64(max(.zero, $0) / .milliseconds(1)) + 1) } ?? -1
        try check("sd_bus_get_fd", csystemd_wait(bus?.bus, descriptor.rawValue, milliseconds))
    }

    private static func sender(of message: OpaquePointer?) -> String {
        sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
    }

    @discardableResult
    private static func check(_ function: String, _ result: Int32) throws(SystemCallError) -> Int32 {
        guard result >= 0 else { throw SystemCallError(function: function, errno: Errno(rawValue: -result)) }
        return result
    }
}

extension DesktopNotification {
    /// The keys and labels of the buttons as notification servers know them: `default` is a click on the notification.
    fileprivate func actions(_ messages: Messages) -> [(key: String, label: String)] {
        (buttons.contains(.open) ? [("default", Button.open.label(messages))] : [])
            + buttons.map { ($0.rawValue, $0.label(messages)) }
    }
}

extension DesktopNotification.Button {
    fileprivate func label(_ messages: Messages) -> String {
        switch self {
        case .open: messages.text("Open")
        case .update: messages.text("Update")
        }
    }

    /// Returns the button with the key of a signal.
    init?(key: String) {
        self.init(rawValue: key == "default" ? Self.open.rawValue : key)
    }
}

extension String {
    /// The text with the characters escaped that have a meaning in the markup of notifications.
    fileprivate var escapingMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
