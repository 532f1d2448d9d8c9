extension Schema {
    /// Any string, the empty one included.
    public static let text = Schema(.string(.any, allowsEmpty: true))
    /// Any string of at least one character.
    public static let nonEmptyText = text(.any)
    /// A URI (RFC 3986).
    public static let uri = text(.uri)
    /// A date and time in ISO 8601.
    public static let dateTime = text(.dateTime)
    /// `true` or `false`.
    public static let boolean = Schema(.boolean)
    /// Any JSON value.
    public static let any = Schema(.any)
    /// Any integer.
    public static let integer = integer(in: Int.min...Int.max)
    /// A number of things or of bytes: an integer that is not negative.
    public static let count = integer(in: 0...Int.max)
    /// An integer of at least 1.
    public static let positiveInteger = integer(in: 1...Int.max)
    /// A number from 0 to 1.
    public static let fraction = number(in: 0...1)

    /// A non-empty string of a format.
    public static func text(_ format: StringFormat) -> Schema { Schema(.string(format, allowsEmpty: false)) }
    /// An integer in a range.
    public static func integer(in range: ClosedRange<Int>) -> Schema { Schema(.integer(range)) }
    /// A number in a range.
    public static func number(in range: ClosedRange<Double>) -> Schema { Schema(.number(range)) }
    /// An array whose elements have the schema `element`.
    public static func array(of element: Schema) -> Schema { Schema(.array(of: element)) }
    /// An array of wire documents.
    public static func array(of type: any SchemaProviding.Type) -> Schema { array(of: .reference(to: type)) }
    /// An object with properties of any name, whose values all have the schema `value`.
    public static func dictionary(to value: Schema) -> Schema { Schema(.dictionary(to: value)) }
    /// A value that matches exactly one of the schemas.
    public static func oneOf(_ schemas: [Schema]) -> Schema { Schema(.oneOf(schemas)) }
    /// One of the given strings.
    public static func enumeration(_ values: [String]) -> Schema { Schema(.enumeration(values)) }

    /// The raw values of a Swift enumeration.
    public static func enumeration<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
        enumeration(type.allCases.map(\.rawValue))
    }

    /// A reference to the schema of a wire document.
    public static func reference(to type: any SchemaProviding.Type) -> Schema {
        Schema(.reference(SchemaReference(type)))
    }

    /// A document that the daemon sends.
    ///
    /// Later releases may add properties, so unknown ones are valid.
    public static func document(_ description: String, _ properties: [Property]) -> Schema {
        Schema(.object(properties, allowsUnknown: true, minimumCount: 0), description)
    }

    /// A document that a client sends.
    ///
    /// Unknown properties are invalid, so that a misspelt one does not go unnoticed.
    ///
    /// - Parameter minimumCount: the least number of properties.
    public static func request(_ description: String, minimumCount: Int = 0, _ properties: [Property]) -> Schema {
        Schema(.object(properties, allowsUnknown: false, minimumCount: minimumCount), description)
    }

    /// `null`, or a value of this schema.
    public var nullable: Schema { Schema(.nullable(self)) }
}
