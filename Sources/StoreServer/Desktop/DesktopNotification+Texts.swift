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
    init?(_ digest: InstallDigest, names: [String: String]) {
        let items = digest.reported
        guard let last = items.last else { return nil }
        func name(_ item: InstallDigest.Item) -> String {
            Self.shown(names[item.status.productIdentifier] ?? item.status.productIdentifier)
        }
        let failed = items.filter(\.hasFailed)
        let title: String
        let body: String
        if items.count == 1, digest.omitted == 0 {
            let isUpdate = last.status.action == .update
            title =
                last.hasFailed
                ? "Could not \(isUpdate ? "update" : "install") \(name(last))"
                : "\(isUpdate ? "Updated" : "Installed") \(name(last))"
            body =
                last.hasFailed ? Self.shown(last.status.error?.message ?? "") : "From the store '\(last.status.store)'"
        } else {
            let count = items.count + digest.omitted - failed.count
            let verb = items.allSatisfy { $0.status.action == .update } ? "Updated" : "Installed"
            title =
                failed.isEmpty
                ? "\(verb) \(count) packs"
                : count == 0
                    ? "Could not install \(failed.count) packs"
                    : "\(verb) \(count) \(count == 1 ? "pack" : "packs"), \(failed.count) failed"
            body = Self.list(
                (failed.isEmpty ? items : failed).map(name), of: failed.isEmpty ? count : failed.count)
        }
        self.init(topic: .installs, title: title, body: body, buttons: [.open])
    }

    /// Creates the notification about newer versions of installed packs; `nil` if there are none that can be installed.
    init?(updates: [AvailableUpdate], names: [String: String]) {
        guard let first = updates.first else { return nil }
        let texts = updates.map { update in
            let name = Self.shown(names[update.productIdentifier] ?? update.productIdentifier)
            return update.available.map { "\(name) \(Self.shown($0.text))" } ?? name
        }
        self.init(
            topic: .updates,
            title: updates.count == 1
                ? "Update for \(Self.shown(names[first.productIdentifier] ?? first.productIdentifier))"
                : "\(updates.count) updates are available",
            body: Self.list(texts, of: texts.count), buttons: [.update, .open])
    }

    /// Creates the notification about plugins that request permissions; `nil` if there are none.
    ///
    /// - Parameter requests: the plugins, each with the permissions that it requests.
    init?(requests: [(productIdentifier: String, permissions: [Permission])], names: [String: String]) {
        guard let first = requests.first else { return nil }
        func name(_ product: String) -> String { Self.shown(names[product] ?? product) }
        if requests.count == 1 {
            self.init(
                topic: .consent, title: "\(name(first.productIdentifier)) needs your consent",
                body: "It wants to " + first.permissions.map { Self.shown($0.meaning) }.joined(separator: ", "),
                buttons: [.open])
        } else {
            self.init(
                topic: .consent, title: "\(requests.count) plugins need your consent",
                body: Self.list(requests.map { name($0.productIdentifier) }, of: requests.count), buttons: [.open])
        }
    }

    private static func shown(_ text: String) -> String {
        let text = text.displayable
        return text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
    }

    /// Returns the first of several texts, and how many there are more.
    private static func list(_ texts: [String], of count: Int) -> String {
        let named = texts.prefix(namedPacks)
        let more = count - named.count
        return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
