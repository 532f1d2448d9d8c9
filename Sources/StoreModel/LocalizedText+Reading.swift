extension LocalizedText: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        guard reader.isObject() else {
            self.init(try reader.string())
            return
        }
        var byLanguage: [String: String] = [:]
        try reader.object { reader, member throws(JSONReader.Malformed) in
            guard let language = member.text else { throw reader.malformed }
            byLanguage[language] = try reader.string()
        }
        self.init(byLanguage: byLanguage)
    }
}
