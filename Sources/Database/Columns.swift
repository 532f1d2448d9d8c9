import FoundationEssentials
import GRDB
import StoreModel

/// One row, read without trusting it: a column of the wrong type is `nil` and never a trap, because rows are also
/// read from damaged files.
struct Columns {
    let row: Row

    func text(_ column: String) -> String? {
        if case .string(let text) = storage(column) { text } else { nil }
    }

    func integer(_ column: String) -> Int64? {
        if case .int64(let number) = storage(column) { number } else { nil }
    }

    func real(_ column: String) -> Double? {
        if case .double(let number) = storage(column) { number } else { nil }
    }

    func blob(_ column: String) -> Data? {
        if case .blob(let data) = storage(column) { data } else { nil }
    }

    func date(_ column: String) -> Date? {
        integer(column).map { Date(millisecondsSince1970: $0) }
    }

    private func storage(_ column: String) -> DatabaseValue.Storage {
        let value: DatabaseValue? = row[column]
        return value?.storage ?? .null
    }
}

extension Date {
    init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

extension OperationRecord {
    /// `nil` where the row lacks what a record must have, or holds words that this version does not know.
    init?(_ row: Row) {
        let columns = Columns(row: row)
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

extension Purchase {
    init?(_ row: Row) {
        let columns = Columns(row: row)
        guard let productIdentifier = columns.text("productIdentifier"), let grantedAt = columns.date("grantedAt")
        else {
            return nil
        }
        self.init(productIdentifier: productIdentifier, grantedAt: grantedAt)
    }
}

extension IndexedPack {
    init?(_ row: Row) {
        let columns = Columns(row: row)
        guard
            let folder = columns.text("folder"),
            let kind = columns.text("kind"),
            let productIdentifier = columns.text("productIdentifier"),
            let receipt = columns.blob("receipt"),
            let size = columns.integer("size"),
            let inode = columns.integer("receiptInode"),
            let modifiedAt = columns.real("receiptModifiedAt")
        else { return nil }
        self.init(
            folder: folder, kind: ProductKind(rawValue: kind), productIdentifier: productIdentifier, receipt: receipt,
            size: Int(size),
            receiptFile: FileMark(
                inode: UInt64(bitPattern: inode), modifiedAt: Date(timeIntervalSinceReferenceDate: modifiedAt)))
    }
}
