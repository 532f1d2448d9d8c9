import FoundationEssentials
import StoreImages
import StoreModel
import StoreSystem
import StoreXML

/// Reads the emoji of a set, and their images.
///
/// The XML file of the set determines their order and categories. Emoji that are only in the compiled file follow. In a
/// set with neither, the emoji are the images whose names are code points, such as `u1f600.png`.
struct EmojiSetReader {
    /// The maximum number of emoji of a set that are read; Unicode has less than half as many.
    static let maximumCount = 10_000

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

    /// Returns the emoji of the set that have an image, in order.
    func entries() throws -> [Entry] {
        let names = try directory.entries().filter { $0.kind == .file }.map(\.name).sorted()
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
                EmojiText(fileName: name).map { Entry(emoji: Emoji(text: $0.text, file: name), place: .file(name)) }
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
        do {
            try XMLReader().read(Array(data)) { event in
                switch event {
                case .start(let element):
                    if open.isEmpty, element.name == "emojis" { list = List() }
                    if open.count == 1, element.name == "category" { list?.categories.append(element["name"] ?? "") }
                    if element.name == "emoji", let text = element["unicode"].flatMap(EmojiText.init(codePoints:)),
                        (list?.items.count ?? 0) < Self.maximumCount
                    {
                        let category = open.last == "category" ? list?.categories.last : nil
                        list?.items.append((text.text, category, element["image"]))
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

    private struct CompiledEmoji {
        let text: String
        let category: Int
        let place: Place
    }

    /// Reads the emoji of a compiled file; `nil` if the file is another one, or can't be read.
    private func compiledEmoji(in name: String) -> [CompiledEmoji]? {
        guard let file = try? directory.openFile(name), let size = try? file.status().size, size <= limits.size,
            let head = try? file.read(count: EmojiFileLayout.headerSize, at: 0),
            let layout = EmojiFileLayout(head: head, size: size),
            let headers = try? file.read(count: layout.imagesStart, at: 0), headers.count == layout.imagesStart
        else { return nil }
        return (0..<min(layout.count, Self.maximumCount)).compactMap { number in
            let range = layout.image(number, in: headers)
            guard let text = EmojiText(layout.codePoints(number, in: headers)), !range.isEmpty,
                range.lowerBound >= layout.imagesStart, range.upperBound <= size
            else { return nil }
            return CompiledEmoji(
                text: text.text, category: layout.category(number, in: headers),
                place: .compiled(file: name, range))
        }
    }
}
