import FoundationEssentials
import StoreArchives
import StoreCatalogue
import StoreImages
import StoreLibrary
import StoreModel
import StoreSystem

/// A ZIP file of this machine that is to be installed as a product.
///
/// The product is described by the information file in the archive, or else by the archive's name.
struct LocalArchive {
    private let file: OpenFile
    private let path: String
    private var limits: ArchiveLimits
    private let kinds: ContentKinds
    private let isImport: Bool

    /// Opens a ZIP file of this machine that is to be installed as a product.
    ///
    /// - Parameter isImport: whether an import made the file; only then its product may have an identifier of one.
    /// - Throws: `file.unusable`.
    init(_ path: String, limits: ArchiveLimits, kinds: ContentKinds, isImport: Bool = false) throws {
        do {
            file = try OpenFile.open(path)
            guard try file.status().kind == .file else { throw StoreError(.notRegularFile, ["path": path]) }
        } catch let error as StoreError {
            throw StoreError(.unusableFile, cause: error)
        }
        self.path = path
        self.limits = limits
        self.limits.hiddenEntries = .leftOut
        self.kinds = kinds
        self.isImport = isImport
    }

    /// Returns the product that the file contains, a reference to the file as the product's content, the paths of
    /// hidden files and directories in it that are not installed, and the size of the others.
    ///
    /// - Throws: `archive.…`, `content.bad-information`, `kind.unknown`, or a file error.
    func product() throws -> Installer.Local {
        let archive = try Self.open(file, limits: limits)
        func content(of name: String) throws -> Data? {
            try archive.contents(of: name, limit: PackInformation.sizeLimit).map { Data($0) }
        }
        let information =
            try content(of: PackInformation.fileName).map { try PackInformation.decode(from: $0) } ?? PackInformation()
        let own = try kinds.information(content)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let named = information.productIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? own.productIdentifier
        let identifier = named ?? (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
        let needed = information.dependencies ?? []
        let dependencies = needed + (own.dependencies ?? []).filter { !needed.contains($0) }
        // An empty identifier has an error of its own.
        for identifier in [identifier] + dependencies where !identifier.isEmpty {
            if let defect = CatalogueEntry.defect(ofIdentifier: identifier, isImport: isImport) {
                throw StoreError(
                    .localIdentifierInvalid,
                    ["path": .path(path), "product": .untrusted(identifier), "reason": defect])
            }
        }
        guard let kind = information.kind ?? own.kind ?? (Self.hasImages(archive) ? .sticker : nil) else {
            throw StoreError(.localKindUnknown, ["path": .path(path)])
        }
        var item = ProductItem(
            productIdentifier: identifier, kind: kind,
            productName: information.name ?? own.name ?? LocalizedText(identifier),
            version: information.version ?? own.version)
        item.dependencies = dependencies
        item.permissions = information.permissions ?? []
        let resource = ContentReference(
            url: URL(filePath: path), size: try file.status().size, sha256: try FileHasher().digest(of: file).sha256)
        item.resource = resource
        return Installer.Local(
            item: item, resource: resource, leftOut: archive.leftOut, contentSize: archive.size)
    }

    /// Returns whether an archive contains images, so that it is a sticker pack where it does not say what it is.
    private static func hasImages(_ archive: Archive) -> Bool {
        archive.entries.contains { entry in
            guard !entry.isDirectory, let dot = entry.packPath.lastIndex(of: ".") else { return false }
            return ImageFormat.allSuffixes.contains(entry.packPath[dot...].dropFirst().lowercased())
        }
    }

    /// Opens a ZIP file; the error of another file names its type.
    private static func open(_ file: OpenFile, limits: ArchiveLimits) throws -> Archive {
        do {
            return try Archive(file, limits: limits)
        } catch let error as StoreError {
            guard let cause = error.namingContent(of: file) else { throw error }
            throw StoreError(.archiveRejected, ["archive": .path(file.path)], cause: cause)
        }
    }
}
