import FoundationEssentials
import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreSystem

/// The options of adding a pack to a publisher's store, which take precedence over the pack's information file.
public struct AddOptions: Sendable, Hashable {
    /// The identifier of the product to add; `nil` uses that of the pack's information file.
    public var productIdentifier: String?
    /// The kind of the product to add; `nil` uses that of the pack's information file.
    public var kind: ProductKind?
    /// The name for display of the product to add; `nil` uses that of the pack's information file.
    public var name: String?
    /// The version of the product to add; `nil` uses that of the pack's information file.
    public var version: Version?
    /// The price of the product to add; `nil` uses that of the pack's information file, or keeps the price.
    public var price: Price?

    /// Creates options of adding a pack; `nil` uses the pack's information file, or what the store has.
    public init(
        productIdentifier: String? = nil, kind: ProductKind? = nil, name: String? = nil, version: Version? = nil,
        price: Price? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.name = name
        self.version = version
        self.price = price
    }
}

/// The members of a pack's information file `pack.json` that are published.
///
/// Each product kind has further members of its own.
struct PublishedInformation: Decodable {
    var productIdentifier: String?
    var kind: ProductKind?
    var name: LocalizedText?
    var version: Version?
    var price: Price?
    var description: LocalizedText?
    var changes: LocalizedText?
    var publisher: String?
    var license: String?
    var website: String?
    var authors: [String]?
    var locales: [String]?
    var categories: [String]?
    var tags: [String]?
    var dependencies: [String]?
    var permissions: [Permission]?
    var cover: String?
    var sprite: String?
    var previews: [String]?

    /// The form of each published member, for messages about mistakes in the file.
    static let members: [InformationMember] =
        PackInformation.members + [
            InformationMember("price", form: "a string or a number", example: #""1.99 EUR""#),
            .localizedText("description", example: #"{"en": "Cups that smile"}"#),
            .localizedText("changes", example: #"{"en": "New: a cup that winks"}"#),
            .strings("authors", example: #"["Jane Doe"]"#),
            .strings("locales", example: #"["en", "de"]"#),
            .strings("categories", example: #"["Food"]"#),
            .strings("tags", example: #"["tea", "coffee"]"#),
            .string("sprite", example: #""sprite.png""#),
            .strings("previews", example: #"["preview.png"]"#),
        ]
}

/// The description of a pack to publish, which becomes a product's entry in the catalogue.
///
/// Each value is from the options, or else from the pack's information file, the store's earlier description of the
/// product, or the directory's name.
struct PackDescription {
    let productIdentifier: String
    let kind: ProductKind
    let name: LocalizedText
    let version: Version
    let price: Price?
    let information: PublishedInformation
    /// The identifiers of the products that the pack needs.
    ///
    /// These are the ones in the information file, and those that the product kind derives.
    let dependencies: [String]

    /// Creates the description of a pack to publish; an option takes precedence over the information files.
    ///
    /// - Parameters:
    ///   - information: the published members of `pack.json`.
    ///   - own: what the content kind reads from its own information file, such as a skin's `skin.xml`.
    ///   - options: the options of the command.
    ///   - directoryName: the last component of the directory's real path.
    ///   - state: the state of the store, with the product's earlier description.
    init(
        information: PublishedInformation, own: PackInformation, options: AddOptions, directoryName: String,
        in state: PublishingState
    ) throws(StoreError) {
        // Where a value is from, for messages.
        func origin(_ option: Any?, _ name: String, _ member: Any?) -> String {
            if option != nil { return name }
            return member != nil ? PackInformation.fileName : directoryName
        }
        func nonempty(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
        let identifier =
            options.productIdentifier ?? information.productIdentifier ?? own.productIdentifier ?? directoryName
        let before = state[identifier]
        if let defect = CatalogueEntry.defect(ofIdentifier: identifier) {
            let origin = origin(options.productIdentifier, "--id", information.productIdentifier)
            throw StoreError(.packIdentifierInvalid, ["origin": .untrusted(origin), "reason": defect])
        }
        if let named = own.productIdentifier, named != identifier {
            throw StoreError(
                .packIdentifierDiffers, ["directory": .untrusted(directoryName), "product": identifier, "own": named])
        }
        productIdentifier = identifier
        kind = options.kind ?? information.kind ?? own.kind ?? before?.kind ?? .sticker
        name =
            nonempty(options.name).map { LocalizedText($0) } ?? information.name ?? own.name
            ?? before?.current.name ?? LocalizedText(directoryName)
        version = options.version ?? information.version ?? own.version ?? Version("1.0.0")
        price = options.price ?? information.price
        self.information = information
        let named = information.dependencies ?? []
        dependencies = named + (own.dependencies ?? []).filter { !named.contains($0) }
        try requirePublishableLists()
        try requirePublishableTexts()
        for dependency in dependencies where CatalogueEntry.defect(ofIdentifier: dependency) != nil {
            throw StoreError(
                .packDependencyInvalid, ["file": PackInformation.fileName, "dependency": .untrusted(dependency)])
        }
        guard Self.isKind(kind.rawValue) else {
            let origin = origin(options.kind, "--kind", information.kind)
            throw StoreError(
                .packKindInvalid, ["origin": .untrusted(origin), "kind": .untrusted(kind.rawValue)])
        }
        if let price, !price.isPublishable {
            let origin = origin(options.price, "--price", information.price)
            throw StoreError(
                .packPriceInvalid, ["origin": .untrusted(origin), "price": .untrusted(price.description)])
        }
        guard version.hasDigit, version.text.utf8.count <= CatalogueLimits.wordLength else {
            let origin = origin(options.version, "--version", information.version)
            throw StoreError(
                .packVersionInvalid, ["origin": .untrusted(origin), "version": .untrusted(version.text)])
        }
    }

    /// Checks that no list has more elements than clients accept in a catalogue: they reject the product otherwise.
    ///
    /// - Throws: `content.bad-information`.
    private func requirePublishableLists() throws(StoreError) {
        let lists: KeyValuePairs<String, [String]?> = [
            "authors": information.authors, "locales": information.locales, "categories": information.categories,
            "tags": information.tags, "dependencies": dependencies,
            "permissions": information.permissions?.map(\.rawValue), "previews": information.previews,
        ]
        for (member, list) in lists {
            let count = list?.count ?? 0
            guard count <= CatalogueLimits.listLength else {
                throw StoreError(
                    .informationListTooLong,
                    [
                        "file": PackInformation.fileName, "member": member, "count": count,
                        "limit": CatalogueLimits.listLength,
                    ])
            }
        }
    }

    /// Checks that no text has more languages than clients read: they take the text for missing otherwise.
    ///
    /// - Throws: `content.bad-information`.
    private func requirePublishableTexts() throws(StoreError) {
        let texts: KeyValuePairs<String, LocalizedText?> = [
            "name": name, "description": information.description, "changes": information.changes,
        ]
        for (member, text) in texts {
            let count = text?.byLanguage.count ?? 0
            guard count <= CatalogueLimits.languages else {
                throw StoreError(
                    .packTextLanguages,
                    [
                        "file": PackInformation.fileName, "member": member, "count": count,
                        "limit": CatalogueLimits.languages,
                    ])
            }
        }
    }

    /// Returns whether a text can be the kind of a product: a word of ASCII letters, digits and hyphens.
    private static func isKind(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Returns the version of the pack with its files, to be recorded in the state of the publisher's store.
    func release(
        addedAt: Date, archive: StoredFile, entryTable: StoredFile, filesSHA256: SHA256Digest?,
        image: StoredFile?, sprite: StoredFile?, previews: [StoredFile]
    ) -> PublishingState.Release {
        PublishingState.Release(
            version: version, name: name, addedAt: addedAt, archive: archive, entryTable: entryTable,
            filesSHA256: filesSHA256, image: image,
            sprite: sprite, previews: previews, description: information.description,
            changes: information.changes, publisher: information.publisher, license: information.license,
            authors: information.authors ?? [],
            locales: information.locales ?? name.byLanguage.keys.filter { !$0.isEmpty }.sorted(),
            categories: information.categories ?? [], tags: information.tags ?? [],
            dependencies: dependencies, permissions: information.permissions)
    }
}
