import Synchronization

/// The name of a component, operation, parameter or object type of a vocabulary, stored once in a process.
///
/// A skin repeats a few names in thousands of values. Copying and comparing an interned name costs as much as for a
/// number. Its text is never freed, so only names that a program registers may be interned, never text from a file.
@usableFromInline
struct InternedName: Sendable, Hashable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let text: String
        init(_ text: String) { self.text = text }
    }

    /// Retained once and never released, so that copies need not count references.
    @usableFromInline let storage: Unmanaged<Storage>

    private static let all = Mutex<[String: InternedName]>([:])

    /// The empty name, which no vocabulary has.
    static let empty = InternedName("")

    /// Returns the interned name with a text; two names are equal if their texts are.
    init(_ text: String) {
        self = Self.all.withLock { all in
            if let known = all[text] { return known }
            let name = InternedName(storage: .passRetained(Storage(text)))
            all[text] = name
            return name
        }
    }

    /// Interns texts, so that ``known(_:)`` finds them.
    static func add(_ texts: [String]) {
        for text in texts { _ = InternedName(text) }
    }

    private init(storage: Unmanaged<Storage>) { self.storage = storage }

    /// Returns the interned name for each of some texts; `nil` for those that were never interned.
    static func known(_ texts: [String]) -> [InternedName?] { all.withLock { all in texts.map { all[$0] } } }

    /// The text of the name.
    @inlinable var text: String { storage._withUnsafeGuaranteedRef { $0.text } }

    @usableFromInline
    static func == (one: Self, other: Self) -> Bool { one.storage.toOpaque() == other.storage.toOpaque() }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(storage.toOpaque()) }
}
