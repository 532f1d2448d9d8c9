import StoreModel

extension EmojiSetDescription {
    /// Reads everything that a file of format 2 contains.
    public init(_ file: EmojiFile) {
        self.init()
        let languages = file.languages
        // Emoji may share the bytes of an image: a copy for each could take many times the memory of the file.
        var known: [EmojiFile.Image: EmojiImage] = [:]
        groups = file.categories.map { category in
            Group(
                name: category.name,
                subgroups: category.subgroups.map { subgroup in
                    Subgroup(
                        name: subgroup.name,
                        emoji: subgroup.emoji.compactMap { Item(file, $0, languages: languages, images: &known) })
                })
        }
    }

    /// The file of format 2 with the contents; the same contents result in the same bytes.
    ///
    /// - Throws: `emoji.duplicate` if two emoji differ in variation selectors only; `emoji.no-image`; `emoji.too-large`.
    public func compiled() throws -> [UInt8] { try EmojiFileWriter.write(self) }
}

extension EmojiSetDescription.Item {
    /// Reads an emoji of a file; `nil` if it is damaged.
    ///
    /// - Parameter known: the images that were read before, to which the images of the emoji are added.
    fileprivate init?(
        _ file: EmojiFile, _ number: Int, languages: [String], images known: inout [EmojiFile.Image: EmojiImage]
    ) {
        guard let sequence = file.sequence(number) else { return nil }
        self.init(sequence: sequence)
        for image in file.images(number) {
            let read =
                known[image]
                ?? EmojiImage(
                    bytes: file.bytes(of: image), format: image.format, width: image.width, height: image.height)
            known[image] = read
            images.append(read)
        }
        for language in languages { texts[language] = file.names(number, language: language) }
    }
}
