import FoundationEssentials
import StoreImages
import StoreModel
import StoreSystem
import StoreXML

/// Reads the list of an installed set's emoji, and the places of their images.
///
/// A file of format 2 contains everything. Without one, the XML file of the set determines their order and categories. Emoji that are only in the compiled file follow. In a
/// set with neither, the emoji are the images whose names are code points, such as `u1f600.png`.
struct EmojiSetReader {
    /// The maximum number of emoji of a set that are read; Unicode has less than half as many.
    static let maximumCount = 10_000
    /// The maximum size in bytes of a file of format 2 in an unmanaged set, which is read into memory.
    static let maximumUnmanagedSize = 128 << 20

    /// The place of an emoji's image in the set's directory.
    enum Place: Sendable, Hashable {
        case file(String)
        /// The bytes of a compiled file.
        case compiled(file: String, Range<Int>)
    }

    struct Entry: Sendable, Hashable {
        let emoji: Emoji
        let place: Place
    }

    let directory: Directory
    let limits: ImageLimits
    /// Whether no other program changes the set's files, so that a file of format 2 can be mapped into memory.
    ///
    /// A file that a user placed by hand may be changed in place, which must not change mapped bytes.
    let isManaged: Bool

    /// Returns the emoji of the set that have an image, in order.
    func entries() throws -> [Entry] {
        let names = try directory.entries().filter { $0.kind == .file }.map(\.name).sorted()
        if let found = names.lazy.compactMap({ formatTwo(in: $0) }).first {
            return entries(of: found.file, in: found.name)
        }
        let list = names.lazy.filter { $0.lowercased().hasSuffix(".xml") }.compactMap { readList(in: $0) }.first
        let compiled = names.lazy.compactMap { compiledEmoji(in: $0) }.first ?? []
        var places: [String: Place] = [:]
        for one in compiled where places[one.text] == nil { places[one.text] = one.place }

        var entries: [Entry] = []
        var listed: Set<String> = []
        for item in list?.items ?? [] {
            if let file = item.image, isFile(file) {
                entries.append(
                    Entry(emoji: Emoji(text: item.text, category: item.category, file: file), place: .file(file)))
            } else if let place = places[item.text] {
                entries.append(Entry(emoji: Emoji(text: item.text, category: item.category), place: place))
            } else {
                continue
            }
            listed.insert(item.text)
        }
        for one in compiled where listed.insert(one.text).inserted {
            let category = list.flatMap {
                $0.categories.indices.contains(one.category) ? $0.categories[one.category] : nil
            }
            entries.append(Entry(emoji: Emoji(text: one.text, category: category), place: one.place))
        }
        if entries.isEmpty {
            entries = names.compactMap { name in
                EmojiSequence(fileName: name).map { Entry(emoji: Emoji(text: $0.text, file: name), place: .file(name)) }
            }
        }
        return Array(entries.prefix(Self.maximumCount))
    }

    /// Returns the image at a place of the set.
    func image(at place: Place) throws -> Data {
        switch place {
        case .file(let name): return try directory.read(name, limit: limits.size)
        case .compiled(let name, let range):
            return Data(try directory.openFile(name).read(count: range.count, at: range.lowerBound))
        }
    }

    private func isFile(_ name: String) -> Bool { (try? directory.openFile(name).status().kind) == .file }

    // MARK: The XML file

    private struct List {
        var categories: [String] = []
        var items: [(text: String, category: String?, image: String?)] = []
    }

    /// Reads the XML file that lists the emoji of the set; `nil` if the file is another one, or can't be read.
    private func readList(in name: String) -> List? {
        guard let data = try? directory.read(name, limit: XMLLimits().size) else { return nil }
        var list: List?
        var open: [String] = []
        /// Whether the last element `emoji` is the last item of the list.
        var isListed = false
        do {
            try XMLReader().read(Array(data)) { event in
                switch event {
                case .start(let element):
                    if open.isEmpty, element.name == "emojis" { list = List() }
                    if open.count == 1, element.name == "category" { list?.categories.append(element["name"] ?? "") }
                    if element.name == "emoji" {
                        let sequence = element["unicode"].flatMap { EmojiSequence(hexadecimal: $0) }
                        isListed = sequence != nil && (list?.items.count ?? 0) < Self.maximumCount
                        if isListed, let sequence {
                            let category = open.contains("category") ? list?.categories.last : nil
                            list?.items.append((sequence.text, category, element["image"]))
                        }
                    }
                    if element.name == "image", open.last == "emoji", isListed, let last = list?.items.indices.last,
                        list?.items[last].image == nil
                    {
                        list?.items[last].image = element["file"]
                    }
                    open.append(element.name)
                case .end: open.removeLast()
                case .text, .instruction: break
                }
            }
            return list
        } catch {
            // The set was checked when it was installed; one that was placed by hand may have any file.
            return nil
        }
    }

    // MARK: The compiled file

    /// Opens the first file of format 2 in the directory; `nil` if there is none that can be read.
    func formatTwo() throws -> (file: EmojiFile, open: OpenFile)? {
        let names = try directory.entries().filter { $0.kind == .file }.map(\.name).sorted()
        return names.lazy.compactMap { formatTwo(in: $0).map { ($0.file, $0.open) } }.first
    }

    private func formatTwo(in name: String) -> (name: String, file: EmojiFile, open: OpenFile)? {
        guard mayBeCompiled(name), let open = try? directory.openFile(name), let size = try? open.status().size,
            size <= (isManaged ? EmojiFileLayout.maximumSize : Self.maximumUnmanagedSize),
            let head = try? open.read(count: EmojiFileLayout.magic.count, at: 0), EmojiFile.isRecognized(head)
        else { return nil }
        if isManaged { return (try? EmojiFile(open.map(populating: false))).map { (name, $0, open) } }
        return (try? EmojiFile(open.read(count: size, at: 0))).map { (name, $0, open) }
    }

    /// Returns whether a file may be a compiled one; a set may have thousands of images, which need not be opened.
    private func mayBeCompiled(_ name: String) -> Bool {
        !ImageFormat.allSuffixes.contains { name.hasSuffix("." + $0) } && !name.hasSuffix(".xml")
    }

    private func entries(of file: EmojiFile, in name: String) -> [Entry] {
        (0..<min(file.count, Self.maximumCount)).compactMap { number in
            guard let text = file.sequence(number)?.text, let image = file.images(number).first else { return nil }
            return Entry(
                emoji: Emoji(text: text, category: file.category(of: number)),
                place: .compiled(file: name, image.range))
        }
    }

    private struct CompiledEmoji {
        let text: String
        let category: Int
        let place: Place
    }

    /// Reads the emoji of a compiled file; `nil` if the file is another one, or can't be read.
    private func compiledEmoji(in name: String) -> [CompiledEmoji]? {
        guard mayBeCompiled(name), let file = try? directory.openFile(name), let size = try? file.status().size,
            size <= limits.size, let head = try? file.read(count: EmojiFormatOneLayout.headerSize, at: 0),
            let layout = EmojiFormatOneLayout(head: head, size: size),
            let headers = try? file.read(count: layout.imagesStart, at: 0), headers.count == layout.imagesStart
        else { return nil }
        return (0..<min(layout.count, Self.maximumCount)).compactMap { number in
            let range = layout.image(number, in: headers)
            let points = layout.codePoints(number, in: headers).compactMap { UInt32(exactly: $0) }
            guard let text = EmojiSequence(codePoints: points)?.text, !range.isEmpty,
                range.lowerBound >= layout.imagesStart, range.upperBound <= size
            else { return nil }
            return CompiledEmoji(
                text: text, category: layout.category(number, in: headers),
                place: .compiled(file: name, range))
        }
    }
}
