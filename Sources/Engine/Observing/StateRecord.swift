import FoundationEssentials
import StoreEvents
import StoreModel
import StoreSystem

/// The part of the published state that may change while no process works on the home, as it was published last.
///
/// It is the file `state.json` of the data directory, which is written when a process begins, and when it ends in order.
/// From it the next process learns what has changed meanwhile without an event, such as a settings file that was edited, a program argument
/// that is not given any more, or a pack that was placed by hand; and after a crash also which purchases were recorded, whose events
/// were lost. Installed packs are in the database's index.
struct StateRecord: Codable {
    static let fileName = "state.json"

    private let settings: [SettingState]
    private let stores: [StoreSummary]
    private let packs: [InstalledPack]
    @OrNull private var skin: SkinUse?
    /// The lists of stickers; `nil` in a record of an earlier release.
    private var stickers: StickerLists?
    /// The purchases; `nil` in a record of an earlier release.
    private var purchases: [Purchase]?

    /// Creates the record of a published state with those of its packs that `isRecorded` selects.
    private init(_ state: PublishedState, where isRecorded: (InstalledPack) -> Bool) {
        settings = state.settings.values.sorted { $0.key < $1.key }
        stores = state.stores.values.sorted { $0.name < $1.name }
        packs = state.packs.values.map(\.pack).filter(isRecorded)
            .sorted { $0.productIdentifier < $1.productIdentifier }
        skin = state.skin
        stickers = state.stickers
        purchases = state.purchases.values.sorted { $0.productIdentifier < $1.productIdentifier }
    }

    private var state: PublishedState {
        var state = PublishedState()
        state.settings = Dictionary(settings.map { ($0.key, $0) }) { first, _ in first }
        state.stores = Dictionary(stores.map { ($0.name, $0) }) { first, _ in first }
        for pack in packs {
            state.packs[pack.productIdentifier] = PublishedState.Pack(pack, names: LocalizedText(pack.name))
        }
        state.skin = skin
        state.stickers = stickers ?? StickerLists()
        state.purchases = Dictionary((purchases ?? []).map { ($0.productIdentifier, $0) }) { first, _ in first }
        return state
    }

    /// Returns a state with some of its packs as it is when it has been read from JSON, in which times are whole seconds.
    static func recorded(_ state: PublishedState, packs: Set<String>) throws -> PublishedState {
        let record = StateRecord(state) { packs.contains($0.productIdentifier) }
        return try JSON.decode(Self.self, from: JSON.encode(record)).state
    }

    /// Reads the state that the process which ended last has recorded; `nil` if there is none that can be read.
    ///
    /// Of the packs, the unmanaged ones are in it.
    static func read(in directory: Directory) -> PublishedState? {
        try? directory.removeReplacement(of: fileName)
        return (try? directory.read(fileName, limit: 16 << 20)).flatMap { try? JSON.decode(Self.self, from: $0).state }
    }

    /// Records a published state, in one step; does nothing if it is the one that `recorded` is.
    ///
    /// - Throws: a file error.
    static func write(_ state: PublishedState, in directory: Directory, replacing recorded: PublishedState?) throws {
        // A pack that was placed by hand has no operation.
        let content = try JSON.encode(StateRecord(state) { $0.operation == nil })
        if let recorded, try JSON.decode(Self.self, from: content).state == recorded { return }
        try directory.replace(fileName, with: content)
    }
}
