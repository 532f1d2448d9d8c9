import FoundationEssentials
import StorePublishing
import StoreTerminal
import StoreTrust

extension Console {
    /// Warns of published metadata that has expired, with the command that replaces it.
    ///
    /// - Parameter time: the present, also where `SOURCE_DATE_EPOCH` sets another time for the metadata.
    func warn(ofExpired expiries: [Storehouse.Expiry], in store: Storehouse, at time: Date = Date()) {
        // What is signed now has expired only if it was signed as of another time.
        var signedNow: [Storehouse.Expiry] = []
        for expiry in expiries where expiry.date <= time {
            if expiry.role == .root {
                warning("\(expiry.text), so clients refuse the store")
                hint("run 'storehouse key renew \(store.path)' and 'storehouse publish \(store.path)' with its keys")
            } else if expiry.role.topLevel == nil, !store.isOfPublisher {
                warning("\(expiry.text), so clients refuse the products of the publisher '\(expiry.role.rawValue)'")
                hint("accept a new publication with 'storehouse publisher accept \(store.path) DIRECTORY'")
            } else {
                signedNow.append(expiry)
            }
        }
        guard !signedNow.isEmpty else { return }
        let effect = store.isOfPublisher ? "so the store's owner can't accept it" : "so clients refuse the store"
        warning(signedNow.map(\.text).joined(separator: ", ") + ", " + effect)
        hint("unset SOURCE_DATE_EPOCH, or set it to the present time, and run 'storehouse publish \(store.path)' again")
    }
}

extension Storehouse {
    /// Whether the directory is that of a publisher of someone else's store.
    var isOfPublisher: Bool { (try? publisher()) != nil }
}

extension Storehouse.Expiry {
    /// The file and its date for a message, such as `root.json expired on 2026-01-31T12:00:00Z`.
    fileprivate var text: String { "\(role.file) expired on \(date.formatted(.iso8601))" }
}
