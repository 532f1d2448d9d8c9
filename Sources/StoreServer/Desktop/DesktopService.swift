public import Logging
public import StoreModel

/// Shows notifications on the user's desktop, and opens pages in the user's browser.
///
/// No method waits for the desktop, except ``stop()`` for a moment.
public protocol DesktopService: Sendable {
    /// Shows a notification in place of the one of its topic, if there is one.
    func show(_ notification: DesktopNotification)
    /// Opens an address in the user's browser.
    func open(_ address: String)
    /// Whether a notification is shown whose buttons have to work.
    var awaitsReaction: Bool { get }
    /// Closes the notifications whose buttons no longer work from now on.
    func stop() async
}

/// Connects to the user's desktop; returns `nil` where there is none.
///
/// The last parameter is called when a user reacts to a notification.
public typealias DesktopConnecting =
    @Sendable (
        _ log: Logger,
        _ onReaction: @escaping @Sendable (DesktopNotification.Topic, DesktopNotification.Reaction) -> Void
    ) -> (any DesktopService)?
