import StoreModel

/// What a JSON value must be: as much of JSON Schema (2020-12) as this interface needs. The interface's document shows it, and
/// requests are held to it.
struct Schema: Sendable, Hashable {
    indirect enum Shape: Sendable, Hashable {
        case text(Format, longest: Int?, mayBeEmpty: Bool)
        /// One of these words.
        case word([String])
        case flag
        /// Whatever JSON can say.
        case any
        case whole(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case list(of: Schema)
        /// Members of any name.
        case map(to: Schema)
        /// `fewest`: how many members there must be, whichever.
        case object([Member], isClosed: Bool, fewest: Int)
        /// One that stands among the components, by its name.
        case component(String)
        case orNull(Schema)
        /// Exactly one of them.
        case either([Schema])
        /// All of them at once.
        case all([Schema])
    }

    /// What a text must look like.
    enum Format: Sendable, Hashable {
        case any
        case address
        case time
        case permission
        case errorCode
        case storeName
        case sha256
    }

    struct Member: Sendable, Hashable {
        var name: String
        var schema: Schema
        var isRequired: Bool
    }

    var shape: Shape
    /// For people; `nil` where the name says it all.
    var summary: String?

    init(_ shape: Shape, _ summary: String? = nil) {
        self.shape = shape
        self.summary = summary
    }
}

extension Schema {
    static let text = Schema(.text(.any, longest: nil, mayBeEmpty: true))
    /// Text that may not be empty.
    static let name = Schema(.text(.any, longest: nil, mayBeEmpty: false))
    static let address = text(.address)
    static let time = text(.time)
    static let flag = Schema(.flag)
    static let any = Schema(.any)
    static let whole = whole(in: Int.min...Int.max)
    /// A number of things, or of bytes.
    static let count = whole(in: 0...Int.max)
    /// Of an event. What has more digits than `Int` holds was never given.
    static let sequence = count
    static let fraction = Schema(.number(0...1))
    /// As many as a person would ever want, so that no sum of them overflows.
    static let priority = whole(in: Int(Int32.min)...Int(Int32.max))

    static func text(_ format: Format) -> Schema { Schema(.text(format, longest: nil, mayBeEmpty: false)) }
    static func whole(in range: ClosedRange<Int>) -> Schema { Schema(.whole(range)) }
    static func map(to value: Schema) -> Schema { Schema(.map(to: value)) }
    static func list(of element: Schema) -> Schema { Schema(.list(of: element)) }
    static func list(of component: String) -> Schema { list(of: .component(component)) }
    static func component(_ name: String) -> Schema { Schema(.component(name)) }
    static func words(_ words: [String]) -> Schema { Schema(.word(words)) }

    /// The words of an enumeration.
    static func words<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type) -> Schema {
        words(type.allCases.map(\.rawValue))
    }

    /// What an answer holds. Members may be added by later releases.
    static func document(_ summary: String, _ members: [Member]) -> Schema {
        Schema(.object(members, isClosed: false, fewest: 0), summary)
    }

    /// What a request holds, and nothing else: a word that is misspelt must not go unnoticed.
    static func request(_ summary: String, fewest: Int = 0, _ members: [Member]) -> Schema {
        Schema(.object(members, isClosed: true, fewest: fewest), summary)
    }

    var orNull: Schema { Schema(.orNull(self)) }

    /// The names of the components that it is made of.
    var components: Set<String> {
        switch shape {
        case .text, .word, .flag, .any, .whole, .number: []
        case .component(let name): [name]
        case .list(let schema), .map(let schema), .orNull(let schema): schema.components
        case .object(let members, _, _): members.reduce(into: []) { $0.formUnion($1.schema.components) }
        case .either(let schemas), .all(let schemas): schemas.reduce(into: []) { $0.formUnion($1.components) }
        }
    }

    func with(_ summary: String?) -> Schema { Schema(shape, summary ?? self.summary) }
}

extension Schema.Member {
    /// One that is always there.
    static func member(_ name: String, _ schema: Schema, _ summary: String? = nil) -> Self {
        Self(name: name, schema: schema.with(summary), isRequired: true)
    }

    /// One that may be left out.
    static func optional(_ name: String, _ schema: Schema, _ summary: String? = nil) -> Self {
        Self(name: name, schema: schema.with(summary), isRequired: false)
    }
}
