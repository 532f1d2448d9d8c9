public import StoreImages
import StoreModel
public import StoreSystem

extension EmojiSetDescription {
    /// The set of all preferred emoji of an order, without images, with their English names.
    public init(_ order: EmojiOrder) {
        self.init()
        for subgroup in order.subgroups {
            if groups.last?.name != subgroup.group { groups.append(Group(name: subgroup.group, subgroups: [])) }
            let items = subgroup.entries.filter(\.isPreferred).map {
                Item(sequence: $0.sequence, texts: $0.name.isEmpty ? [:] : ["en": EmojiNames(name: $0.name)])
            }
            groups[groups.count - 1].subgroups.append(Subgroup(name: subgroup.name, emoji: items))
        }
    }

    /// Reads the images of a directory whose names are code points, such as `1f468-200d-1f33e.png`.
    ///
    /// Several images of an emoji are in the order of their names.
    ///
    /// - Parameters:
    ///   - order: the order and the categories of the emoji; emoji that it lacks follow in a category of their own. `nil`
    ///     orders by code points.
    ///   - ignored: called with the name of each file that is no image of an emoji.
    /// - Throws: `emoji.source` if no file is named after an emoji; the error of a damaged image with its name.
    public init(
        imagesIn directory: Directory, order: EmojiOrder?, limits: ImageLimits = ImageLimits(),
        ignored: (String) -> Void = { _ in }
    ) throws {
        var images: [[UInt32]: (sequence: EmojiSequence, images: [EmojiImage])] = [:]
        for name in try directory.entries().filter({ $0.kind == .file }).map(\.name).sorted() {
            guard let sequence = EmojiSequence(fileName: name) else {
                ignored(name)
                continue
            }
            do {
                let image = try EmojiImage(Array(directory.read(name, limit: limits.size)), limits: limits)
                images[sequence.key, default: (sequence, [])].images.append(image)
            } catch let error as StoreError {
                throw StoreError(.emojiSourceFile, ["file": .untrusted(name)], cause: error)
            }
        }
        guard !images.isEmpty else { throw StoreError(.emojiDirectoryWithoutImages) }
        self = order.map { EmojiSetDescription($0) } ?? EmojiSetDescription()
        updateEach { item in item.images = images.removeValue(forKey: item.sequence.key)?.images ?? [] }
        let rest = images.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            Item(sequence: $0.value.sequence, images: $0.value.images)
        }
        if !rest.isEmpty {
            groups.append(Group(name: order == nil ? "emoji" : "other", subgroups: [Subgroup(emoji: rest)]))
        }
        _ = removeImageless()
    }

    /// Adds the names and keywords of annotations, which replace those that the emoji have in that language.
    public mutating func add(_ annotations: EmojiAnnotations) {
        updateEach { item in
            guard let names = annotations[item.sequence] else { return }
            var known = item.texts[annotations.language] ?? EmojiNames()
            if !names.name.isEmpty { known.name = names.name }
            if !names.keywords.isEmpty { known.keywords = names.keywords }
            item.texts[annotations.language] = known
        }
    }

    /// Reads a compiled file of format 1 or 2, of which everything is checked.
    ///
    /// - Throws: `content.emoji-damaged` with the place of the first mistake; `content.image-…`.
    public init(compiled bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws {
        if EmojiFile.isRecognized(bytes) {
            let file = try EmojiFile(bytes)
            if let problem = file.problems(limits: limits).first { throw problem.error }
            self.init(file)
        } else {
            try self.init(formatOne: bytes, limits: limits)
        }
    }
}
