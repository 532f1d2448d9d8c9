import StoreMessages
public import StoreModel

/// The buttons for a product, and the progress of its download: what a user can do with it in its present states.
public struct ProductActions: Sendable {
    struct Button: Sendable {
        let label: String
        let product: String
        /// The path to which the form is sent, and the HTTP method.
        let action: String
        let method: String
        let isMain: Bool
        /// Whether the button leads to a page that asks, which the script of the pages shows as a dialog.
        let opensDialog: Bool
        /// What the script of the pages says while it prepares the dialog; empty for its usual text.
        var announcement = ""
        let fields: [PageField]
    }

    struct Download: Sendable {
        let fraction: Double?
        let text: String
    }

    /// The state to show beside the buttons; `nil` if the buttons say it.
    let state: String?
    let buttons: [Button]
    let download: Download?
    /// Why the last installation or update failed, with what to do next; `nil` if it did not fail.
    let failure: String?

    /// Determines the buttons for a product.
    ///
    /// - Parameters:
    ///   - name: the name of the product, for people who do not see to which product a button belongs.
    ///   - store: the store that offers the product; `nil` for a pack of no store.
    ///   - states: the states of the product.
    ///   - price: the price of the product; `nil` for an installed pack, which is paid.
    ///   - isInstallable: whether the product can be installed: it is complete and not withdrawn.
    ///   - isHeld: whether the installed pack is held; `nil` leaves the buttons for single packs out.
    ///   - isUnmanaged: whether the installed pack was placed by hand, so that it can be neither held nor removed.
    ///   - isVerifiable: whether the installed pack has a list of its files to be verified against.
    ///   - isRestorable: whether the installed pack has a previous version to which it can be rolled back.
    ///   - download: the newest download of the product, if there is any.
    public init(
        _ productIdentifier: String, name: String, store: String?, kind: ProductKind, states: [ProductState],
        price: Price? = nil, isInstallable: Bool = true, isHeld: Bool? = nil, isUnmanaged: Bool = false,
        isVerifiable: Bool = false, isRestorable: Bool = false,
        download: DownloadStatus? = nil, _ texts: PageText
    ) {
        let messages = texts.messages
        let path = PathSegment.encode(productIdentifier)
        var buttons: [Button] = []
        func add(_ label: String, _ action: String, isMain: Bool = false, _ fields: [PageField] = []) {
            buttons.append(
                Button(
                    label: label, product: name, action: "/actions/" + action, method: "post", isMain: isMain,
                    opensDialog: false, fields: fields))
        }
        let product =
            [PageField(name: "productIdentifier", value: productIdentifier)]
            + (store.map { [PageField(name: "store", value: $0)] } ?? [])
        if let download, !download.state.isEnd {
            let isPaused = download.reasonCode == .paused
            add(
                isPaused ? messages.text("Resume") : messages.text("Pause"),
                "downloads/\(path)/\(isPaused ? "resume" : "pause")")
            add(messages.text("Cancel"), "downloads/\(path)/cancel")
            self.download = Download(fraction: download.fraction, text: texts.progress(of: download))
            (state, failure) = (nil, nil)
            self.buttons = buttons
            return
        }
        self.download = nil
        let isInstalled = states.contains(.downloaded)
        // A failed update says nothing about a pack that was removed since.
        failure = isInstalled || download?.action == .install ? download?.error.map(texts.sentences) : nil
        if isInstalled {
            if states.contains(.updatable) {
                buttons.append(
                    Button(
                        label: messages.text("Update"), product: name, action: UpdatePlanPage.path, method: "get",
                        isMain: true, opensDialog: true, fields: [UpdatePlanPage.field(selecting: productIdentifier)]))
            }
            if kind == .skin || kind == .emoji, !states.contains(.inUse) {
                add(
                    messages.text("Use"), kind == .skin ? "skin" : "emoji", isMain: true,
                    [PageField(name: "identifier", value: productIdentifier)])
            } else if kind == .emoji {
                // Without a set, emoji are those of the system. There is always a skin: the default one is chosen among skins.
                add(messages.text("Stop using"), "emoji")
            }
            if let isHeld {
                if isVerifiable {
                    buttons.append(
                        Button(
                            label: messages.text("Verify"), product: name, action: VerificationPage.path, method: "get",
                            isMain: false, opensDialog: true, announcement: messages.text("Comparing the files"),
                            fields: [PageField(name: LibraryPage.selectionPrefix + productIdentifier, value: "true")]))
                }
                if store != nil, !isUnmanaged {
                    add(
                        isHeld ? messages.text("Release") : messages.text("Hold"),
                        "packs/\(path)/\(isHeld ? "release" : "hold")")
                }
                if isRestorable { add(messages.text("Roll back"), "packs/\(path)/rollback") }
            }
            if store != nil, !isUnmanaged { add(messages.text("Remove"), "packs/\(path)/remove") }
        } else if isInstallable {
            if states.contains(.notPurchased) {
                add(
                    messages.text("Buy for {price}", ["price": price.map(texts.price) ?? ""]), "purchases/\(path)",
                    isMain: true)
            } else {
                add(messages.text("Install"), "downloads", isMain: true, product)
            }
        }
        self.buttons = buttons
        state =
            switch states.first {
            case .inUse: messages.text("In use")
            case .downloaded: messages.text("Installed")
            case .withdrawn: messages.text("Withdrawn")
            default: nil
            }
    }
}
