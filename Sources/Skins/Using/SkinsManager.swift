public import StoreModel
import StoreSystem
import Synchronization

/// Knows the skins that are there, which of them is in use, and the objects that it is applied to.
///
/// Nothing here waits for the disk on the caller's thread but where it says so: skins are found and loaded one after
/// another on a thread of the manager's own, while whatever was loaded before stays in use.
public final class SkinsManager: Sendable {
    /// What it works with.
    public struct Settings: Sendable {
        public var finder: SkinFinder
        /// The identifier of the skin that is used where none was chosen.
        public var defaultSkin: String
        public var idiom: SkinIdiom
        /// The folder of the compiled skins, such as `…/cache/skins`.
        public var compiledFolder: String
        /// The file that keeps which skin was chosen.
        public var choiceFile: String
        public var vocabulary: SkinVocabulary
        /// Bytes of images that are kept in memory at most.
        public var assetMemory: Int

        public init(
            finder: SkinFinder, defaultSkin: String, idiom: SkinIdiom = .desktop, compiledFolder: String,
            choiceFile: String, vocabulary: SkinVocabulary = .standard, assetMemory: Int = 16 << 20
        ) {
            self.finder = finder
            self.defaultSkin = defaultSkin
            self.idiom = idiom
            self.compiledFolder = compiledFolder
            self.choiceFile = choiceFile
            self.vocabulary = vocabulary
            self.assetMemory = assetMemory
        }
    }

    public let settings: Settings
    /// What images are kept in that ask for it.
    public let assets: AssetCache
    let compiled: CompiledSkins
    let board: CurrentSkin
    let objects: SkinnedObjects
    let work = BlockingWork(label: "skins")
    private let state = Mutex(State())

    struct State {
        var found = SkinFinder.Found()
        var choice = SkinChoice.none
        /// What is on the board, and what was known of its assets then.
        var applied: AppliedSkin?
    }

    /// Reads nothing yet: ``start()`` does.
    public init(_ settings: Settings) {
        self.settings = settings
        assets = AssetCache(limit: settings.assetMemory)
        compiled = CompiledSkins(
            folder: settings.compiledFolder, reader: SkinReader(vocabulary: settings.vocabulary), cache: assets)
        board = CurrentSkin(.nothing(for: settings.idiom))
        objects = SkinnedObjects(vocabulary: settings.vocabulary)
    }

    func withState<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value { state.withLock(body) }

    // MARK: What there is

    /// A skin that was found, as lists show it.
    public struct Skin: Sendable, Hashable {
        public let information: SkinInformation
        public let origin: SkinFolder.Origin
        /// Absolute.
        public let path: String
    }

    /// The skins that were there at the last look, in the order of their identifiers.
    public var skins: [Skin] {
        withState { $0.found.skins.values.map(Skin.init) }
            .sorted { $0.information.identifier.isBefore($1.information.identifier) }
    }

    /// Folders that are called as skins are and could not be read at the last look, by path, each with the reason.
    public var unreadable: [String: ErrorReport] { withState { $0.found.unreadable } }

    /// The identifiers of the skins that inherit from one without another between, in order.
    public func children(of identifier: String) -> [String] {
        withState { $0.found.skins.values.filter { $0.information.parent == identifier }.map(\.identifier) }
            .sorted { $0.isBefore($1) }
    }

    // MARK: What is in use

    /// The skin that is applied; one that says nothing where none could be loaded, or before ``start()``.
    public var skin: ResolvedSkin { board.skin }

    public var status: SkinStatus { board.status }

    /// Whether a skin is applied, or one that inherits from it.
    public func isInUse(_ productIdentifier: String) -> Bool { status.chain.contains(productIdentifier) }

    /// What changes from now on.
    public var changes: SkinChanges { SkinChanges(board: board) }

    // MARK: Objects

    /// Applies what the skin in use says for an identifier to an object, here and now; and again, on `place`, at each change
    /// while the object is there. It is held weakly. Call it where `place` runs its work. One object has one identifier:
    /// the last it was given.
    ///
    /// Operations that the object's component does not have are passed over, and so is an identifier of which the skin says
    /// nothing.
    ///
    /// - Parameter component: the name of the object's component type.
    public func apply<Applier: SkinApplier>(
        _ identifier: String, to object: Applier.Object, as component: String, on place: some SkinPlace,
        with applier: Applier
    ) {
        let skinned = SkinnedObject(
            object, identifier: identifier, component: component, place: place, applier: applier)
        // First known, then applied: of a change in between, one of the two brings the new skin.
        objects.add(skinned, key: ObjectIdentifier(object))
        objects.apply(to: skinned)
    }

    /// No skin is applied to the object any more.
    public func forget(_ object: AnyObject) { objects.remove(ObjectIdentifier(object)) }

    /// How many objects there are that skins are applied to.
    public var objectCount: Int { objects.count }
}

extension SkinsManager.Skin {
    fileprivate init(_ folder: SkinFolder) {
        self.init(information: folder.information, origin: folder.origin, path: folder.directory.path)
    }
}

extension ResolvedSkin {
    /// A skin that says nothing.
    static func nothing(for idiom: SkinIdiom) -> ResolvedSkin {
        ResolvedSkin(
            idiom: idiom, chain: [Link(identifier: "", name: "", version: nil)], store: EntityList(entities: []),
            assets: SkinAssets([], cache: AssetCache(limit: 0)))
    }
}
