import FoundationEssentials
import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreSystem

/// What the publisher says of a pack on the command line; it wins over the pack's information file.
public struct AddOptions: Sendable, Hashable {
    public var productIdentifier: String?
    public var kind: ProductKind?
    public var name: String?
    public var version: Version?
    public var price: Price?

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

/// The members of `pack.json` that a catalogue tells on. Each kind of content has more of its own.
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

/// A pack with everything that is to be told of it decided: by the options, else its information file, else what the
/// store knew of the product, else the folder's name.
struct PackDescription {
    let productIdentifier: String
    let kind: ProductKind
    let name: LocalizedText
    let version: Version
    let price: Price?
    let information: PublishedInformation
    /// Those that it names itself, and those that its kind knows of.
    let dependencies: [String]

    /// - Parameters:
    ///   - own: what the pack says in the information file of its kind.
    ///   - folderName: the last part of the folder's real path.
    ///   - state: what the store knows so far.
    init(
        information: PublishedInformation, own: PackInformation, options: AddOptions, folderName: String,
        in state: PublishingState
    ) throws(PublishingError) {
        func filled(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
        let identifier =
            filled(options.productIdentifier) ?? filled(information.productIdentifier) ?? own.productIdentifier
            ?? folderName
        if let defect = CatalogueEntry.defect(ofIdentifier: identifier) {
            throw PublishingError(
                .badIdentifier, "'\(folderName)' can't be added: \(defect). Give it another one with --id.")
        }
        if let named = own.productIdentifier, named != identifier {
            throw PublishingError(
                .badIdentifier,
                "'\(folderName)' can't be added as '\(identifier)': it says itself that it is '\(named)', and whoever "
                    + "names it in another pack means that. Give both one identifier.")
        }
        let before = state[identifier]
        productIdentifier = identifier
        kind = options.kind ?? information.kind ?? own.kind ?? before?.kind ?? .sticker
        name =
            filled(options.name).map { LocalizedText($0) } ?? information.name ?? own.name
            ?? before?.current.name ?? LocalizedText(folderName)
        version = options.version ?? information.version ?? own.version ?? Version("1.0.0")
        price = options.price
        self.information = information
        let named = information.dependencies ?? []
        dependencies = named + (own.dependencies ?? []).filter { !named.contains($0) }
        guard !kind.rawValue.isEmpty, version.text.contains(where: \.isNumber) else {
            throw PublishingError(
                .badIdentifier,
                "'\(folderName)' can't be added: its kind '\(kind)' or version '\(version)' is none. A version holds"
                    + " numbers, such as 1.0.0.")
        }
    }

    /// As it is to be recorded.
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
