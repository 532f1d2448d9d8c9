import StoreMessages
public import StoreModel

/// The page with the history of operations, such as installations, in parts of which the newest comes first.
public struct HistoryPage: Page {
    /// Whether there are operations besides those on a page.
    public struct Neighbours: Sendable {
        /// Whether there are operations that began later than those on the page.
        public let hasNewer: Bool
        /// Whether there are operations that began earlier than those on the page.
        public let hasOlder: Bool

        /// Creates the description of what there is besides the operations on a page.
        public init(hasNewer: Bool, hasOlder: Bool) {
            self.hasNewer = hasNewer
            self.hasOlder = hasOlder
        }
    }

    /// The path of the page.
    public static let path = "/library/history"

    /// Returns the path of the page with the operations on one product.
    static func path(of productIdentifier: String) -> String {
        path + "?product=" + PathSegment.encode(productIdentifier)
    }

    public var template: String { "history" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    /// The path of the page with the operations on all products; `nil` on that page.
    let all: String?
    let hasOperations: Bool
    let operations: [OperationRow]
    /// The path of the page with the newest operations; `nil` on that page.
    let newest: String?
    let newer: String?
    let older: String?
    let library = NavigationLink.Target.library.rawValue

    /// Creates the page.
    ///
    /// The paths of the pages before and after it name operations, so that these pages do not change when an operation begins.
    ///
    /// - Parameters:
    ///   - operations: the operations on the page, the newest first.
    ///   - productIdentifier: the product whose operations are shown; `nil` is all.
    ///   - name: the display name of that product.
    ///   - neighbours: what there is besides these operations.
    public init(
        _ operations: [OperationRecord], of productIdentifier: String?, name: String?, neighbours: Neighbours,
        _ texts: PageText
    ) {
        let messages = texts.messages
        title =
            (name ?? productIdentifier).map { messages.text("History of {name}", ["name": $0.displayableName]) }
            ?? messages.text("History")
        navigation = NavigationLink.all(on: .library, texts)
        all = productIdentifier.map { _ in Self.path }
        self.operations = operations.map { OperationRow($0, texts) }
        hasOperations = !operations.isEmpty
        func path(_ cursor: String, _ record: OperationRecord?) -> String? {
            record.map {
                let product = productIdentifier.map { "&product=" + PathSegment.encode($0) } ?? ""
                return Self.path + "?\(cursor)=" + PathSegment.encode($0.operation.rawValue) + product
            }
        }
        newest = neighbours.hasNewer ? productIdentifier.map(Self.path(of:)) ?? Self.path : nil
        newer = neighbours.hasNewer ? path("after", operations.first) : nil
        older = neighbours.hasOlder ? path("before", operations.last) : nil
    }
}

/// An operation, such as an installation, in a table of a page.
struct OperationRow: Sendable {
    let time: String
    let action: String
    let product: String
    /// The path of the page with the operations on the same product.
    let href: String
    let versionText: String
    let result: String

    init(_ record: OperationRecord, _ texts: PageText) {
        time = texts.time(record.startedAt)
        action = texts.action(record.action)
        product = record.productIdentifier.displayableName
        href = HistoryPage.path(of: record.productIdentifier)
        versionText = record.version?.text.displayableName ?? "–"
        result = record.error.map(texts.sentences) ?? texts.end(record.end)
    }
}
