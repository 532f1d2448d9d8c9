import FoundationEssentials
import StoreArchives
import StoreCatalogue
import StoreLibrary
import StoreModel
import StoreSystem
import StoreWorker

/// A ZIP file of this machine that is to be installed as a product.
///
/// The product is described by the information file in the archive, or else by the archive's name.
struct LocalArchive {
    private let file: OpenFile
    private let path: String
    private var limits: ArchiveLimits
    private let kinds: ContentKinds
    private let worker: WorkerService
    private let isImport: Bool

    /// Opens a ZIP file of this machine that is to be installed as a product.
    ///
    /// - Parameter file: the file, if a client has opened it; `nil` opens the one at the path.
    /// - Throws: `file.unusable`, also for a file that is not open for reading.
    static func open(_ path: String, opened file: OpenFile?) throws -> OpenFile {
        do {
            let file = try file?.duplicate(path: path) ?? OpenFile.open(path)
            guard try file.status().kind == .file else { throw StoreError(.notRegularFile, ["path": .path(path)]) }
            _ = try file.read(count: 1, at: 0)
            return file
        } catch let error as StoreError {
            throw StoreError(.unusableFile, cause: error)
        }
    }

    /// Creates the description of an open ZIP file of this machine.
    ///
    /// - Parameters:
    ///   - file: the file, with the path that messages and the product's receipt name.
    ///   - isImport: whether an import made the file; only then its product may have an identifier of one.
    init(_ file: OpenFile, limits: ArchiveLimits, kinds: ContentKinds, worker: WorkerService, isImport: Bool = false) {
        self.file = file
        path = file.path
        self.limits = limits
        self.limits.hiddenEntries = .leftOut
        self.kinds = kinds
        self.worker = worker
        self.isImport = isImport
    }

    /// Returns the product that the file contains, a reference to the file as the product's content, the paths of
    /// hidden files and directories in it that are not installed, and the size of the others.
    ///
    /// - Throws: `archive.…`, `content.bad-information`, `kind.unknown`, or a file error.
    func product() throws -> Installer.Local {
        let (pack, leftOut, contentSize) = try read()
        let (information, own) = (pack.information, pack.own)
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
        guard let kind = information.kind ?? own.kind ?? (pack.hasImages ? .sticker : nil) else {
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
            item: item, resource: resource, leftOut: leftOut, contentSize: contentSize)
    }

    /// Reads what the archive says of its pack, the paths of what is not installed, and the size of the rest.
    ///
    /// A confined process does so, unless an application has added kinds that it does not know.
    private func read() throws -> (pack: ArchivedPack, leftOut: [String], size: Int) {
        do {
            if kinds.areKnownToWorkers, let found = try worker.describe(file, limits: limits) {
                return (try JSON.decode(from: found.document), found.leftOut, found.size)
            }
            let archive = try Archive(file, limits: limits)
            let files = archive.entries.filter { !$0.isDirectory }
            let pack = try ArchivedPack(paths: files.map(\.packPath), kinds: kinds) {
                try archive.contents(of: $0, limit: PackInformation.sizeLimit).map { Data($0) }
            }
            return (pack, archive.leftOut, archive.size)
        } catch let error as StoreError {
            // The error of another file than a ZIP file names its type.
            guard let cause = error.namingContent(of: file) else { throw error }
            throw StoreError(.archiveRejected, ["archive": .path(file.path)], cause: cause)
        }
    }
}
