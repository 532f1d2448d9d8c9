import FoundationEssentials
import StoreModel

/// A mistake in a pack's information file: where it is, and what is expected there instead.
struct InformationMistake {
    /// The file and, within a list of objects, the number of the object, such as `pack.json, sticker 2`.
    private(set) var location = PackInformation.fileName
    /// What is wrong, with the line in the file.
    private(set) var reason = ""

    /// Finds the mistake because of which an information file could not be decoded.
    ///
    /// - Parameters:
    ///   - error: the error of the decoder.
    ///   - document: the content of the file.
    ///   - members: the members that were decoded.
    init(_ error: any Error, in document: Data, members: [InformationMember]) {
        if let error = error as? JSONReader.Malformed, error.repeatedMember != nil {
            let position = JSONPosition(ofByte: error.offset, in: document)
            reason = "\(error); it must occur once (line \(position.line))"
            return
        }
        // First, because the decoder takes an invalid escape in a string for a value of another type.
        if let position = JSON.positionOfSyntaxError(in: document) {
            reason = "invalid JSON at line \(position.line), column \(position.column)"
            return
        }
        switch error {
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            describe(context.codingPath, members, JSON.form(of: type))
            addLine(of: context.codingPath, in: document)
        case DecodingError.keyNotFound(let key, let context):
            describe(context.codingPath + [key], members, "given", isMissing: true)
            addLine(of: context.codingPath, in: document)
        case DecodingError.dataCorrupted(let context):
            describe(context.codingPath, members, "valid")
            addLine(of: context.codingPath, in: document)
        default: reason = "invalid JSON"
        }
    }

    /// Sets location and reason to what is expected of the value at a path in the information file.
    ///
    /// - Parameter form: what is expected if none of `members` describes the value.
    private mutating func describe(
        _ path: [any CodingKey], _ members: [InformationMember], _ form: String, isMissing: Bool = false
    ) {
        var (rest, members) = (path[...], members)
        while let key = rest.popFirst() {
            guard let member = members.first(where: { $0.name == key.stringValue }) else {
                reason = "'\(key.stringValue.unicodeScalars.prefix(40))' must be \(form)"
                return
            }
            guard let elements = member.elements, let index = rest.first?.intValue else {
                let expected = rest.isEmpty ? member.form : member.wholeForm
                reason =
                    "'\(member.name)' \(isMissing ? "is missing; it " : "")must be \(expected), such as \(member.example)"
                return
            }
            rest = rest.dropFirst()
            location += ", \(elements.noun) \(index + 1)"
            reason = "it must be an object, such as \(elements.example)"
            members = elements.members
        }
        if path.isEmpty { reason = #"the file must contain an object, such as {"name": "Cups"}"# }
    }

    private mutating func addLine(of path: [any CodingKey], in document: Data) {
        guard let position = JSON.position(of: path, in: document) else { return }
        reason += " (line \(position.line))"
    }
}
