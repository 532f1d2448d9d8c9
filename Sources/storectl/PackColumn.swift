import ArgumentParser
import StoreMessages
import StoreModel
import StoreTerminal

/// A column of the table of installed packs.
enum PackColumn: String, CaseIterable, Sendable {
    case id, name, kind, version, size, store, installed, notes, path

    /// The columns that are shown if none are chosen.
    static let standard = allCases.filter { $0 != .path }

    /// Parses the names of different columns, separated by commas.
    @Sendable static func list(_ text: String) throws -> [PackColumn] {
        var columns: [PackColumn] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let column = PackColumn(named: name) else {
                // The parser's message names the whole value.
                throw ValidationError(
                    text == name
                        ? expectedNames
                        : EnglishText.filled(
                            "no such column '{column}'; expected {columns}",
                            ["column": "\(name)", "columns": names]))
            }
            if columns.contains(column) {
                throw ValidationError(
                    EnglishText.filled("column '{column}' is named twice", ["column": column.rawValue]))
            }
            columns.append(column)
        }
        return columns
    }

    /// Parses the name of a column.
    ///
    /// The error does not repeat the name, which the parser's message contains.
    @Sendable static func column(_ name: String) throws -> PackColumn {
        guard let column = PackColumn(named: name) else { throw ValidationError(expectedNames) }
        return column
    }

    private static var expectedNames: String {
        EnglishText.filled("expected {columns}", ["columns": names])
    }

    private static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Creates the column with a name, without case; `nil` if there is none.
    private init?(named name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

    /// Returns the column of the table.
    ///
    /// - Parameter isChosen: whether the user chose the columns, so that none is left out on a narrow terminal.
    func column(isChosen: Bool, _ messages: Messages = .of(.english)) -> Table.Column {
        let title = title(messages)
        let omission = isChosen ? nil : Self.omissions[self]
        switch self {
        case .id, .store, .path: return .identifier(title: title, omission: omission)
        case .size: return .init(title: title, right: true, omission: omission)
        case .installed: return .init(title: title, omission: omission)
        case .notes: return .init(title: title, flexible: true, omission: omission, style: stateStyle(messages))
        case .name, .kind, .version: return .init(title: title, flexible: true, omission: omission)
        }
    }

    private func title(_ messages: Messages) -> String {
        switch self {
        case .id: messages.text("ID")
        case .name: messages.text("NAME")
        case .kind: messages.text("KIND")
        case .version: messages.text("VERSION")
        case .size: messages.text("SIZE")
        case .store: messages.text("STORE")
        case .installed: messages.text("INSTALLED")
        case .notes: messages.text("NOTES")
        case .path: messages.text("PATH")
        }
    }

    /// The order in which columns are left out on a narrow terminal.
    private static let omissions: [PackColumn: Int] = [
        .installed: 0, .size: 1, .kind: 2, .store: 3, .version: 4, .name: 5, .notes: 6,
    ]

    /// Returns the text of the column for a pack.
    func text(of pack: InstalledPack, _ messages: Messages = .of(.english)) -> String {
        switch self {
        case .id: return pack.productIdentifier
        case .name: return pack.name
        case .kind: return pack.kind.rawValue
        case .version: return pack.version?.text ?? "-"
        case .size: return AmountFormat.bytes(pack.size, messages)
        case .store: return pack.store ?? "-"
        case .installed: return shortTime(pack.installedAt)
        case .notes:
            let states = pack.state.filter { ![.downloaded, .free, .purchased].contains($0) }.map(messages.word)
            // Of a store in use, it is known whether it is signed.
            let lacksStore = pack.signed == nil && ![nil, Receipt.localFiles].contains(pack.store)
            return messages.list(
                states + (pack.held ? [messages.text("held")] : [])
                    + (pack.signed == false ? [messages.text("unsigned")] : [])
                    + (lacksStore ? [messages.text("store removed")] : []))
        case .path: return pack.path
        }
    }

    /// Returns packs sorted by the column; packs that are equal in it are sorted by identifier.
    ///
    /// Sizes and times are in descending order, texts and versions in ascending order.
    func sorted(_ packs: [InstalledPack]) -> [InstalledPack] {
        packs.sorted { a, b in
            isBefore(a, b) || (!isBefore(b, a) && a.productIdentifier < b.productIdentifier)
        }
    }

    private func isBefore(_ a: InstalledPack, _ b: InstalledPack) -> Bool {
        switch self {
        case .size: return a.size > b.size
        case .installed: return a.installedAt > b.installedAt
        case .version:
            guard let first = a.version, let second = b.version else { return a.version == nil && b.version != nil }
            return first < second
        case .name: return a.name.lowercased() < b.name.lowercased()
        case .id, .kind, .store, .notes, .path: return text(of: a) < text(of: b)
        }
    }
}

/// Returns the style in which tables show a text about the state of a product or a download, by its first word.
func stateStyle(_ messages: Messages) -> @Sendable (String) -> TextStyle? {
    { text in
        let words: KeyValuePairs<String, TextStyle> = [
            messages.word(for: ProductState.updatable): .warning, messages.word(for: ProductState.withdrawn): .warning,
            messages.title(for: DownloadState.failed): .error, messages.word(for: OperationEnd.failed): .error,
            messages.word(for: ProductState.inUse): .success, messages.word(for: ProductState.downloaded): .success,
            messages.title(for: DownloadState.downloaded): .success,
            messages.title(for: DownloadState.finished): .success, messages.word(for: OperationEnd.finished): .success,
        ]
        return words.first { text.hasPrefix($0.key) }?.value
    }
}
