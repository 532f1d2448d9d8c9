import FoundationEssentials
public import StoreMessages
public import StoreModel

/// Writes values for display on pages, in the language of their reader.
public struct PageText: Sendable {
    let messages: Messages

    /// Creates the texts of pages in a language.
    public init(_ language: Language) { messages = .of(language) }

    /// Returns a finished English text of the daemon, such as a warning, in the language.
    public func translation(of finished: String) -> String { messages.translation(of: finished.displayable) }

    /// Returns the report of an error with its texts in the language.
    public func report(_ error: any Error) -> ErrorReport {
        let report = ErrorReport(error)
        return ErrorReport(
            code: report.code, message: translation(of: report.message), hint: report.hint.map(translation),
            permissions: report.permissions, requestingProduct: report.requestingProduct,
            rootFingerprint: report.rootFingerprint)
    }

    /// Returns a finished English text as a sentence in the language.
    func sentence(ofEnglish finished: String) -> String { Self.sentence(translation(of: finished)) }

    /// Returns the message of an error as a sentence in the language, and its hint as another one.
    func sentences(_ error: ErrorReport) -> String {
        [error.message, error.hint].compactMap { $0.map(sentence(ofEnglish:)) }.joined(separator: " ")
    }

    /// Returns the name of a kind of content, for a product of it.
    func kind(_ kind: ProductKind) -> String {
        switch kind {
        case .sticker: messages.text("Sticker pack")
        case .skin: messages.text("Skin")
        case .emoji: messages.text("Emoji set")
        case .plugin: messages.text("Plugin")
        default: kind.rawValue.displayableName
        }
    }

    /// Returns a price as it is shown: `Free`, or the amount.
    func price(_ price: Price) -> String {
        price.isFree ? messages.text("Free") : price.description.displayableName
    }

    /// Returns a number of bytes rounded to a unit that is easy to read.
    func size(_ bytes: Int) -> String { messages.size(bytes) }

    /// Returns the number of installed packs.
    func packs(_ number: Int) -> String { messages.text(number, one: "{count} pack", other: "{count} packs") }

    /// Returns the number of a store's products, or of those that a search found.
    func products(_ number: Int) -> String {
        messages.text(number, one: "{count} product", other: "{count} products")
    }

    /// Returns the number of a pack's stickers.
    func stickers(_ number: Int) -> String {
        messages.text(number, one: "{count} sticker", other: "{count} stickers")
    }

    /// Returns a message, which is written to follow `error:` and the like, as a sentence of its own.
    static func sentence(_ message: String) -> String {
        let text = message.displayable
        let isEnded = text.last.map(".!?".contains) ?? true
        return text.prefix(1).uppercased() + text.dropFirst() + (isEnded ? "" : ".")
    }

    /// Returns a time in UTC to the minute, such as `2026-03-01 12:30 UTC`.
    func time(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// Returns what an access token permits, as a list.
    func scopes(_ scopes: [WebScope]) -> String {
        messages.list(
            scopes.map { scope in
                switch scope {
                case .read: messages.text("read")
                case .install: messages.text("install")
                case .settings: messages.text("settings")
                }
            })
    }

    /// Returns the size of an archive to download.
    ///
    /// - Parameter isMaximum: whether less may be fetched, because parts of the archive are installed already.
    func downloadSize(_ bytes: Int, isMaximum: Bool) -> String {
        isMaximum ? messages.text("at most {size}", ["size": size(bytes)]) : size(bytes)
    }

    /// Returns what a permission lets a plugin do.
    func permission(_ permission: Permission) -> String { messages.meaning(of: permission) }

    /// Returns the versions before and after a change, such as `1.0.0 → 1.2.0`; `nil` if none is known.
    func versions(_ before: Version?, _ after: Version?) -> String? {
        let known = [before, after].compactMap { $0?.text.displayableName }
        return known.isEmpty ? nil : known.joined(separator: " → ")
    }

    /// Returns why an update of all packs leaves a newer version out.
    func reason(_ update: AvailableUpdate) -> String {
        switch update.heldBack {
        case AvailableUpdate.held: messages.text("held")
        case AvailableUpdate.paused: messages.text("paused")
        case AvailableUpdate.withdrawn: messages.text("Its store has withdrawn the pack.")
        case let other where update.permissions.isEmpty: other.map(translation) ?? ""
        default:
            messages.text(
                "Permissions: {permissions}",
                ["permissions": messages.list(update.permissions.map(permission))])
        }
    }

    /// Returns what an operation does or did.
    func action(_ action: OperationAction) -> String { messages.heading(for: action) }

    /// Returns how an operation ended; `nil` is one that is running.
    func end(_ end: OperationEnd?) -> String { messages.word(for: end) }

    /// Returns what a running download does, with its progress.
    func progress(of download: DownloadStatus) -> String {
        if let waiting = waiting(download) { return waiting }
        var parts = [download.activity.map(activity) ?? messages.text("running")]
        if let expected = download.bytesExpected {
            parts.append(
                messages.text(
                    "{received} of {expected}",
                    ["received": size(download.bytesReceived), "expected": size(expected)]))
        }
        if let rate = download.rate { parts.append(messages.text("{amount}/s", ["amount": size(rate)])) }
        if let seconds = download.secondsLeft { parts.append(messages.timeLeft(seconds)) }
        return parts.joined(separator: " · ")
    }

    /// Returns why a download waits, if it does.
    private func waiting(_ download: DownloadStatus) -> String? {
        switch download.reasonCode {
        case .paused: messages.text("paused")
        case .prerequisites: messages.text("waiting for a pack that it needs")
        case .slot: messages.text("waiting for other downloads")
        case .network: messages.text("waiting for the network")
        // With the reason of the failure before.
        case .retry, nil: download.reason.map(translation)
        }
    }

    private func activity(_ activity: DownloadActivity) -> String {
        // A page says what the user sees.
        activity == .transferring ? messages.text("downloading") : messages.word(for: activity)
    }
}
