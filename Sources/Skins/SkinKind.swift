public import FoundationEssentials
public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The rules for skins as a kind of content from stores; their directories are `NAME.purchasedTheme`.
///
/// The settings can specify another extension. A pack contains XML, images and text, including the formats of other
/// applications. A skin in this project's format must be readable.
public struct SkinKind: ContentKind {
    public let kind = ProductKind.skin
    public let folderExtension: String

    /// The number of warnings that a publisher is shown; a mistake in a class may cause hundreds.
    private static let maximumWarnings = 10

    private let rules: FileRules
    private let skins: SkinsManager?
    private let reader: SkinReader

    /// Creates the rules for skins as a kind of content.
    ///
    /// - Parameters:
    ///   - skins: the manager that knows the skin in use; `nil` if no skin is ever in use, as for a publisher.
    ///   - reader: reads the files of a skin to check them; `nil` for that of the manager, or one with default limits.
    public init(
        folderExtension: String = "purchasedTheme", images: ImageLimits = ImageLimits(), skins: SkinsManager? = nil,
        reader: SkinReader? = nil
    ) {
        self.skins = skins
        self.reader = reader ?? skins?.compiled.reader ?? SkinReader()
        self.folderExtension = folderExtension
        rules = FileRules(.skin, [.images(images), .xml, .texts(["tdesktop-theme", "tdesktop-palette", "attheme"])])
    }

    /// Returns what the skin's information file, `skin.xml`, says of the product; `nil` if it is not in that format.
    ///
    /// The parent of a skin is a dependency of the product.
    public func information(_ file: (String) throws -> Data?) throws -> PackInformation? {
        guard let bytes = try file(SkinInformation.fileName),
            let skin = try SkinInformation.find(in: [UInt8](bytes))
        else { return nil }
        var information = PackInformation()
        information.productIdentifier = skin.identifier
        information.kind = kind
        information.name = LocalizedText(skin.name)
        information.version = skin.version
        information.dependencies = skin.parent.map { [$0] }
        return information
    }

    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        _ = try read(pack, cancellation: cancellation)
    }

    /// Checks a skin and its values, such as its colours, and warns of the items that clients skip, such as unknown components.
    ///
    /// There is no warning about names that an ancestor may define, because the ancestor is not read.
    ///
    /// - Throws: as ``check(_:cancellation:)``; `skin.bad-value` with the file and the line of the first invalid value, which a
    ///   client skips.
    public func checkForPublishing(_ pack: Directory, pictures: Set<String>) throws -> [String] {
        let (information, all) = try read(pack, cancellation: CancellationFlag())
        if let invalid = all.first(where: { $0.code == .skinBadValue }) {
            let location = invalid.file + (invalid.line.map { ":\($0)" } ?? "")
            throw StoreError(.skinValueInvalid, ["location": location, "reason": invalid.message])
        }
        let ofAncestors: Set<ErrorCode> = [.skinUnknownClass, .skinUnknownConstant, .skinUnknownAsset]
        let warnings = information?.parent == nil ? all : all.filter { !ofAncestors.contains($0.code) }
        let texts = warnings.prefix(Self.maximumWarnings).map { warning in
            "\(warning.file):\(warning.line.map { "\($0):" } ?? "") \(warning.message)"
        }
        let rest = warnings.count - texts.count
        return rest == 0 ? texts : texts + ["\(rest) more; list all with 'storectl skin check'"]
    }

    /// Checks the files of a skin, and reads it: its information, and the items that clients skip; `nil` and none of a theme
    /// of another application.
    private func read(
        _ pack: Directory, cancellation: CancellationFlag
    ) throws -> (information: SkinInformation?, warnings: [SkinWarning]) {
        try rules.check(PackContents(pack), cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
        guard let information = try SkinInformation.find(in: pack) else { return (nil, []) }
        // Without its ancestors, because they need not be installed yet; what they lack is no more than a warning.
        return (information, try reader.check([SkinDirectory(information, pack, origin: .purchased)]))
    }

    /// Returns whether the skin with this product identifier, or one that inherits from it, is in use.
    public func isInUse(_ productIdentifier: String) async -> Bool { skins?.isInUse(productIdentifier) == true }

    public func isPreinstalled(_ productIdentifier: String) async -> Bool {
        skins?.skins.contains { $0.origin == .preinstalled && $0.information.identifier == productIdentifier } == true
    }

    /// Called after a skin was installed: compiles it, and reloads the skin in use.
    public func didInstall(_ productIdentifier: String) async {
        guard let skins else { return }
        // An unreadable skin is reported when it is used.
        _ = try? await skins.compile(productIdentifier)
        await skins.refresh()
    }

    /// Called before a skin is removed: throws if another skin inherits from it.
    ///
    /// It does not throw if a preinstalled skin has the same identifier.
    ///
    /// - Throws: `skin.needed`.
    public func willRemove(_ productIdentifier: String) async throws {
        guard let skins, let child = skins.children(of: productIdentifier).first else { return }
        let preinstalled = SkinFinder(skins.settings.finder.roots.filter { $0.origin == .preinstalled })
        guard preinstalled.find().skins[productIdentifier] == nil else { return }
        throw StoreError(.skinRequired, ["skin": productIdentifier, "child": child])
    }

    public func didRemove(_ productIdentifier: String) async { await skins?.refresh() }
}
