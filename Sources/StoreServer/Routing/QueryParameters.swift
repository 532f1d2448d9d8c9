import StoreAPI
import StoreModel

/// A namespace for decoding the query of a URI.
enum QueryParameters {
    /// Returns the decoded parameters of a URI's query, by name.
    ///
    /// `+` is decoded as a space, as in HTML forms.
    ///
    /// - Throws: `request.malformed` for a malformed escape sequence, and for a repeated parameter.
    static func parse(_ query: String) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { PathSegment.decode($0.map { $0 == "+" ? "%20" : String($0) }.joined()) }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw StoreError(.requestQueryMalformed, ["query": .untrusted(query)])
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw StoreError(.requestParameterRepeated, ["parameter": .untrusted(name)])
            }
        }
        return parameters
    }
}
