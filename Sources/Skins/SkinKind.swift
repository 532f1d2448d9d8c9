public import FoundationEssentials
public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// Skins from the store: `NAME.purchasedTheme`, unless the settings name another extension. They hold XML, images and
/// text, that of other applications' skins too; those of ours must be readable.
public struct SkinKind: ContentKind {
    public let kind = ProductKind.skin
    public let folderExtension: String

    private let rules: FileRules
    private let skins: SkinsManager?

    /// - Parameter skins: whoever knows which is in use; `nil` where none ever is.
    public init(
        folderExtension: String = "purchasedTheme", images: ImageLimits = ImageLimits(), skins: SkinsManager? = nil
    ) {
        self.skins = skins
        self.folderExtension = folderExtension
        rules = FileRules(.skin, [.images(images), .xml, .texts(["tdesktop-theme", "tdesktop-palette", "attheme"])])
    }

    /// The parent is what a skin needs; a product and its skin have one identifier.
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
        do {
            // What it inherits from need not be here yet.
            if try SkinInformation.find(in: pack) != nil { try SkinFiles(pack).requireReadable(in: pack) }
        } catch let error as SkinError {
            throw LibraryError(error.code, error.message)
        }
    }

    /// One that the skin in use inherits from is in use, too.
    public func isInUse(_ productIdentifier: String) async -> Bool { skins?.isInUse(productIdentifier) == true }

    public func isPreinstalled(_ productIdentifier: String) async -> Bool {
        skins?.skins.contains { $0.origin == .preinstalled && $0.information.identifier == productIdentifier } == true
    }

    /// What is shown of it later is ready then, and where it is in use it is applied.
    public func didInstall(_ productIdentifier: String) async {
        guard let skins else { return }
        // Who uses a skin that can't be read is told why.
        _ = try? await skins.compile(productIdentifier)
        await skins.refresh()
    }

    /// What inherits from a skin would be without it, unless one of that identifier came with the application.
    public func willRemove(_ productIdentifier: String) async throws {
        guard let skins, let child = skins.children(of: productIdentifier).first else { return }
        let preinstalled = SkinFinder(skins.settings.finder.roots.filter { $0.origin == .preinstalled })
        guard preinstalled.find().skins[productIdentifier] == nil else { return }
        throw SkinError(
            .skinNeeded, "The skin '\(child)' inherits from '\(productIdentifier)'. Remove that one first.")
    }

    public func didRemove(_ productIdentifier: String) async { await skins?.refresh() }
}
