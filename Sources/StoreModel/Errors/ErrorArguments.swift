/// An ordered dictionary of an error's arguments: the values that its message mentions, by name.
public struct ErrorArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One argument of an error: its name and its value.
    private struct Entry: Sendable, Hashable {
        let name: String
        var value: ErrorArgument
    }

    // Errors have one to four arguments; a linear search is faster than a dictionary, and an array is one allocation.
    private var entries: [Entry]

    /// Creates the arguments of an error from a literal such as `["path": path, "limit": .bytes(5)]`.
    ///
    /// A `nil` value is omitted.
    public init(dictionaryLiteral elements: (String, (any ErrorArgumentConvertible)?)...) {
        entries = elements.compactMap { name, value in value.map { Entry(name: name, value: $0.errorArgument) } }
    }

    /// The argument of the error with this name; `nil` if the error has none.
    public subscript(name: String) -> ErrorArgument? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append(Entry(name: name, value: newValue)) }
        }
    }

    /// The names of all arguments of the error, in the order in which they were passed.
    public var names: [String] { entries.map(\.name) }
}
