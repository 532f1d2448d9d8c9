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
        try rules.check(pack, cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
        _ = try warnings(about: pack)
    }

    /// Checks the values of a skin, such as its colours; a client skips those that are invalid.
    ///
    /// - Throws: `skin.bad-value` with the file and the line of the first invalid value.
    public func checkForPublishing(_ pack: Directory) throws {
        // Other warnings may be about names that an ancestor or an application defines.
        let invalid = try warnings(about: pack).filter { $0.code == .skinBadValue }
        guard let first = invalid.first else { return }
        let location = first.file + (first.line.map { ":\($0)" } ?? "")
        throw StoreError(.skinValueInvalid, ["location": location, "reason": first.message])
    }

    /// Names the items of a skin that clients skip, such as unknown components.
    ///
    /// Names that an ancestor may define are left out, because the ancestor is not read.
    public func publishingWarnings(about pack: Directory, pictures: Set<String>) throws -> [String] {
        let isChild = try SkinInformation.find(in: pack)?.parent != nil
        let ofAncestors: Set<ErrorCode> = [.skinUnknownClass, .skinUnknownConstant, .skinUnknownAsset]
        let warnings = try warnings(about: pack).filter { !isChild || !ofAncestors.contains($0.code) }
        let texts = warnings.prefix(Self.maximumWarnings).map { warning in
            "\(warning.file):\(warning.line.map { "\($0):" } ?? "") \(warning.message)"
        }
        let rest = warnings.count - texts.count
        return rest == 0 ? texts : texts + ["\(rest) more; list all with 'storectl skin check'"]
    }

    private func warnings(about pack: Directory) throws -> [SkinWarning] {
        guard let information = try SkinInformation.find(in: pack) else { return [] }
        // Without its ancestors, because they need not be installed yet; what they lack is no more than a warning.
        return try reader.check([SkinDirectory(information, pack, origin: .purchased)])
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
