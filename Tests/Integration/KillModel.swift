/// A user's change of packs between two kills.
enum KillAction: Hashable, CustomStringConvertible {
    case install(String)
    case update(String)
    /// An `update` without a name.
    case updateAll
    case uninstall(String)
    case rollback(String)

    var arguments: [String] {
        switch self {
        case .install(let id): ["install", id]
        case .update(let id): ["update", id]
        case .updateAll: ["update"]
        case .uninstall(let id): ["uninstall", id]
        case .rollback(let id): ["rollback", id]
        }
    }
    var description: String { arguments.joined(separator: " ") }

    func concerns(_ identifier: String) -> Bool { self == .updateAll || arguments.last == identifier }
}

/// The state of one product.
///
/// The versions are 1 and 2.
struct KillModel: Hashable, CustomStringConvertible {
    var current: Int?
    var previous: Int?
    var isHeld = false

    /// Returns the state after an action, given the version in the store.
    func after(_ action: KillAction, shown: Int) -> KillModel {
        var model = self
        switch action {
        case .install:
            if current == nil { model = KillModel(current: shown) }
        case .update, .updateAll:
            guard let current, current < shown, action != .updateAll || !isHeld else { break }
            model.current = shown
            model.previous = current
        case .uninstall:
            model = KillModel()
        case .rollback:
            // Versions only become lower by a rollback, and a second one changes nothing.
            guard let current, let previous, previous < current else { break }
            model = KillModel(current: previous, previous: current, isHeld: true)
        }
        return model
    }

    var description: String {
        "\(current.map(String.init) ?? "-")/\(previous.map(String.init) ?? "-")\(isHeld ? " held" : "")"
    }
}
