import Logging
import StoreMessages
import StoreModel
import StoreSystem

/// The work of the thread of ``DesktopNotifier``: it has the connection to the bus and the notifications that are shown.
struct NotificationLoop {
    /// A notification that is shown.
    private struct Shown {
        let number: UInt32
        /// The bus name of the server that shows it; signals of others are ignored.
        let server: String
        let hasButtons: Bool
        let expiry: ContinuousClock.Instant
    }

    private let address: String
    private let opener: String?
    private let language: Language
    private let wake: PipeEnd
    private let log: Logger
    private let onReaction: @Sendable (DesktopNotification.Topic, DesktopNotification.Reaction) -> Void
    private var bus: SessionBus?
    private var shown: [DesktopNotification.Topic: Shown] = [:]

    init(
        address: String, opener: String?, language: Language, wake: PipeEnd, log: Logger,
        onReaction: @escaping @Sendable (DesktopNotification.Topic, DesktopNotification.Reaction) -> Void
    ) {
        self.address = address
        self.opener = opener
        self.language = language
        self.wake = wake
        self.log = log
        self.onReaction = onReaction
    }

    /// Does what the notifier orders, and passes reactions on, until the notifier is stopped.
    mutating func run(for notifier: DesktopNotifier) {
        while true {
            let (orders, isAwake) = notifier.takeOrders()
            if isAwake { _ = try? wake.read(limit: 1) }
            guard !orders.isStopped else { break }
            for topic in DesktopNotification.Topic.allCases {
                if let notification = orders.notifications[topic] { show(notification) }
            }
            for address in orders.addresses { open(address) }
            receive()
            closeExpired()
            notifier.setExpiries(shown.filter(\.value.hasButtons).mapValues(\.expiry))
            wait()
        }
        for notification in shown.values where notification.hasButtons { bus?.close(notification.number) }
        // Sends what was not sent yet.
        bus = nil
    }

    private mutating func show(_ notification: DesktopNotification) {
        do {
            let bus = try connected()
            let (number, server) = try bus.show(
                notification, replacing: shown[notification.topic]?.number ?? 0, .of(language))
            shown[notification.topic] = Shown(
                number: number, server: server, hasButtons: !notification.buttons.isEmpty,
                expiry: .now + DesktopNotifier.lifetime)
        } catch {
            log.debug("could not show a notification", metadata: ["error": "\(error)"])
            // Also one that was never shown: what it was about is not to be in the next one.
            shown[notification.topic] = nil
            onReaction(notification.topic, .closed)
        }
    }

    private mutating func open(_ address: String) {
        do {
            try connected().open(address, program: opener)
        } catch {
            log.warning("could not open a page in the browser: \(error)")
        }
    }

    private mutating func connected() throws(SystemCallError) -> SessionBus {
        if let bus { return bus }
        let bus = try SessionBus(address: address)
        self.bus = bus
        return bus
    }

    /// Handles the signals that were received; a connection that was lost is made again for the next notification.
    private mutating func receive() {
        do {
            while let signal = try bus?.nextSignal() {
                switch signal {
                case .action(let number, let key, let sender):
                    guard let topic = topic(of: number, from: sender), let button = DesktopNotification.Button(key: key)
                    else { continue }
                    onReaction(topic, .pressed(button))
                case .closed(let number, let sender):
                    if let topic = topic(of: number, from: sender) { forget(topic) }
                }
            }
        } catch {
            disconnect(error)
        }
    }

    private func topic(of number: UInt32, from sender: String) -> DesktopNotification.Topic? {
        shown.first { $0.value.number == number && $0.value.server == sender }?.key
    }

    private mutating func forget(_ topic: DesktopNotification.Topic) {
        if shown.removeValue(forKey: topic) != nil { onReaction(topic, .closed) }
    }

    private mutating func disconnect(_ error: SystemCallError) {
        log.debug("lost the connection to the session bus", metadata: ["error": "\(error)"])
        bus = nil
        for topic in shown.keys { forget(topic) }
    }

    private mutating func closeExpired() {
        for (topic, notification) in shown where notification.expiry <= .now {
            if notification.hasButtons { bus?.close(notification.number) }
            forget(topic)
        }
    }

    private mutating func wait() {
        let expiry = shown.values.map(\.expiry).min()
        do {
            try SessionBus.wait(for: bus, or: wake.descriptor, atMost: expiry.map { $0 - .now })
        } catch {
            disconnect(error)
        }
    }
}
