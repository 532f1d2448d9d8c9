/// The form of a member of a pack's information file, from which messages about mistakes in the file are written.
///
/// A type that is decoded from `pack.json` has a list of them beside it, so that an error message tells the author of
/// the file what is expected: `pack.json, sticker 2: 'emoji' must be a list, such as ["😂"]`.
public struct InformationMember: Sendable {
    /// The form of the elements of a member that is a list of objects.
    struct Elements: Sendable {
        /// The word for one element, such as `sticker`.
        let noun: String
        let members: [InformationMember]
        /// An element in JSON.
        let example: String
    }

    /// The name of the member in the information file.
    public let name: String
    /// What the member's value must be, with an article, such as `a list`.
    let form: String
    /// What the member's value must be, where something within it is wrong, such as `a list of strings`.
    let wholeForm: String
    /// A value of the member in JSON.
    public let example: String
    let elements: Elements?

    private init(_ name: String, _ form: String, within wholeForm: String, _ example: String, _ elements: Elements?) {
        self.name = name
        self.form = form
        self.wholeForm = wholeForm
        self.example = example
        self.elements = elements
    }

    /// Creates the description of a member of an information file.
    ///
    /// - Parameters:
    ///   - form: what the value must be, with an article, such as `a string`.
    ///   - example: a value in JSON.
    public init(_ name: String, form: String, example: String) {
        self.init(name, form, within: form, example, nil)
    }

    /// Returns the description of a member of an information file that is a string.
    public static func string(_ name: String, example: String) -> InformationMember {
        InformationMember(name, form: "a string", example: example)
    }

    /// Returns the description of a member of an information file that is a list of strings.
    public static func strings(_ name: String, example: String) -> InformationMember {
        InformationMember(name, "a list", within: "a list of strings", example, nil)
    }

    /// Returns the description of a member of an information file that is text in one or several languages.
    public static func localizedText(_ name: String, example: String) -> InformationMember {
        InformationMember(name, form: "a string, or an object with a string for each language", example: example)
    }

    /// Returns the description of a member of an information file that is a list of objects.
    ///
    /// - Parameters:
    ///   - noun: the word for one object, such as `sticker`.
    ///   - members: the members of each object.
    ///   - example: one object in JSON.
    public static func objects(
        _ name: String, of noun: String, members: [InformationMember], example: String
    ) -> InformationMember {
        InformationMember(
            name, "a list", within: "a list of objects", "[\(example)]",
            Elements(noun: noun, members: members, example: example))
    }

    /// The members of the objects that the member lists; empty for any other member.
    public var elementMembers: [InformationMember] { elements?.members ?? [] }
}
