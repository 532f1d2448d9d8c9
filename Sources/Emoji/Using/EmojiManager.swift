public import FoundationEssentials
public import StoreImages
public import StoreLibrary
public import StoreModel
import StoreSystem

/// A reader of the installed emoji sets with their emoji and images.
///
/// Unmanaged sets, which a user placed by hand, are among them.
public actor EmojiManager {
    private let library: Library
    private let limits: ImageLimits
    let work = BlockingWork(label: "emoji", concurrent: true)
    /// Returns the product identifier of the set that the user chose; `nil` if none was chosen.
    nonisolated let chosenSet: @Sendable () -> String?

    private struct Read {
        let pack: LibraryPack
        let set: EmojiSet
        let entries: [EmojiSetReader.Entry]
    }
    /// A cache of the emoji sets that were read, by directory; an installed pack changes only by being replaced.
    private var read: [String: Read] = [:]
    /// The emoji of sets in which emoji were looked up, by directory; the files of format 2 among them stay mapped.
    private var lookedUp: [String: (pack: LibraryPack, emoji: InstalledEmoji)] = [:]
    /// The emoji of the previous versions that were read, by product, with the operations that installed them.
    private var previous: [String: (operation: OperationID, entries: [EmojiSetReader.Entry])] = [:]

    /// Creates a reader of the emoji sets in a library, which is all installed packs.
    ///
    /// - Parameters:
    ///   - limits: the limits of images in packs.
    ///   - chosenSet: returns the product identifier of the set to use; `nil` for none.
    public init(
        library: Library, limits: ImageLimits = ImageLimits(), chosenSet: @escaping @Sendable () -> String? = { nil }
    ) {
        self.library = library
        self.limits = limits
        self.chosenSet = chosenSet
    }

    /// Returns all installed emoji sets that can be read, ordered by directory.
    ///
    /// - Throws: an error of the file system, if the directory of the installed packs can't be listed.
    public func sets() async throws -> [EmojiSet] {
        let installed = try await library.all().filter { $0.kind == .emoji }
        var sets: [EmojiSet] = []
        for pack in installed {
            if let one = try? await contents(of: pack) { sets.append(one.set) }
        }
        let folders = Set(installed.map(\.folder))
        read = read.filter { folders.contains($0.key) }
        lookedUp = lookedUp.filter { folders.contains($0.key) }
        let identifiers = Set(installed.map(\.productIdentifier))
        previous = previous.filter { identifiers.contains($0.key) }
        return sets
    }

    /// Returns the installed emoji set of the product with this identifier.
    ///
    /// - Throws: `pack.not-installed`, also if the product is of another kind; `content.bad-information`.
    public func set(_ productIdentifier: String) async throws -> EmojiSet {
        try await contents(of: pack(productIdentifier)).set
    }

    /// Returns the image of an emoji, and the media type of its content.
    ///
    /// - Parameters:
    ///   - number: the position of the emoji in its set, counted from 0.
    ///   - operation: the operation that installed the version of the set; `nil` is the installed version.
    /// - Throws: `pack.not-installed`; `pack.replaced` if the operation's version is neither the current nor the previous
    ///   one; `request.file` if the set has fewer emoji; `content.image-unknown` if the file is no image.
    public func image(
        _ number: Int, of productIdentifier: String, operation: OperationID? = nil
    ) async throws -> (data: Data, mediaType: String) {
        let pack = try await pack(productIdentifier)
        let directory: Directory
        let entries: [EmojiSetReader.Entry]
        if let operation, operation != pack.origin?.operation {
            directory = try await library.directory(of: productIdentifier, by: operation)
            entries = try await self.entries(of: productIdentifier, by: operation, in: directory)
        } else {
            directory = try library.directory(of: pack)
            entries = try await contents(of: pack).entries
        }
        guard entries.indices.contains(number) else {
            throw StoreError(
                .noSuchEmoji, ["product": productIdentifier, "number": number, "count": entries.count])
        }
        return try await work.run { [limits] in
            let reader = EmojiSetReader(directory: directory, limits: limits, isManaged: pack.origin != nil)
            let data = try reader.image(at: entries[number].place)
            guard let format = ImageFormat(head: Array(data.prefix(ImageFormat.headLength))[...]) else {
                throw StoreError(.imageUnknown)
            }
            return (data, format.mediaType)
        }
    }

    private func pack(_ productIdentifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: productIdentifier), pack.kind == .emoji else {
            throw StoreError(.emojiSetNotInstalled, ["product": productIdentifier])
        }
        return pack
    }

    /// Returns the pack of an emoji set.
    ///
    /// - Throws: `emoji.no-set`.
    func installedPack(_ productIdentifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: productIdentifier), pack.kind == .emoji else {
            throw StoreError(.emojiSetNotFound, ["set": productIdentifier])
        }
        return pack
    }

    /// Returns the emoji of an installed set for looking up; those of an unmanaged set are read each time.
    ///
    /// - Throws: `emoji.no-set`; an error of the set's files.
    func emoji(of productIdentifier: String) async throws -> InstalledEmoji {
        let pack = try await installedPack(productIdentifier)
        if let known = lookedUp[pack.folder], known.pack == pack, known.emoji.isUnchanged { return known.emoji }
        let directory = try library.directory(of: pack)
        let emoji = try await work.run { [limits] in
            try InstalledEmoji(
                EmojiSetReader(directory: directory, limits: limits, isManaged: pack.origin != nil))
        }
        // Those of other versions would stay mapped.
        lookedUp[pack.folder] = pack.origin != nil ? (pack, emoji) : nil
        return emoji
    }

    /// Returns the emoji of a previous version, which are kept for the requests for its other images.
    private func entries(
        of productIdentifier: String, by operation: OperationID, in directory: Directory
    ) async throws -> [EmojiSetReader.Entry] {
        if let known = previous[productIdentifier], known.operation == operation { return known.entries }
        let entries = try await work.run { [limits] in
            try EmojiSetReader(directory: directory, limits: limits, isManaged: true).entries()
        }
        previous[productIdentifier] = (operation, entries)
        return entries
    }

    private func contents(of pack: LibraryPack) async throws -> Read {
        if let known = read[pack.folder], known.pack == pack { return known }
        let directory = try library.directory(of: pack)
        let (information, entries) = try await work.run { [limits] in
            (
                try PackInformation.read(from: directory),
                try EmojiSetReader(directory: directory, limits: limits, isManaged: pack.origin != nil).entries()
            )
        }
        let set = EmojiSet(
            productIdentifier: pack.productIdentifier, name: pack.name, publisher: information.publisher,
            license: information.license, version: pack.version, operation: pack.origin?.operation,
            path: library.path(of: pack), emoji: entries.map(\.emoji))
        let made = Read(pack: pack, set: set, entries: entries)
        if pack.origin != nil { read[pack.folder] = made }
        return made
    }
}
