import FoundationEssentials
import StoreModel

/// A value within a metadata file, with what an error message has to say about its place.
struct MetadataValue {
    let json: CanonicalJSON
    /// The name of the member that has the value.
    let name: String
    /// The name of the metadata file, such as `root.json`.
    let file: String

    /// Returns the error of a value that the specification does not allow; `reason` completes "'NAME' …".
    func invalid(_ reason: String) -> StoreError {
        StoreError(.trustInvalid, ["file": .untrusted(file), "reason": .untrusted("'\(name)' \(reason)")])
    }

    private func value(_ json: CanonicalJSON, _ name: String) -> MetadataValue {
        MetadataValue(json: json, name: name, file: file)
    }

    /// Returns the member of an object, or `nil` if it has none of that name.
    func optional(_ member: String) throws(StoreError) -> MetadataValue? {
        try members()[member].map { value($0, member) }
    }

    /// Returns the member of an object, which must have it.
    func member(_ member: String) throws(StoreError) -> MetadataValue {
        guard let found = try optional(member) else { throw invalid("has no '\(member)'") }
        return found
    }

    private func members() throws(StoreError) -> [String: CanonicalJSON] {
        guard case .object(let members) = json else { throw invalid("is not an object") }
        return members
    }

    /// Returns the members of an object, in any order.
    func object() throws(StoreError) -> [(key: String, value: MetadataValue)] {
        try members().map { (key: $0.key, value: value($0.value, $0.key)) }
    }

    func array() throws(StoreError) -> [MetadataValue] {
        guard case .array(let values) = json else { throw invalid("is not an array") }
        return values.map { value($0, name) }
    }

    func string() throws(StoreError) -> String {
        guard case .string(let text) = json else { throw invalid("is not text") }
        return text
    }

    func strings() throws(StoreError) -> [String] {
        var texts: [String] = []
        for value in try array() { texts.append(try value.string()) }
        return texts
    }

    func bool() throws(StoreError) -> Bool {
        guard case .bool(let flag) = json else { throw invalid("is neither true nor false") }
        return flag
    }

    /// Returns a whole number that is not less than a minimum.
    func integer(from minimum: Int) throws(StoreError) -> Int {
        // The version after the greatest number would not be one.
        guard case .integer(let digits) = json, let number = Int(digits), number >= minimum, number < .max else {
            throw invalid("is not a whole number from \(minimum) on")
        }
        return number
    }

    func date() throws(StoreError) -> Date {
        guard let date = ISO8601.date(try string()) else { throw invalid("is not a date such as 2026-01-31T12:00:00Z") }
        return date
    }
}
