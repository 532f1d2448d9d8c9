import FoundationEssentials
import GRDB
import StoreModel

/// A database row whose columns are read without trusting their types: a value of the wrong type is `nil`.
///
/// GRDB's own conversions end the process on a mismatch, and rows are also read from damaged files.
struct UntrustedRow {
    let row: Row

    func text(_ column: String) -> String? { storage(column).text }
    func integer(_ column: String) -> Int64? { storage(column).integer }
    func blob(_ column: String) -> Data? {
        if case .blob(let data) = storage(column) { data } else { nil }
    }
    func real(_ column: String) -> Double? {
        if case .double(let number) = storage(column) { number } else { nil }
    }
    func date(_ column: String) -> Date? {
        integer(column).map { Date(millisecondsSince1970: $0) }
    }

    // Columns are read by position instead of by name, because searching for names takes time: the pack index has
    // thousands of rows.

    func text(at index: Int) -> String? { storage(at: index).text }
    func integer(at index: Int) -> Int64? { storage(at: index).integer }
    func real(at index: Int) -> Double? {
        if case .double(let number) = storage(at: index) { number } else { nil }
    }

    private func storage(_ column: String) -> DatabaseValue.Storage {
        let value: DatabaseValue? = row[column]
        return value?.storage ?? .null
    }

    private func storage(at index: Int) -> DatabaseValue.Storage {
        let value: DatabaseValue = row[index]
        return value.storage
    }
}

extension DatabaseValue.Storage {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var integer: Int64? { if case .int64(let number) = self { number } else { nil } }
}
