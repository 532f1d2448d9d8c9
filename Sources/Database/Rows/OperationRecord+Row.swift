import FoundationEssentials
import GRDB
import StoreModel

extension OperationRecord {
    /// Reads a row of the table `operations` as the record of an operation.
    ///
    /// The result is `nil` if a required column is missing or contains a word that this version does not know.
    init?(_ row: Row) {
        let columns = UntrustedRow(row: row)
        guard
            let operation = columns.text("operation"),
            let action = columns.text("action").flatMap(OperationAction.init(rawValue:)),
            let productIdentifier = columns.text("productIdentifier"),
            let startedAt = columns.date("startedAt")
        else { return nil }
        let outcome = columns.text("outcome")
        let end = outcome.flatMap(OperationEnd.init(rawValue:))
        if outcome != nil, end == nil { return nil }
        self.init(
            operation: OperationID(rawValue: operation), action: action, productIdentifier: productIdentifier,
            store: columns.text("store"), version: columns.text("version").map(Version.init), startedAt: startedAt,
            endedAt: columns.date("endedAt"), end: end,
            error: columns.text("error").flatMap { try? JSON.decode(from: Data($0.utf8)) })
    }
}
