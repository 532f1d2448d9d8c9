import FoundationEssentials
import GRDB
import StoreModel
import StoreSystem

extension IndexedPack {
    /// The columns of the table `packs` (installed packs), in the order in which statements list them.
    ///
    /// A row is read by position, which is faster than by name.
    enum Column: Int, CaseIterable {
        case directory, productIdentifier, kind, name, namesByLanguage, version, size, installedAt
        case store, operation, isHeld, price, dependencies, permissions
        case archiveURL, archiveSize, archiveSHA256, archiveEtag
        case receiptIsDamaged, receiptInode, receiptSize, receiptModifiedAt
        case asDependency

        static let list = allCases.map { "\($0)" }.joined(separator: ", ")
        static let placeholders = allCases.map { _ in "?" }.joined(separator: ", ")
    }

    static let selection = "SELECT \(Column.list) FROM packs ORDER BY directory"
    static let insertion = "INSERT OR REPLACE INTO packs (\(Column.list)) VALUES (\(Column.placeholders))"

    /// Returns the values of this pack's columns for an SQL statement, in the order of ``Column``.
    func arguments() throws -> StatementArguments {
        let plainName = name.only
        return [
            directory, productIdentifier, kind.rawValue, plainName,
            plainName == nil ? try Self.json(name.byLanguage) : nil, version?.text, size,
            installedAt.millisecondsSince1970,
            store, operation.rawValue, isHeld, price.description,
            dependencies.isEmpty ? nil : try Self.json(dependencies),
            permissions.isEmpty ? nil : try Self.json(permissions),
            archive.address, archive.size, archive.sha256.hex, archive.etag,
            receiptIsDamaged, Int64(bitPattern: receiptFile.inode), receiptFile.size, receiptFile.changedAt,
            asDependency,
        ]
    }

    /// Reads a row selected by ``selection``; `nil` if a column has no value that this version understands.
    ///
    /// - Parameter previous: the pack of the row before, with which the pack shares equal texts.
    init?(_ row: Row, after previous: IndexedPack? = nil) {
        let row = UntrustedRow(row: row)
        func text(_ column: Column) -> String? { row.text(at: column.rawValue) }
        func integer(_ column: Column) -> Int? { row.integer(at: column.rawValue).map(Int.init) }
        guard let directory = text(.directory), let productIdentifier = text(.productIdentifier),
            let kind = text(.kind), let size = integer(.size), let installedAt = integer(.installedAt),
            let store = text(.store), let operation = text(.operation), let isHeld = integer(.isHeld),
            let price = text(.price), let archiveSize = integer(.archiveSize),
            let sha256 = text(.archiveSHA256).flatMap(SHA256Digest.init(hex:)),
            let receiptIsDamaged = integer(.receiptIsDamaged), let receiptInode = integer(.receiptInode),
            let receiptSize = integer(.receiptSize),
            let receiptModifiedAt = row.real(at: Column.receiptModifiedAt.rawValue),
            let asDependency = integer(.asDependency),
            let dependencies: [String] = Self.list(ofJSON: text(.dependencies)),
            let permissions: [Permission] = Self.list(ofJSON: text(.permissions))
        else { return nil }
        let name: LocalizedText
        if let plain = text(.name) {
            name = LocalizedText(plain)
        } else {
            guard let json = text(.namesByLanguage),
                let names = try? JSON.decode([String: String].self, from: Data(json.utf8))
            else { return nil }
            name = LocalizedText(byLanguage: names)
        }
        self.init(
            directory: directory, productIdentifier: productIdentifier, kind: ProductKind(rawValue: kind), name: name,
            version: text(.version).map(Version.init), size: size,
            installedAt: Date(millisecondsSince1970: Int64(installedAt)),
            store: previous.flatMap { $0.store.utf8.elementsEqual(store.utf8) ? $0.store : nil } ?? store,
            operation: OperationID(rawValue: operation), isHeld: isHeld != 0,
            asDependency: asDependency != 0,
            price: Price(price), dependencies: dependencies, permissions: permissions,
            archive: Receipt.Archive(
                address: text(.archiveURL), size: archiveSize, sha256: sha256,
                etag: text(.archiveEtag), neighbour: previous?.archive),
            receiptIsDamaged: receiptIsDamaged != 0,
            receiptFile: FileIdentity(
                inode: UInt64(bitPattern: Int64(receiptInode)), size: receiptSize, changedAt: receiptModifiedAt))
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    /// Returns the elements of a JSON array in a database column; `nil` if the column's text is not a JSON array.
    ///
    /// A column that is NULL counts as an empty array.
    private static func list<Element: Decodable>(ofJSON text: String?) -> [Element]? {
        guard let text else { return [] }
        return try? JSON.decode(from: Data(text.utf8))
    }
}
