import FoundationEssentials
import StoreModel
import StoreSystem

/// What is said, and where.
enum Output {
    /// One or two lines on standard error.
    static func warn(_ text: String) {
        try? FileDescriptor.standardError.writeAll(text + "\n")
    }

    static func printJSON(_ value: some Encodable) throws {
        print(String(decoding: try JSON.encode(value), as: UTF8.self))
    }

    static func printError(code: String, message: String) {
        struct Document: Encodable {
            struct Reason: Encodable { let code, message: String }
            let error: Reason
        }
        try? printJSON(Document(error: Document.Reason(code: code, message: message)))
    }

    /// Rows in columns; the first is the heading.
    static func printTable(_ rows: [[String]]) {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = cells.joined(separator: "  ")
            print(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
        }
    }

    /// In the units that file managers show.
    static func size(_ bytes: Int) -> String {
        var (amount, unit) = (Double(bytes), "B")
        for larger in ["kB", "MB", "GB"] where amount >= 1000 { (amount, unit) = (amount / 1000, larger) }
        let tenths = Int((amount * 10).rounded())
        return unit == "B" || tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    static func count(_ number: Int, _ one: String, _ several: String) -> String {
        "\(number) \(number == 1 ? one : several)"
    }
}
