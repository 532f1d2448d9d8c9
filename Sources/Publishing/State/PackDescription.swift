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
    /// The price of the product to add; `nil` keeps the price, and a new product is free.
    public var price: Price?

    /// Creates options of adding a pack; `nil` uses the pack's information file, or keeps the price.
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
    var description: LocalizedText?
    var publisher: String?
    var license: String?
    var authors: [String]?
    var locales: [String]?
    var categories: [String]?
    var tags: [String]?
    var dependencies: [String]?
    var permissions: [Permission]?
    var cover: String?
    var sprite: String?
    var previews: [String]?
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
        func nonempty(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
        let identifier =
            nonempty(options.productIdentifier) ?? nonempty(information.productIdentifier) ?? own.productIdentifier
            ?? directoryName
        if let defect = CatalogueEntry.defect(ofIdentifier: identifier) {
            throw StoreError(.packIdentifierInvalid, ["directory": .untrusted(directoryName), "reason": defect])
        }
        if let named = own.productIdentifier, named != identifier {
            throw StoreError(
                .packIdentifierDiffers, ["directory": .untrusted(directoryName), "product": identifier, "own": named])
        }
        let before = state[identifier]
        productIdentifier = identifier
        kind = options.kind ?? information.kind ?? own.kind ?? before?.kind ?? .sticker
        name =
            nonempty(options.name).map { LocalizedText($0) } ?? information.name ?? own.name
            ?? before?.current.name ?? LocalizedText(directoryName)
        version = options.version ?? information.version ?? own.version ?? Version("1.0.0")
        price = options.price
        self.information = information
        let named = information.dependencies ?? []
        dependencies = named + (own.dependencies ?? []).filter { !named.contains($0) }
        guard !kind.rawValue.isEmpty else {
            throw StoreError(.packKindInvalid, ["directory": .untrusted(directoryName)])
        }
        guard version.text.contains(where: \.isNumber) else {
            throw StoreError(
                .packVersionInvalid, ["directory": .untrusted(directoryName), "version": .untrusted(version.text)])
        }
    }

    /// Returns the version of the pack with its files, to be recorded in the state of the publisher's store.
    func release(
        addedAt: Date, archive: StoredFile, entryTable: StoredFile, image: StoredFile?, sprite: StoredFile?,
        previews: [StoredFile]
    ) -> PublishingState.Release {
        PublishingState.Release(
            version: version, name: name, addedAt: addedAt, archive: archive, entryTable: entryTable, image: image,
            sprite: sprite, previews: previews, description: information.description,
            publisher: information.publisher, license: information.license, authors: information.authors ?? [],
            locales: information.locales ?? name.byLanguage.keys.filter { !$0.isEmpty }.sorted(),
            categories: information.categories ?? [], tags: information.tags ?? [],
            dependencies: dependencies, permissions: information.permissions)
    }
}
