public import StoreModel

/// An object that receives snapshots of the state and events by method calls.
///
/// It is the delegate form of ``Observations``. Calls to one observer are made one after another, in the order of the
/// events: the next one is made when the previous method has returned. Methods of an actor, or of a class of the main
/// actor, run on that actor. A slow observer delays no other: progress that newer progress has replaced meanwhile is
/// skipped, and if even the state changes do not fit into its buffer, a snapshot replaces them. An error that a method
/// throws is ignored.
///
/// All methods have default implementations that do nothing.
public protocol StoreObserver: AnyObject, Sendable {
    /// Called with a snapshot of the current state, first and again after events were skipped.
    ///
    /// The state replaces everything received before.
    func snapshotTaken(_ snapshot: StoreSnapshot) async throws
    /// Called for every change of a download's status; its end is reported once, as the last change.
    func downloadChanged(_ status: DownloadStatus) async throws
    /// Called when an installed pack changed: it was installed, updated, held or removed, or found damaged, or its state
    /// changed.
    func packChanged(_ change: PackChange) async throws
    /// Called when a store was added, changed or removed, or its catalogue was fetched.
    func storeChanged(_ change: StoreChange) async throws
    /// Called when the basis on which a store's catalogue is accepted changed.
    func trustChanged(_ change: TrustChange) async throws
    /// Called when a purchase was recorded or revoked.
    func purchaseChanged(_ change: PurchaseChange) async throws
    /// Called when a setting of the daemon changed.
    func settingChanged(_ setting: SettingState) async throws
    /// Called when a store's catalogue, the list of its products, changed.
    func catalogueChanged(ofStore store: String) async throws
    /// Called when newer versions of installed packs are available, once for each version.
    func updatesFound(_ updates: [AvailableUpdate]) async throws
    /// Called when another skin, or another version of the same skin, was applied.
    ///
    /// - Parameter change: The parts of the skin that changed; `nil` if the whole skin has to be loaded again.
    func skinChanged(_ use: SkinUse, _ change: SkinDifference?) async throws
    /// Called when one of the user's lists of stickers, or the order of the sticker packs, changed.
    func stickersChanged(_ change: StickersChange) async throws
}

extension StoreObserver {
    public func snapshotTaken(_ snapshot: StoreSnapshot) async throws {}
    public func downloadChanged(_ status: DownloadStatus) async throws {}
    public func packChanged(_ change: PackChange) async throws {}
    public func storeChanged(_ change: StoreChange) async throws {}
    public func trustChanged(_ change: TrustChange) async throws {}
    public func purchaseChanged(_ change: PurchaseChange) async throws {}
    public func settingChanged(_ setting: SettingState) async throws {}
    public func catalogueChanged(ofStore store: String) async throws {}
    public func updatesFound(_ updates: [AvailableUpdate]) async throws {}
    public func skinChanged(_ use: SkinUse, _ change: SkinDifference?) async throws {}
    public func stickersChanged(_ change: StickersChange) async throws {}
}
