import StoreModel

extension EmojiSetDescription {
    /// Reads everything that a file of format 2 contains.
    public init(_ file: EmojiFile) {
        self.init()
        let languages = file.languages
        groups = file.categories.map { category in
            Group(
                name: category.name,
                subgroups: category.subgroups.map { subgroup in
                    Subgroup(
                        name: subgroup.name, emoji: subgroup.emoji.compactMap { Item(file, $0, languages: languages) })
                })
        }
    }

    /// The file of format 2 with the contents; the same contents result in the same bytes.
    ///
    /// - Throws: `emoji.duplicate` if two emoji differ in variation selectors only; `emoji.no-image`; `emoji.too-large`.
    public func compiled() throws -> [UInt8] { try EmojiFileWriter.write(self) }
}

extension EmojiSetDescription.Item {
    fileprivate init?(_ file: EmojiFile, _ number: Int, languages: [String]) {
        guard let sequence = file.sequence(number) else { return nil }
        self.init(sequence: sequence)
        images = file.images(number).map {
            EmojiImage(bytes: file.bytes(of: $0), format: $0.format, width: $0.width, height: $0.height)
        }
        for language in languages { texts[language] = file.names(number, language: language) }
    }
}
