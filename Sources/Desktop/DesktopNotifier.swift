public import Logging
public import StoreMessages
public import StoreModel
import StoreSystem
import Synchronization

/// Shows notifications on the user's desktop, and opens pages in the user's browser, over the bus of the session.
///
/// All use of the bus is on a thread of its own, so that a bus or a notification server that does not respond delays
/// nothing. Of each topic at most one notification waits: a newer one replaces it.
///
/// ```swift
/// let notifier = try DesktopNotifier(bus: "unix:path=/run/user/1000/bus", log: log) { topic, reaction in
///     print(topic, reaction)
/// }
/// notifier.show(DesktopNotification(topic: .installs, title: "Installed Cups", body: "", buttons: [.open]))
/// ```
public final class DesktopNotifier: Sendable {
    /// The time for which the buttons of a notification work; then it is closed.
    public static let lifetime = Duration.seconds(12 * 3600)
    /// The maximum number of addresses that wait to be opened; more are dropped.
    static let maximumAddresses = 8

    /// What the thread has to do.
    struct Orders {
        var notifications: [DesktopNotification.Topic: DesktopNotification] = [:]
        var addresses: [String] = []
        var isStopped = false
    }

    private struct State {
        var orders = Orders()
        /// Whether the pipe has a byte, or is about to get one.
        var isAwake = false
        /// Whether the thread is showing what it was ordered to.
        var isShowing = false
        /// When the notifications with buttons that are shown are closed.
        var expiries: [DesktopNotification.Topic: ContinuousClock.Instant] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let ended = Promise<Void>()
    private let wake: PipeEnd

    /// Starts the thread; the connection is made with the first notification.
    ///
    /// - Parameters:
    ///   - address: the address of the session's bus.
    ///   - opener: the path of a program that opens addresses where the desktop has no portal, such as xdg-open(1).
    ///   - language: the language of the buttons.
    ///   - onReaction: called on the thread when a user reacts to a notification.
    /// - Throws: `SystemCallError` if no thread can be started.
    public init(
        bus address: String, opener: String? = nil, language: Language = .english, log: Logger,
        onReaction: @escaping @Sendable (DesktopNotification.Topic, DesktopNotification.Reaction) -> Void
    ) throws {
        let (reader, writer) = try Pipe.open()
        wake = writer
        // The thread keeps the notifier until it is stopped.
        try SystemThread.start { [self] in
            var loop = NotificationLoop(
                address: address, opener: opener, language: language, wake: reader, log: log, onReaction: onReaction)
            loop.run(for: self)
            state.withLock { state in
                state.hasEnded = true
                state.expiries = [:]
            }
            ended.keep(())
        }
    }

    /// Shows a notification in place of the one of its topic, if there is one; returns at once.
    public func show(_ notification: DesktopNotification) {
        order { $0.notifications[notification.topic] = notification }
    }

    /// Opens an address in the user's browser; returns at once.
    public func open(_ address: String) {
        order { if $0.addresses.count < Self.maximumAddresses { $0.addresses.append(address) } }
    }

    /// Whether a notification is shown, or about to be shown, whose buttons have to work.
    public var awaitsReaction: Bool {
        state.withLock { state in
            !state.hasEnded
                && (state.isShowing || state.orders.notifications.values.contains { !$0.buttons.isEmpty }
                    || state.expiries.values.contains { $0 > .now })
        }
    }

    /// Closes the notifications whose buttons would no longer work, and ends the thread.
    ///
    /// Returns after at most half a second: a bus that does not respond does not delay the end of the program.
    public func stop() async {
        order { $0.isStopped = true }
        let waiting = Task { [ended] in try await ended.value() }
        let limit = Task {
            try await Task.sleep(for: .milliseconds(500))
            waiting.cancel()
        }
        _ = try? await waiting.value
        limit.cancel()
    }

    private func order(_ change: (inout Orders) -> Void) {
        let needsWake = state.withLock { state in
            change(&state.orders)
            defer { state.isAwake = true }
            return !state.isAwake
        }
        // At most one byte is in the pipe, so that this never blocks.
        if needsWake { try? wake.descriptor.writeAll("w") }
    }

    // MARK: The thread

    /// Returns what has to be done since the last call, and whether the pipe has a byte to be read.
    func takeOrders() -> (orders: Orders, isAwake: Bool) {
        state.withLock { state in
            defer {
                state.isShowing = !state.orders.notifications.isEmpty
                state.orders = Orders()
                state.isAwake = false
            }
            return (state.orders, state.isAwake)
        }
    }

    /// Records until when the buttons of shown notifications work.
    func setExpiries(_ expiries: [DesktopNotification.Topic: ContinuousClock.Instant]) {
        state.withLock { state in
            state.expiries = expiries
            state.isShowing = false
        }
    }
}
