public import StoreModel
import StoreSystem
import Synchronization

/// Finds skins, loads the skin in use, and applies it to the objects of a user interface.
///
/// Skins are loaded one at a time on a thread of the manager's own, so that no caller waits for the disk on its thread.
/// The previous skin stays in use until the next one is loaded.
///
/// ```swift
/// let manager = SkinsManager(settings)
/// await manager.start()
/// await MainActor.run {
///     manager.apply("header_title", to: label, as: "uilabel", on: MainActor.shared, with: LabelApplier())
/// }
/// try await manager.use("night")  // the label now has the colours of the skin
/// for await change in manager.changes {
///     print(change.skin.name, change.identifiers)
/// }
/// ```
public final class SkinsManager: Sendable {
    /// The configuration of a skins manager: where it finds skins, the default skin, and the device type.
    public struct Settings: Sendable {
        /// The search for skins, with the directories that it searches.
        public var finder: SkinFinder
        /// The identifier of the skin that is used if the user chose none.
        public var defaultSkin: String
        /// The type of device (phone, tablet or desktop) for which skins are loaded.
        public var idiom: SkinIdiom
        /// The path of the directory of compiled skins, such as `…/cache/skins`.
        public var compiledDirectory: String
        /// The path of the file that stores which skin the user chose.
        public var choiceFile: String
        /// The components, operations and object types that skins may use.
        public var vocabulary: SkinVocabulary
        /// The maximum size of the cache for skins' images, in bytes.
        public var assetCacheLimit: Int
        /// The maximum size of a skin with its inherited values as a style sheet, estimated, in bytes.
        public var sizeLimit: Int

        /// Creates a configuration of a skins manager.
        public init(
            finder: SkinFinder, defaultSkin: String, idiom: SkinIdiom = .desktop, compiledDirectory: String,
            choiceFile: String, vocabulary: SkinVocabulary = .standard, assetCacheLimit: Int = 16 << 20,
            sizeLimit: Int = SkinReader.defaultSizeLimit
        ) {
            self.finder = finder
            self.defaultSkin = defaultSkin
            self.idiom = idiom
            self.compiledDirectory = compiledDirectory
            self.choiceFile = choiceFile
            self.vocabulary = vocabulary
            self.assetCacheLimit = assetCacheLimit
            self.sizeLimit = sizeLimit
        }
    }

    /// The configuration with which the skins manager was created.
    public let settings: Settings
    /// The memory cache for images of skins.
    public let assets: AssetCache
    let compiled: CompiledSkins
    let current: CurrentSkin
    let objects: SkinnedObjects
    let work = BlockingWork(label: "skins")
    private let state = Mutex(State())

    struct State {
        var found = SkinFinder.Found()
        var choice = SkinChoice.none
        /// The skin in use, with the identities of its asset files.
        var applied: AppliedSkin?
    }

    /// Creates a skins manager, which loads no skin before ``start()``.
    public init(_ settings: Settings) {
        self.settings = settings
        assets = AssetCache(limit: settings.assetCacheLimit)
        compiled = CompiledSkins(
            directory: settings.compiledDirectory,
            reader: SkinReader(vocabulary: settings.vocabulary, sizeLimit: settings.sizeLimit), cache: assets)
        current = CurrentSkin(.empty(for: settings.idiom))
        objects = SkinnedObjects(vocabulary: settings.vocabulary)
    }

    func withState<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value { state.withLock(body) }

    // MARK: Available skins

    /// An available skin as it is shown in lists: its information, origin and path.
    public struct Skin: Sendable, Hashable {
        public let information: SkinInformation
        public let origin: SkinDirectory.Origin
        /// The absolute path of the skin's directory.
        public let path: String
    }

    /// The available skins, found by the last search, in byte order of their identifiers.
    public var skins: [Skin] { Skin.sorted(withState { $0.found }) }

    /// The errors of skins' directories that the last search could not load, by the directory's path.
    public var unreadable: [String: ErrorReport] { withState { $0.found.unreadable } }

    /// Returns the identifiers of the skins that directly inherit from a skin, in byte order.
    public func children(of identifier: String) -> [String] {
        withState { $0.found.skins.values.filter { $0.information.parent == identifier }.map(\.identifier) }
            .sorted { $0.isBefore($1) }
    }

    // MARK: The skin in use

    /// The skin in use; an empty skin before ``start()``, or if none could be loaded.
    public var skin: ResolvedSkin { current.skin }

    /// The identifiers of the skin in use and its ancestors, and the reason if it is not the chosen skin.
    public var status: SkinStatus { current.status }

    /// Returns whether a skin, or one that inherits from it, is in use.
    public func isInUse(_ productIdentifier: String) -> Bool { status.chain.contains(productIdentifier) }

    /// The asynchronous sequence of changes of the skin in use from now on.
    public var changes: SkinChanges { SkinChanges(current: current) }

    // MARK: Objects

    /// Applies the skin in use to a user-interface object immediately, and again at each change of the skin.
    ///
    /// The object is referenced weakly. A second call with the same object replaces its identifier. Operations that the
    /// component does not support, and identifiers that the skin does not define, are ignored.
    ///
    /// - Parameters:
    ///   - identifier: the identifier whose definition is applied.
    ///   - component: the name of the object's component type.
    ///   - executor: runs the applier at each change; the call itself must be made on this executor.
    ///   - applier: performs the operations on the object.
    public func apply<Applier: SkinApplier>(
        _ identifier: String, to object: Applier.Object, as component: String, on executor: some SkinExecutor,
        with applier: Applier
    ) {
        let skinned = SkinnedObject(
            object, identifier: identifier, component: component, executor: executor, applier: applier)
        // Registered before the skin is applied, so that a change in between reaches the object in either case.
        objects.add(skinned, key: ObjectIdentifier(object))
        objects.apply(to: skinned)
    }

    /// Stops applying skins to a user-interface object.
    public func remove(_ object: AnyObject) { objects.remove(ObjectIdentifier(object)) }

    /// The number of user-interface objects to which skins are applied.
    public var objectCount: Int { objects.count }
}

extension SkinsManager.Skin {
    /// Returns the skins that a search found, in byte order of their identifiers.
    static func sorted(_ found: SkinFinder.Found) -> [SkinsManager.Skin] {
        found.skins.values.map(Self.init).sorted { $0.information.identifier.isBefore($1.information.identifier) }
    }

    private init(_ skin: SkinDirectory) {
        self.init(information: skin.information, origin: skin.origin, path: skin.directory.path)
    }
}

extension ResolvedSkin {
    /// Returns a skin without any definitions, which is in use while no other could be loaded.
    static func empty(for idiom: SkinIdiom) -> ResolvedSkin {
        ResolvedSkin(
            idiom: idiom, chain: [Link(identifier: "", name: "", version: nil)], store: EntityList(entities: []),
            assets: SkinAssets([], cache: AssetCache(limit: 0)))
    }
}
