import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

/// The text of `info` about a product: facts with their labels, its description, and what its version changes.
struct InfoText {
    let messages: Messages
    /// Whether the URLs of preview images are among the facts.
    let showsPreviews: Bool

    /// The width of the labels in terminal columns, with the space behind them, unless one is wider.
    private static let labelWidth = 12

    /// A fact about a product, which is left out if it has no text.
    private struct Fact {
        let label: String
        let text: String?
        /// Whether the text is wrapped; one that is copied is not, because a path may contain spaces.
        let isWrapped: Bool

        init(_ label: String, _ text: String?, isWrapped: Bool = true) {
            self.label = label
            self.text = text
            self.isWrapped = isWrapped
        }
    }

    /// Returns the text about a product, wrapped at words if the terminal's `width` is given.
    func lines(_ found: ProductDocument, cover: String?, width: Int?) -> [String] {
        let product = found.product
        let languages = StoreClient.languages()
        var lines = formatted(facts(found, languages) + facts(of: found.pack, in: found, cover: cover), width: width)
        if let text = found.details?.info.text(in: languages), !text.isEmpty {
            lines += [""] + paragraphs(text, width: width)
        }
        if let text = found.details?.changes?.text(in: languages), !text.isEmpty {
            let heading =
                product.version.map { messages.text("Changes in {product}:", ["product": $0.text]) }
                ?? messages.text("Changes in this version:")
            lines += ["", heading] + paragraphs(text, indentation: "  ", width: width)
        }
        return lines
    }

    private func facts(_ found: ProductDocument, _ languages: [String]) -> [Fact] {
        let product = found.product
        let price = product.productPrice.isFree ? messages.text("free") : product.productPrice.description
        var facts = [
            Fact(messages.text("ID"), product.productIdentifier),
            Fact(messages.text("Name"), product.productName.text(in: languages)),
            Fact(
                messages.text("Store"),
                found.signed ? found.store : messages.text("{store} (unsigned)", ["store": found.store])),
            Fact(messages.text("Kind"), messages.word(for: product.kind)),
            Fact(messages.text("Version"), product.version?.text),
            Fact(messages.text("Price"), price),
            Fact(messages.text("Download"), product.resource?.size.map { AmountFormat.bytes($0, messages) }),
            Fact(messages.text("State"), joined(found.state.map(messages.word))),
            Fact(messages.text("Publisher"), product.publisher),
            Fact(messages.text("Authors"), joined(product.authors)),
            Fact(messages.text("License"), product.license),
            Fact(messages.text("Languages"), joined(product.locales)),
            Fact(messages.text("Categories"), joined(product.categories)),
            Fact(messages.text("Tags"), joined(product.tags)),
            Fact(messages.text("Requires"), joined(product.dependencies)),
            Fact(messages.text("Requests"), joined(product.permissionsToGrant.map(messages.meaning))),
            Fact(messages.text("Published"), product.publishedAt.map(shortTime)),
            Fact(messages.text("Problem"), product.defect.map { messages.translation(of: $0) }),
            Fact(
                messages.text("Icon"), (product.image?.url ?? found.details?.image)?.absoluteString, isWrapped: false),
        ]
        if showsPreviews {
            facts += found.previews.map { Fact(messages.text("Preview"), $0.absoluteString, isWrapped: false) }
        }
        return facts
    }

    /// Returns the facts about the installed pack of a product, and about its update.
    private func facts(of pack: InstalledPack?, in found: ProductDocument, cover: String?) -> [Fact] {
        guard let pack else { return [] }
        let store =
            pack.store == found.store ? nil : pack.store.map { messages.text("from '{store}'", ["store": $0]) }
        let installed = [pack.version?.text, AmountFormat.bytes(pack.size, messages), store].compactMap { $0 }
        var facts = [
            Fact(messages.text("Installed"), messages.list(installed)),
            Fact(messages.text("Path"), pack.path, isWrapped: false),
            Fact(messages.text("Cover"), cover, isWrapped: false),
            Fact(messages.text("Held"), pack.held ? messages.text("yes") : nil),
            Fact(messages.text("Allowed"), joined(pack.permissions.map(messages.meaning))),
        ]
        if pack.store == found.store, found.state.contains(.updatable) {
            let changes = VersionChanges(from: pack, to: found.product, messages)
            facts += [
                Fact(messages.text("Update"), changes.versions), Fact(messages.text("Changes"), changes.summary),
            ]
        }
        return facts
    }

    private func formatted(_ facts: [Fact], width: Int?) -> [String] {
        let shown = facts.compactMap { fact in
            fact.text.flatMap { text in
                text.isEmpty
                    ? nil
                    : (label: messages.text("{label}:", ["label": fact.label]), text: text, isWrapped: fact.isWrapped)
            }
        }
        let margin = max(Self.labelWidth, (shown.map(\.label.columns).max() ?? 0) + 1)
        return shown.flatMap { label, text, isWrapped in
            (label.padded(to: margin) + text.displayable).wrapped(to: isWrapped ? width : nil, indentation: margin)
        }
    }

    /// Returns the lines of a store's text, wrapped at words if the terminal's `width` is given.
    private func paragraphs(_ text: String, indentation: String = "", width: Int?) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { (indentation + String($0).displayable).wrapped(to: width) }
    }

    private func joined(_ words: [String]) -> String? { words.isEmpty ? nil : messages.list(words) }
}
