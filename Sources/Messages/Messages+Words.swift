public import StoreModel

/// The words for states, which stand alone in tables and lists.
extension Messages {
    /// Returns words or texts of the language as a list with commas.
    public func list(_ items: [String]) -> String { items.joined(separator: text(", ")) }

    /// Returns what an operation does or did, as a heading.
    public func heading(for action: OperationAction) -> String {
        switch action {
        case .install: text("Installation")
        case .update: text("Update")
        case .uninstall: text("Removal")
        case .rollback: text("Rollback")
        case .repair: text("Repair")
        }
    }

    /// Returns what an operation does or did, as a word in a table.
    public func word(for action: OperationAction) -> String {
        switch action {
        case .install: text("install")
        case .update: text("update")
        case .uninstall: text("uninstall")
        case .rollback: text("rollback")
        case .repair: text("repair")
        }
    }

    /// Returns how an operation ended; `nil` is one that is running.
    public func word(for end: OperationEnd?) -> String {
        switch end {
        case .finished: text("finished")
        case .cancelled: text("cancelled")
        case .failed: text("failed")
        case nil: text("running")
        }
    }

    /// Returns a kind of content as a word, which is the value that commands take for it in English.
    public func word(for kind: ProductKind) -> String {
        switch kind {
        case .sticker: text("sticker")
        case .skin: text("skin")
        case .emoji: text("emoji")
        case .plugin: text("plugin")
        default: kind.rawValue
        }
    }

    /// Returns the state of a download.
    public func word(for state: DownloadState) -> String {
        switch state {
        case .initializing: text("initializing")
        case .downloading: text("downloading")
        case .downloaded: text("downloaded")
        case .finished: text("finished")
        case .cancelled: text("cancelled")
        case .failed: text("failed")
        }
    }

    /// Returns the state of a download, as tables of downloads show it.
    public func title(for state: DownloadState) -> String {
        switch state {
        case .initializing: text("Initializing")
        case .downloading: text("Downloading")
        case .downloaded: text("Downloaded")
        case .finished: text("Finished")
        case .cancelled: text("Cancelled")
        case .failed: text("Failed")
        }
    }

    /// Returns what a download does at present.
    public func word(for activity: DownloadActivity) -> String {
        switch activity {
        case .queued: text("queued")
        case .connecting: text("connecting")
        case .transferring: text("transferring")
        case .paused: text("paused")
        case .waiting: text("waiting")
        case .verifying: text("verifying")
        case .unpacking: text("unpacking")
        case .saving: text("saving")
        }
    }

    /// Returns the state of a product in tables, which call a pack installed and a file downloaded.
    public func word(for state: ProductState) -> String {
        switch state {
        case .downloading: text("Downloading")
        case .inUse: text("In Use")
        case .downloaded: text("Installed")
        case .purchased: text("Purchased")
        case .notPurchased: text("Not Purchased")
        case .free: text("Free")
        case .updatable: text("Updatable")
        case .withdrawn: text("Withdrawn")
        }
    }

    /// Returns what is wrong with a file of a pack, as a word behind its path.
    public func word(for damage: PackDamage.Kind) -> String {
        switch damage {
        case .missing: text("missing")
        case .changed: text("changed")
        case .replaced: text("replaced")
        case .unreadable: text("unreadable")
        case .permissions: text("permissions")
        case .added: text("added")
        }
    }
}
