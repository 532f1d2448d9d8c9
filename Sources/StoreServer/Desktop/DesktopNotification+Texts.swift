import StoreMessages
import StoreModel

/// The texts of notifications. What stores say in them is made displayable and cut.
extension DesktopNotification {
    /// The number of packs that a notification names.
    static let namedPacks = 3
    /// The maximum length of a name or message.
    private static let maximumLength = 200

    /// Creates the notification about ended installations and updates; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - names: the names of the packs for display, by product identifier.
    init?(_ digest: InstallDigest, names: [String: String], _ messages: Messages) {
        let items = digest.reported
        guard let last = items.last else { return nil }
        func name(_ item: InstallDigest.Item) -> String {
            Self.shown(names[item.status.productIdentifier] ?? item.status.productIdentifier)
        }
        let failed = items.filter(\.hasFailed)
        let title: String
        let body: String
        if items.count == 1, digest.omitted == 0 {
            let name = ["name": name(last)]
            title =
                switch (last.status.action == .update, last.hasFailed) {
                case (false, false): messages.text("Installed {name}", name)
                case (true, false): messages.text("Updated {name}", name)
                case (false, true): messages.text("Could not install {name}", name)
                case (true, true): messages.text("Could not update {name}", name)
                }
            body =
                last.hasFailed
                ? Self.shown(last.status.error.map { messages.translation(of: $0.message) } ?? "")
                : messages.text("From the store '{store}'", ["store": last.status.store])
        } else {
            let count = items.count + digest.omitted - failed.count
            let done =
                items.allSatisfy { $0.status.action == .update }
                ? messages.text(count, one: "Updated {count} pack", other: "Updated {count} packs")
                : messages.text(count, one: "Installed {count} pack", other: "Installed {count} packs")
            let notDone = messages.text(failed.count, one: "{count} failed", other: "{count} failed")
            title =
                failed.isEmpty
                ? done
                : count == 0
                    ? messages.text(
                        failed.count, one: "Could not install {count} pack", other: "Could not install {count} packs")
                    : messages.text("{done}, {failed}", ["done": done, "failed": notDone])
            body = Self.list(
                (failed.isEmpty ? items : failed).map(name), of: failed.isEmpty ? count : failed.count, messages)
        }
        self.init(topic: .installs, title: title, body: body, buttons: [.open])
    }

    /// Creates the notification about newer versions of installed packs; `nil` if there are none that can be installed.
    init?(updates: [AvailableUpdate], names: [String: String], _ messages: Messages) {
        guard let first = updates.first else { return nil }
        let texts = updates.map { update in
            let name = Self.shown(names[update.productIdentifier] ?? update.productIdentifier)
            return update.available.map { "\(name) \(Self.shown($0.text))" } ?? name
        }
        self.init(
            topic: .updates,
            title: updates.count == 1
                ? messages.text(
                    "Update for {name}",
                    ["name": Self.shown(names[first.productIdentifier] ?? first.productIdentifier)])
                : messages.text(
                    updates.count, one: "{count} update is available", other: "{count} updates are available"),
            body: Self.list(texts, of: texts.count, messages), buttons: [.update, .open])
    }

    /// Creates the notification about plugins that request permissions; `nil` if there are none.
    ///
    /// - Parameter requests: the plugins, each with the permissions that it requests.
    init?(
        requests: [(productIdentifier: String, permissions: [Permission])], names: [String: String],
        _ messages: Messages
    ) {
        guard let first = requests.first else { return nil }
        func name(_ product: String) -> String { Self.shown(names[product] ?? product) }
        if requests.count == 1 {
            self.init(
                topic: .consent,
                title: messages.text("{name} needs your consent", ["name": name(first.productIdentifier)]),
                body: messages.text(
                    "Permissions: {permissions}",
                    [
                        "permissions": first.permissions.map { Self.shown(messages.meaning(of: $0)) }.joined(
                            separator: ", ")
                    ]),
                buttons: [.open])
        } else {
            self.init(
                topic: .consent,
                title: messages.text(
                    requests.count, one: "{count} plugin needs your consent", other: "{count} plugins need your consent"
                ),
                body: Self.list(requests.map { name($0.productIdentifier) }, of: requests.count, messages),
                buttons: [.open])
        }
    }

    private static func shown(_ text: String) -> String {
        let text = text.displayable
        return text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
    }

    /// Returns the first of several texts, and how many there are more.
    private static func list(_ texts: [String], of count: Int, _ messages: Messages) -> String {
        let named = texts.prefix(namedPacks)
        let names = named.joined(separator: ", ")
        let more = count - named.count
        guard more > 0 else { return names }
        return messages.text(more, one: "{names} and {count} more", other: "{names} and {count} more", ["names": names])
    }
}
