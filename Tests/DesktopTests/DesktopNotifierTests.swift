import Logging
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDesktop

/// Notifications over a real bus, to a notification server that notes what it is asked.
@Suite(.hangGuard, .needs("/usr/bin/dbus-daemon", debian: "dbus-daemon"), .needsDesktop)
struct DesktopNotifierTests {
    /// The reactions that a notifier passed on.
    private final class Reactions: Sendable {
        struct Entry: Equatable {
            let topic: DesktopNotification.Topic
            let reaction: DesktopNotification.Reaction
        }
        private let entries = Mutex<[Entry]>([])
        var all: [Entry] { entries.withLock { $0 } }
        func add(_ topic: DesktopNotification.Topic, _ reaction: DesktopNotification.Reaction) {
            entries.withLock { $0.append(Entry(topic: topic, reaction: reaction)) }
        }
    }

    private let reactions = Reactions()

    private func notifier(_ address: String, opener: String? = nil) throws -> DesktopNotifier {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try DesktopNotifier(bus: address, opener: opener, log: log) { [reactions] in reactions.add($0, $1) }
    }

    private func notification(
        _ title: String, _ topic: DesktopNotification.Topic = .installs,
        buttons: [DesktopNotification.Button] = [.open]
    ) -> DesktopNotification {
        DesktopNotification(topic: topic, title: title, body: "<b>Cups</b> & Cats", buttons: buttons)
    }

    @Test(arguments: [true, false])
    func `a notification has a title, a text without markup, and buttons`(readsMarkup: Bool) async throws {
        let desktop = try await NotificationDesktop(
            capabilities: readsMarkup ? ["actions", "body", "body-markup"] : ["actions", "body"])
        let notifier = try notifier(desktop.address)
        notifier.show(notification("<Cups>", .updates, buttons: [.update, .open]))
        try await eventually { try desktop.calls.count == 1 }
        let call = try #require(try desktop.calls.first)
        #expect(call.method == "Notify" && call.replaced == 0 && call.title == "<Cups>")
        #expect(call.body == (readsMarkup ? "&lt;b&gt;Cups&lt;/b&gt; &amp; Cats" : "<b>Cups</b> & Cats"))
        #expect(call.actions == ["default", "Open", "update", "Update", "open", "Open"])
        #expect(notifier.awaitsReaction)
        await notifier.stop()
        #expect(!notifier.awaitsReaction)
    }

    @Test func `text is escaped for a server that reads markup and takes over later`() async throws {
        let desktop = try await NotificationDesktop(capabilities: ["actions", "body"])
        let notifier = try notifier(desktop.address)
        notifier.show(notification("first"))
        try await eventually { try desktop.calls.count == 1 }
        try desktop.replaceServer(capabilities: ["actions", "body", "body-markup"])
        // The server may read the order after the next notification.
        try await eventually {
            notifier.show(self.notification("next"))
            return try desktop.calls.last?.body == "&lt;b&gt;Cups&lt;/b&gt; &amp; Cats"
        }
        await notifier.stop()
    }

    @Test func `a newer notification of a topic replaces the one that is shown`() async throws {
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        notifier.show(notification("first"))
        try await eventually { try desktop.calls.count == 1 }
        notifier.show(notification("second"))
        notifier.show(notification("updates", .updates))
        try await eventually { try desktop.calls.count == 3 }
        let titles = try desktop.notifications.values.compactMap(\.title).sorted()
        #expect(titles == ["second", "updates"])
        // Closed by the user, so that the next one is another.
        let number = try #require(try desktop.notifications.first { $0.value.title == "second" }?.key)
        try desktop.close(number)
        try await eventually { reactions.all == [.init(topic: .installs, reaction: .closed)] }
        notifier.show(notification("third"))
        try await eventually { try desktop.notifications.values.contains { $0.title == "third" && $0.replaced == 0 } }
        await notifier.stop()
    }

    @Test func `a button is passed on, and nothing that another program pretends`() async throws {
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        notifier.show(notification("updates", .updates, buttons: [.update, .open]))
        try await eventually { try desktop.notifications.count == 1 }
        let number = try #require(try desktop.notifications.keys.first)
        try desktop.press("update", of: number, foreign: true)
        try desktop.press("default", of: number)
        try desktop.press("unknown", of: number)
        try desktop.press("update", of: number + 1)
        try desktop.press("update", of: number)
        try await eventually { reactions.all.count >= 2 }
        try desktop.close(number)
        try await eventually { reactions.all.last?.reaction == .closed }
        #expect(
            reactions.all.map(\.reaction) == [.pressed(.open), .pressed(.update), .closed]
                && reactions.all.allSatisfy { $0.topic == .updates }, "\(reactions.all)")
        await notifier.stop()
    }

    @Test func `an address is opened by the portal, else by a program of the service manager`() async throws {
        let address = "http://k3f9.localhost:8817/login?link=1"
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        notifier.open(address)
        try await eventually { try desktop.calls.contains { $0.method == "OpenURI" && $0.address == address } }
        await notifier.stop()
        let other = try await NotificationDesktop(services: [.systemd])
        let second = try self.notifier(other.address, opener: "/usr/bin/xdg-open")
        second.open(address)
        try await eventually { try other.calls.contains { $0.method == "StartTransientUnit" } }
        await second.stop()
    }

    @Test func `notifications whose buttons no longer work are closed at the end`() async throws {
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        notifier.show(notification("with"))
        notifier.show(notification("without", .updates, buttons: []))
        try await eventually { try desktop.notifications.count == 2 }
        await notifier.stop()
        try await eventually { try desktop.notifications.values.map(\.title) == ["without"] }
    }

    @Test func `a desktop that does not respond delays nothing, and of each topic one notification waits`() async throws
    {
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        desktop.suspend()
        for number in 0..<10_000 { notifier.show(notification("\(number)")) }
        for number in 0..<100 { notifier.open("http://store.localhost/\(number)") }
        desktop.resume()
        try await eventually { try desktop.notifications.values.contains { $0.title == "9999" } }
        try await eventually { try desktop.calls.count { $0.method == "OpenURI" } >= 1 }
        #expect(try desktop.notifications.count == 1)
        // One in progress, and those that wait.
        #expect(try desktop.calls.count { $0.method == "OpenURI" } <= 2 * DesktopNotifier.maximumAddresses)
        await notifier.stop()
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "nonsense", "tcp:host=127.0.0.1,port=1"])
    func `without a bus, nothing is shown and nothing fails`(address: String) async throws {
        let notifier = try notifier(address)
        notifier.show(notification("lost"))
        notifier.open("http://store.localhost/")
        // What was not shown counts as closed.
        try await eventually { reactions.all == [.init(topic: .installs, reaction: .closed)] }
        await notifier.stop()
        #expect(!notifier.awaitsReaction)
        #expect(reactions.all.count == 1)
    }

    @Test func `the end of the session closes the notifications, and another one is tried with the next`() async throws
    {
        let desktop = try await NotificationDesktop()
        let notifier = try notifier(desktop.address)
        notifier.show(notification("first"))
        try await eventually { try desktop.notifications.count == 1 }
        // The notifier has received the reply once it passes on what follows it.
        try desktop.press("default", of: try #require(try desktop.notifications.keys.first))
        try await eventually { reactions.all.map(\.reaction) == [.pressed(.open)] }
        desktop.endSession()
        try await eventually { reactions.all.map(\.reaction) == [.pressed(.open), .closed] }
        try await eventually { !notifier.awaitsReaction }
        notifier.show(notification("second"))
        await notifier.stop()
    }

    @Test func `the bus is that of the environment, or of the user's runtime directory`() throws {
        let folder = try TemporaryFolder()
        let directory = folder.path + "/a b"
        try folder.directory.put("a b/bus", "")
        #expect(SessionBusAddress.find(in: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
        #expect(SessionBusAddress.find(in: ["DBUS_SESSION_BUS_ADDRESS": ""]) == nil)
        #expect(
            SessionBusAddress.find(in: ["XDG_RUNTIME_DIR": directory]) == "unix:path=\(folder.path)/a%20b/bus")
        #expect(SessionBusAddress.find(in: ["XDG_RUNTIME_DIR": folder.path]) == nil)
        #expect(
            SessionBusAddress.find(in: ["XDG_RUNTIME_DIR": "relative"]) == nil && SessionBusAddress.find(in: [:]) == nil
        )
    }
}
