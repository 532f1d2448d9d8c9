/// What an import of another program's sticker packs took, converted and left out, and why.
public struct ImportReport: Sendable, Hashable, Codable {
    /// The name of the format that the packs were read in, such as `whatsapp`.
    public var format: String
    /// The packs that were found; most formats hold one.
    public var packs: [Pack]

    /// Creates a report about the packs that were found in a source.
    public init(format: String, packs: [Pack]) {
        self.format = format
        self.packs = packs
    }

    /// One sticker pack that was found in a source.
    public struct Pack: Sendable, Hashable, Codable {
        /// The identifier with which the pack is installed, such as `import.signal.1f2e…`.
        public var productIdentifier: String
        public var name: LocalizedText
        @OrNull public var publisher: String?
        /// The license as the source names it; `nil` if the source names none.
        @OrNull public var license: String?
        /// The web page of the pack or of its author; `nil` if the source names none.
        @OrNull public var website: String?
        /// The number of stickers that the imported pack has.
        public var count: Int
        /// Each image of the source with its outcome, in order.
        public var files: [File]
        /// What was odd about the source, and what of it the imported pack can't hold; text for people.
        public var notes: [String]

        /// Creates the description of a pack that was found in a source.
        public init(
            productIdentifier: String, name: LocalizedText, publisher: String? = nil, license: String? = nil,
            website: String? = nil, count: Int = 0, files: [File] = [], notes: [String] = []
        ) {
            self.productIdentifier = productIdentifier
            self.name = name
            self.publisher = publisher
            self.license = license
            self.website = website
            self.count = count
            self.files = files
            self.notes = notes
        }
    }

    /// One image of a source, and what became of it.
    public struct File: Sendable, Hashable, Codable {
        /// The path of the image in the source, or a description of where it was.
        public var source: String
        public var outcome: Outcome
        /// The path of the image in the imported pack; `nil` if it was left out.
        @OrNull public var file: String?
        /// Why the image was left out, or how it was converted; text for people.
        @OrNull public var reason: String?

        /// Creates the description of an image of a source.
        public init(source: String, outcome: Outcome, file: String? = nil, reason: String? = nil) {
            self.source = source
            self.outcome = outcome
            self.file = file
            self.reason = reason
        }
    }

    /// What an import did with an image of its source.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// The image is in the pack with the same bytes.
        case taken
        /// The image is in the pack, after it was decrypted or decoded.
        case converted
        /// The image is not in the pack.
        case leftOut = "left out"
    }
}
