import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem

/// A ZIP on this machine as a product: what its information file says, else its file's name.
struct LocalArchive {
    private let file: OpenFile
    private let path: String
    private let limits: ArchiveLimits

    private let kinds: ContentKinds

    /// - Throws: `file.unusable`.
    init(_ path: String, limits: ArchiveLimits, kinds: ContentKinds) throws {
        do {
            file = try OpenFile.open(path)
            guard try file.status().kind == .file else { throw StoreError(.notRegularFile, ["path": path]) }
        } catch let error as FileError {
            throw EngineError(.fileUnusable, "It can't be installed. \(error.message)")
        }
        self.path = path
        self.limits = limits
        self.kinds = kinds
    }

    func product() throws -> ProductItem {
        let archive = try Archive(file, limits: limits)
        func content(of name: String) throws -> Data? {
            try archive.contents(of: name, limit: PackInformation.sizeLimit).map { Data($0) }
        }
        let information =
            try content(of: PackInformation.fileName).map { try PackInformation.decode(from: $0) } ?? PackInformation()
        let own = try kinds.information(content)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let named = information.productIdentifier.flatMap { $0.isEmpty ? nil : $0 } ?? own.productIdentifier
        let identifier = named ?? (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
        var item = ProductItem(
            productIdentifier: identifier, kind: information.kind ?? own.kind ?? .sticker,
            productName: information.name ?? own.name ?? LocalizedText(identifier),
            version: information.version ?? own.version)
        let needed = information.dependencies ?? []
        item.dependencies = needed + (own.dependencies ?? []).filter { !needed.contains($0) }
        item.permissions = information.permissions ?? []
        item.resource = ContentReference(
            url: URL(filePath: path), size: try file.status().size, sha256: try FileHasher().digest(of: file).sha256)
        return item
    }
}
