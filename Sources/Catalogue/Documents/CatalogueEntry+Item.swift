public import FoundationEssentials
public import StoreModel

extension CatalogueEntry {
    /// The maximum length of a product identifier in bytes.
    private static let identifierLimit = 1024

    /// Returns why an identifier can't be used to install a product; `nil` if it can be used.
    ///
    /// - Parameter isImport: whether the product was imported from another program's format, and no store offers it.
    public static func defect(ofIdentifier identifier: String, isImport: Bool = false) -> String? {
        if identifier.isEmpty { return "it has no identifier" }
        if ImportedIdentifier.contains(identifier), !isImport {
            return "identifiers that begin with '\(ImportedIdentifier.prefix)' belong to imported packs"
        }
        if identifier.utf8.count > identifierLimit { return "its identifier is longer than \(identifierLimit) bytes" }
        if identifier.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "its identifier holds control characters"
        }
        return nil
    }

    /// Returns the beginning of an identifier that is too long.
    private static func shortened(_ identifier: String) -> String {
        guard identifier.utf8.count > identifierLimit else { return identifier }
        return String(decoding: identifier.utf8.prefix(identifierLimit), as: UTF8.self)
    }

    /// Returns the product that this entry of a catalogue document describes.
    ///
    /// If the product can't be installed, the result says why in ``ProductItem/defect``; the method never fails.
    ///
    /// - Parameters:
    ///   - base: the document's URL.
    ///   - format: the document's format, 1 or 2; format 2 requires a version and a hash.
    ///   - position: the position of the entry in its list, counted from 1, by which messages refer to a product
    ///     without identifier.
    public func item(base: URL, format: Int, position: Int) -> ProductItem {
        var defects: [String] = []
        let resourceURL = resource.map { DocumentURL.resolve($0.url, against: base) }

        let identifier = productIdentifier ?? resourceURL?.url.flatMap(Self.nameWithoutSuffix)
        if isObject {
            if let defect = Self.defect(ofIdentifier: identifier ?? "") { defects.append(defect) }
        } else {
            defects.append("it is not an object")
        }
        let shown = identifier.map(Self.shortened) ?? "#\(position)"

        var item = ProductItem(
            productIdentifier: shown, kind: ProductKind(rawValue: productType ?? ""),
            productName: productName ?? LocalizedText(shown), version: version.map { Version($0) },
            productPrice: productPrice ?? .free)
        switch resourceURL {
        case .url(let url)?:
            item.resource = ContentReference(
                url: url, size: resource?.size, sha256: resource?.sha256.flatMap { SHA256Digest(hex: $0) })
        case .refused(let reason)?: defects.append("its content's URL \(reason)")
        case nil: if isObject, !withdrawn { defects.append("it has no productResourceURL") }
        }
        if isObject, productType == nil { defects.append("it has no productType") }
        if resource?.sha256 != nil, item.resource != nil, item.resource?.sha256 == nil {
            defects.append("its content's SHA-256 is not 64 hexadecimal digits")
        } else if format == 2, item.resource != nil, item.resource?.sha256 == nil || item.resource?.size == nil {
            defects.append("its content has no size or no SHA-256, which format 2 requires")
        }
        if filesSHA256 != nil, SHA256Digest(hex: filesSHA256 ?? "") == nil {
            defects.append("its 'filesSHA256' is not 64 hexadecimal digits")
        }
        if format == 2, isObject, version == nil { defects.append("it has no version, which format 2 requires") }
        for list in overlongLists {
            defects.append("its '\(list)' has more than \(CatalogueLimits.listLength) elements")
        }
        if !defects.isEmpty { item.defect = defects.joined(separator: "; ") }

        let reference = { (file: FileEntry?) in Self.reference(file, base: base, format: format) }
        item.entryTable = reference(entryTable)
        item.filesSHA256 = filesSHA256.flatMap { SHA256Digest(hex: $0) }
        item.image = reference(image)
        item.details = reference(details)
        item.sprite = reference(sprite)
        item.previews = previews.compactMap(reference)
        item.mirrors = mirrors.compactMap { DocumentURL.resolve($0, against: base).url }
        item.dependencies = dependencies
        item.permissions = permissions.map(Permission.init).filter(\.isWellFormed)
        item.publisher = publisher
        item.license = license
        item.authors = authors
        item.locales = locales
        item.categories = categories
        item.tags = tags
        item.publishedAt = publishedAt
        item.popularity = popularity
        item.withdrawn = withdrawn
        return item
    }

    /// Returns a validated reference to a file of a product; `nil` if it is missing or not usable.
    ///
    /// A URL may be refused, and in format 2 a reference without a hash is not used, because unverified files are not
    /// opened.
    private static func reference(_ file: FileEntry?, base: URL, format: Int) -> ContentReference? {
        guard let file, let url = DocumentURL.resolve(file.url, against: base).url else { return nil }
        let digest = file.sha256.flatMap { SHA256Digest(hex: $0) }
        if digest == nil, format == 2 || file.sha256 != nil { return nil }
        return ContentReference(url: url, size: file.size, sha256: digest)
    }

    /// Returns the file name of a URL without its suffix: `cups` for `https://example.org/content/cups.zip`.
    private static func nameWithoutSuffix(_ url: URL) -> String? {
        let name = url.lastPathComponent
        guard !name.isEmpty, name != "/" else { return nil }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}
