/// A notification that the desktop shows to the user, with buttons.
public struct DesktopNotification: Sendable, Hashable {
    /// What notifications are about; of each topic, at most one notification is shown.
    public enum Topic: String, Sendable, CaseIterable {
        /// Installations and updates of packs have ended.
        case installs
        /// Newer versions of packs are available.
        case updates
        /// Plugins request permissions that the user has not granted.
        case consent
    }

    /// A button of a notification.
    public enum Button: String, Sendable, CaseIterable {
        /// Opens the page that the notification is about; also a click on the notification itself.
        case open
        /// Updates the packs that the notification is about.
        case update
    }

    /// What the user, or the desktop, did with a notification.
    public enum Reaction: Sendable, Hashable {
        /// The user pressed a button.
        case pressed(Button)
        /// The notification is no longer shown.
        case closed
    }

    /// What the notification is about.
    public var topic: Topic
    /// The title, as plain text.
    public var title: String
    /// The text below the title, without markup.
    public var body: String
    /// The buttons in the order in which they are shown.
    public var buttons: [Button]

    /// Creates a notification.
    public init(topic: Topic, title: String, body: String, buttons: [Button]) {
        self.topic = topic
        self.title = title
        self.body = body
        self.buttons = buttons
    }
}
