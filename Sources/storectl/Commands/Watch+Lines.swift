import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

/// The lines of text in which `watch` prints events.
extension Watch {
    /// The width of the first word of a line, in terminal columns, with the spaces behind it.
    private static let width = 11

    /// Returns the line for an event: the time, what it is about, and what has changed.
    func line(_ event: Event, _ messages: Messages) -> String {
        let (what, change) = texts(event.happening, messages)
        guard let change else { return "\(clockTime(event.time))  \(what)" }
        return "\(clockTime(event.time))  \(what.padded(to: Self.width - 1)) \(change)"
    }

    private func texts(_ happening: Event.Happening, _ messages: Messages) -> (what: String, change: String?) {
        switch happening {
        case .download(let status):
            return (
                messages.text("download"), "\(status.productIdentifier)  \(description(of: status, messages))"
            )
        case .pack(let change):
            let version = change.version.map { " \($0.text)" } ?? ""
            let damages = change.damages.map { number in
                messages.text(number, one: "{count} damaged file", other: "{count} damaged files")
            }
            let word = messages.word(for: change.change) + version
            return (
                messages.text("pack"), "\(change.productIdentifier)  \(word)" + (damages.map { ": \($0)" } ?? "")
            )
        case .store(let change):
            let word = change.summary == nil ? messages.text("removed") : messages.text("changed")
            return (messages.text("store"), "\(change.store)  \(word)")
        case .trust(let change):
            return (messages.text("trust"), "\(change.store)  \(change.trust?.rawValue ?? messages.text("removed"))")
        case .purchase(let change):
            let word = change.grantedAt == nil ? messages.text("revoked") : messages.text("granted")
            return (messages.text("purchase"), "\(change.productIdentifier)  \(word)")
        case .setting(let setting): return (messages.text("setting"), "\(setting.key)  \(setting.value)")
        case .catalogue(let store): return (messages.text("catalogue"), "\(store)  \(messages.text("changed"))")
        case .updates(let updates):
            let names = updates.map { "\($0.productIdentifier) \($0.available?.text ?? "")" }
            return (messages.text("updates"), names.joined(separator: ", "))
        case .skin(let use, _):
            let problem = use.problem.map { " (\(messages.translation(of: $0.message)))" } ?? ""
            return (
                messages.text("skin"),
                "\(use.skin?.identifier ?? messages.text("none"))  \(messages.text("in use"))\(problem)"
            )
        case .stickers(let change):
            let number =
                change.list == .order
                ? messages.text(change.packs.count, one: "{count} pack", other: "{count} packs")
                : messages.stickers(change.stickers.count)
            return (messages.text("stickers"), "\(change.list.rawValue)  \(number)")
        case .unknown(let type): return (type, nil)
        }
    }

    private func description(of status: DownloadStatus, _ messages: Messages) -> String {
        var parts = [messages.title(for: status.state)]
        if let activity = status.activity { parts.append(messages.word(for: activity)) }
        if let fraction = status.fraction, !status.state.isEnd { parts.append(AmountFormat.percent(fraction)) }
        if let reason = status.reason { parts.append(messages.translation(of: reason)) }
        if let error = status.error { parts.append(messages.translation(of: error.message)) }
        return parts.joined(separator: "  ")
    }
}

extension Messages {
    /// Returns what has happened to a pack.
    fileprivate func word(for change: PackChange.Change) -> String {
        switch change {
        case .installed: text("installed")
        case .updated: text("updated")
        case .removed: text("removed")
        case .held: text("held")
        case .changed: text("changed")
        case .damaged: text("damaged")
        }
    }
}
