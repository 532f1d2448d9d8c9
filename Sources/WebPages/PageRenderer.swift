import Mustache
public import StoreMessages
import Synchronization

/// Renders the pages of the browser front-end from their templates.
///
/// The templates escape all texts, so that nothing that a store says becomes markup. A text in double brackets, such as
/// `[[Install]]` or `[[Open the window of {name}]]`, is replaced by its translation when the templates are read. In each
/// language they are read when its first page is rendered, since most daemons show no page.
public final class PageRenderer: Sendable {
    private let libraries = Mutex<[Language: MustacheLibrary]>([:])

    /// Creates a renderer with the templates that are part of the program.
    public init() {}

    /// Returns a page, or a part of one, as HTML.
    ///
    /// - Parameter language: the language in which the page was made.
    /// - Parameter sequence: the number of the last event before the content of the page was read, with which the page's
    ///   script continues.
    public func html(_ page: some Page, in language: Language, sequence: Int) -> String {
        let members = TemplateMembers(page, adding: ["sequence": "\(sequence)"])
        return templates(in: language).render(members, withTemplate: page.template) ?? ""
    }

    private func templates(in language: Language) -> MustacheLibrary {
        libraries.withLock { libraries in
            if let known = libraries[language] { return known }
            // A translation that the parser rejects is a defect of the program; the page is in English then.
            let library = (try? Self.read(language)) ?? (try? Self.read(.english)) ?? MustacheLibrary()
            libraries[language] = library
            return library
        }
    }

    /// Reads all templates in a language.
    ///
    /// - Throws: an error of the templates' parser, which is a defect of the program.
    static func read(_ language: Language) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for (name, text) in texts {
            try library.register(TranslatedFile.template(text, in: language), named: name)
        }
        return library
    }

    private static let texts: [(String, [UInt8])] = [
        ("page", PackageResources.page_mustache), ("actions", PackageResources.actions_mustache),
        ("results", PackageResources.results_mustache),
        ("store", PackageResources.store_mustache), ("product", PackageResources.product_mustache),
        ("library", PackageResources.library_mustache), ("stickers", PackageResources.stickers_mustache),
        ("stickerResults", PackageResources.stickerResults_mustache),
        ("skins", PackageResources.skins_mustache), ("skin", PackageResources.skin_mustache),
        ("settings", PackageResources.settings_mustache),
        ("consent", PackageResources.consent_mustache), ("error", PackageResources.error_mustache),
        ("login", PackageResources.login_mustache), ("chat", PackageResources.chat_mustache),
        ("plan", PackageResources.plan_mustache), ("step", PackageResources.step_mustache),
        ("confirmation", PackageResources.confirmation_mustache),
        ("addstore", PackageResources.addstore_mustache), ("trust", PackageResources.trust_mustache),
        ("tokens", PackageResources.tokens_mustache), ("disk", PackageResources.disk_mustache),
        ("verification", PackageResources.verification_mustache), ("history", PackageResources.history_mustache),
    ]
}

/// The content of a page or of a part of one, whose stored properties are the names in its template.
public protocol Page: Sendable {
    /// The name of the page's template.
    var template: String { get }
}
