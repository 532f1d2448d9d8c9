extension Schema {
    /// The schema of any JSON string, including the empty one.
    public static let text = Schema(.string(.any, allowsEmpty: true))
    /// The schema of a JSON string with at least one character.
    public static let nonEmptyText = text(.any)
    /// The schema of a string that is a URI (RFC 3986).
    public static let uri = text(.uri)
    /// The schema of a string with a date and time in ISO 8601.
    public static let dateTime = text(.dateTime)
    /// The schema of a JSON Boolean.
    public static let boolean = Schema(.boolean)
    /// The schema of any JSON value.
    public static let any = Schema(.any)
    /// The schema of any JSON integer.
    public static let integer = integer(in: Int.min...Int.max)
    /// The schema of a number of elements or bytes: a JSON integer that is not negative.
    public static let count = integer(in: 0...Int.max)
    /// The schema of a JSON integer of at least 1.
    public static let positiveInteger = integer(in: 1...Int.max)
    /// The schema of a JSON number from 0 to 1.
    public static let fraction = number(in: 0...1)

    /// Returns the schema of a non-empty JSON string with a format.
    public static func text(_ format: StringFormat) -> Schema { Schema(.string(format, allowsEmpty: false)) }
    /// Returns the schema of a JSON integer in a range.
    public static func integer(in range: ClosedRange<Int>) -> Schema { Schema(.integer(range)) }
    /// Returns the schema of a JSON number in a range.
    public static func number(in range: ClosedRange<Double>) -> Schema { Schema(.number(range)) }
    /// Returns the schema of a JSON array whose elements have the schema `element`.
    public static func array(of element: Schema) -> Schema { Schema(.array(of: element)) }
    /// Returns the schema of a JSON array whose elements are the JSON form of a type.
    public static func array(of type: any SchemaProviding.Type) -> Schema { array(of: .reference(to: type)) }
    /// Returns the schema of a JSON object with properties of any name, whose values all have the schema `value`.
    public static func dictionary(to value: Schema) -> Schema { Schema(.dictionary(to: value)) }
    /// Returns the schema of a JSON value that matches exactly one of several schemas.
    public static func oneOf(_ schemas: [Schema]) -> Schema { Schema(.oneOf(schemas)) }
    /// Returns the schema of a JSON string that is one of the given ones.
    public static func enumeration(_ values: [String]) -> Schema { Schema(.enumeration(values)) }

    /// Returns the schema of a JSON string that is the raw value of a case of a Swift enumeration.
    public static func enumeration<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
        enumeration(type.allCases.map(\.rawValue))
    }

    /// Returns a schema that refers to the schema of a type, which the OpenAPI document lists once.
    public static func reference(to type: any SchemaProviding.Type) -> Schema {
        Schema(.reference(SchemaReference(type)))
    }

    /// Returns the schema of a JSON object that the daemon sends.
    ///
    /// Later releases may add properties, so unknown ones are valid.
    public static func document(_ description: String, _ properties: [Property]) -> Schema {
        Schema(.object(properties, allowsUnknown: true, minimumCount: 0), description)
    }

    /// Returns the schema of a JSON object that a client sends.
    ///
    /// Unknown properties are invalid, so that a misspelt one is noticed.
    ///
    /// - Parameter minimumCount: the minimum number of properties.
    public static func request(_ description: String, minimumCount: Int = 0, _ properties: [Property]) -> Schema {
        Schema(.object(properties, allowsUnknown: false, minimumCount: minimumCount), description)
    }

    /// The schema of a JSON value that is `null` or matches this schema.
    public var nullable: Schema { Schema(.nullable(self)) }
}
