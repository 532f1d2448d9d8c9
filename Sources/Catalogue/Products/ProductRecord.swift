import FoundationEssentials
import StoreModel
import StoreSystem

/// A product in the compact form in which a catalogue holds it in memory, with the text that a search examines.
///
/// A `ProductItem` takes about 2,000 bytes in dozens of allocations, its record about 400: texts without allocations of
/// their own, hashes as 32 bytes, and addresses without what they have in common with the previous one and without the
/// file's hash, which is the name of a file in many stores.
///
/// Files of the cache contain records (``CompiledSource/formatVersion``).
struct ProductRecord {
    /// The part of a record that a reader needs; each contains the previous ones.
    enum Part: Comparable {
        /// What a search compares and sorts by.
        case search
        /// What a list of products shows.
        case list
        /// The whole product.
        case product
    }

    let identifier: String
    /// The text that a search examines, folded.
    let searchText: [UInt8]
    private(set) var bytes: [UInt8] = []
    /// The last address that was written.
    private var previousAddress: [UInt8] = []

    /// The memory of a product beside its record and its text: positions, entries of the table of identifiers, and
    /// reserves.
    private static let fixedMemory = 48

    /// The memory that the product takes in a catalogue, in bytes.
    var memory: Int { Self.memory(bytes.count, searchText.count) }

    /// Returns the memory that a product takes in a catalogue, in bytes, by the lengths of its record and its text.
    static func memory(_ record: Int, _ searchText: Int) -> Int { fixedMemory + record + searchText }

    /// Encodes a product.
    init(_ item: ProductItem) {
        identifier = item.productIdentifier
        let names = item.productName.byLanguage.sorted { $0.key < $1.key }
        let searched =
            names.map(\.value) + [item.productIdentifier] + item.tags + item.categories + [item.publisher ?? ""]
        let text = searched.joined(separator: "\n").utf8.prefix(CatalogueLimits.searchTextLength)
        searchText = Array(SearchText.folded(String(decoding: text, as: UTF8.self)).utf8)

        bytes.append(item.withdrawn ? 1 : 0)
        write(item.productIdentifier)
        // At the beginning for checks for updates, which read them for each installed pack.
        write(item.productPrice.amount)
        write(item.version?.text)
        write(item.kind.rawValue)
        write(names.count)
        for (language, name) in names {
            write(language)
            write(name)
        }
        write(item.publishedAt.map { UInt64($0.timeIntervalSinceReferenceDate.bitPattern) })
        write(item.popularity.map { UInt64(bitPattern: Int64($0)) })
        write(item.categories)

        write(item.resource)
        write(item.image)
        write(item.publisher)
        write(item.defect)

        for file in [item.entryTable, item.details, item.sprite] { write(file) }
        bytes.append(item.filesSHA256 == nil ? 0 : 1)
        if let digest = item.filesSHA256 { bytes += digest.bytes }
        write(item.previews.count)
        for preview in item.previews { write(preview) }
        write(item.mirrors.count)
        for mirror in item.mirrors { write(address: Array(mirror.absoluteString.utf8), hash: nil) }
        for list in [item.dependencies, item.permissions.map(\.rawValue), item.authors, item.locales, item.tags] {
            write(list)
        }
        write(item.license)
    }

    // MARK: Values

    /// Writes a number in groups of seven bits, the lowest first, as LEB128 does.
    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func write(_ count: Int) { write(UInt64(count)) }

    private mutating func write(_ number: UInt64?) {
        bytes.append(number == nil ? 0 : 1)
        if let number { write(number) }
    }

    private mutating func write(_ text: some Collection<UInt8>) {
        write(text.count)
        bytes += text
    }

    private mutating func write(_ text: String) { write(text.utf8) }

    private mutating func write(_ text: String?) {
        bytes.append(text == nil ? 0 : 1)
        if let text { write(text) }
    }

    private mutating func write(_ texts: [String]) {
        write(texts.count)
        for text in texts { write(text) }
    }

    private mutating func write(_ file: ContentReference?) {
        guard let file else {
            bytes.append(0)
            return
        }
        bytes.append(1 | (file.size == nil ? 0 : 2) | (file.sha256 == nil ? 0 : 4))
        if let size = file.size { write(UInt64(bitPattern: Int64(size))) }
        if let sha256 = file.sha256 { bytes += sha256.bytes }
        write(address: Array(file.address.utf8), hash: file.sha256)
    }

    /// Writes an address: the length of what it has in common with the previous one, and the rest, with a gap for the
    /// file's hash if it contains that.
    private mutating func write(address: [UInt8], hash: SHA256Digest?) {
        let gap = hash.flatMap { $0.range(in: address) }
        var common = 0
        let most = min(gap?.lowerBound ?? address.count, previousAddress.count)
        while common < most, address[common] == previousAddress[common] { common += 1 }
        write(common)
        bytes.append(gap == nil ? 0 : 1)
        write(address[common..<(gap?.lowerBound ?? address.count)])
        if let gap { write(address[gap.upperBound...]) }
        previousAddress = address
    }
}

extension SHA256Digest {
    /// Returns where the digest's hexadecimal digits are in a text; `nil` if it does not contain them.
    fileprivate func range(in text: [UInt8]) -> Range<Int>? {
        let digits = Array(hex.utf8)
        guard text.count >= digits.count else { return nil }
        return text.withUnsafeBytes { text in
            digits.withUnsafeBytes { digits in
                var start = 0
                while let found = text.offset(of: digits[0], from: start) {
                    if text.hasBytes(digits, at: found) { return found..<found + digits.count }
                    start = found + 1
                }
                return nil
            }
        }
    }
}

/// Reads a product from its record, whose bytes must be valid as long as the reader is used.
struct ProductRecordReader {
    private let record: UnsafeRawBufferPointer
    private var position = 0
    private var previousAddress: [UInt8] = []

    init(_ record: UnsafeRawBufferPointer) { self.record = record }

    /// Returns the identifier of a record's product, without reading anything else.
    static func identifier(_ record: UnsafeRawBufferPointer) -> String {
        var reader = ProductRecordReader(record)
        _ = reader.byte()
        return reader.text()
    }

    /// Returns whether the store has withdrawn a record's product, without reading anything else.
    static func isWithdrawn(_ record: UnsafeRawBufferPointer) -> Bool { record.first == 1 }

    /// Returns the price of a record's product if the product's version is equal to `version`, and it is not withdrawn.
    ///
    /// Nothing else of the record is decoded.
    static func price(of version: Version, _ record: UnsafeRawBufferPointer) -> Price? {
        var reader = ProductRecordReader(record)
        if reader.byte() == 1 { return nil }
        _ = reader.textBytes()
        let amount = reader.optional { $0.text() }
        guard let offered = reader.optional({ $0.textBytes() }),
            offered.elementsEqual(version.text.utf8) || Version(String(decoding: offered, as: UTF8.self)) == version
        else { return nil }
        return Price(amount)
    }

    /// Returns the product; what is not in `part` has no values.
    mutating func product(_ part: ProductRecord.Part) -> ProductItem {
        let withdrawn = byte() == 1
        let identifier = text()
        let price = Price(optional { $0.text() })
        let version = optional { Version($0.text()) }
        let kind = text()
        var names: [String: String] = [:]
        for _ in 0..<count() {
            let language = text()
            names[language] = text()
        }
        var item = ProductItem(
            productIdentifier: identifier, kind: ProductKind(rawValue: kind),
            productName: LocalizedText(byLanguage: names), productPrice: price)
        (item.withdrawn, item.version) = (withdrawn, version)
        item.publishedAt = optional {
            Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0.number()))
        }
        item.popularity = optional { Int(Int64(bitPattern: $0.number())) }
        item.categories = texts()
        guard part >= .list else { return item }

        item.resource = file()
        item.image = file()
        item.publisher = optional { $0.text() }
        item.defect = optional { $0.text() }
        guard part >= .product else { return item }

        item.entryTable = file()
        item.details = file()
        item.sprite = file()
        item.filesSHA256 = optional { SHA256Digest(bytes: $0.bytes(32)) }
        item.previews = (0..<count()).compactMap { _ in file() }
        item.mirrors = (0..<count()).compactMap { _ in URL(string: address(hash: nil)) }
        item.dependencies = texts()
        item.permissions = texts().map(Permission.init)
        item.authors = texts()
        item.locales = texts()
        item.tags = texts()
        item.license = optional { $0.text() }
        return item
    }

    // MARK: Values

    private mutating func byte() -> UInt8 { bytes(1)[0] }

    private mutating func number() -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let next = byte()
            number |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return number }
            shift += 7
        }
    }

    private mutating func count() -> Int { Int(number()) }

    private mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
        // The buffer itself checks no bounds in a release.
        precondition(count >= 0 && count <= record.count - position)
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: record[position..<position + count])
    }

    private mutating func textBytes() -> UnsafeRawBufferPointer { bytes(count()) }

    private mutating func text() -> String { String(decoding: textBytes(), as: UTF8.self) }

    private mutating func texts() -> [String] { (0..<count()).map { _ in text() } }

    private mutating func optional<Value>(_ read: (inout ProductRecordReader) -> Value) -> Value? {
        byte() == 0 ? nil : read(&self)
    }

    private mutating func file() -> ContentReference? {
        let flags = byte()
        guard flags != 0 else { return nil }
        let size = flags & 2 == 0 ? nil : Int(Int64(bitPattern: number()))
        let sha256 = flags & 4 == 0 ? nil : SHA256Digest(bytes: bytes(32))
        return ContentReference(address: address(hash: sha256), size: size, sha256: sha256)
    }

    private mutating func address(hash: SHA256Digest?) -> String {
        var address = Array(previousAddress.prefix(count()))
        let hasGap = byte() == 1
        address += bytes(count())
        if hasGap {
            address += Array((hash?.hex ?? "").utf8)
            address += bytes(count())
        }
        previousAddress = address
        return String(decoding: address, as: UTF8.self)
    }
}
