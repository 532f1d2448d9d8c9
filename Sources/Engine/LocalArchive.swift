import Archives
import Files
import FoundationEssentials
import Library
import StoreModel

/// A ZIP on this machine as a product: what its information file says, else its file's name.
struct LocalArchive {
    private let file: OpenFile
    private let path: String
    private let limits: ArchiveLimits

    /// - Throws: `file.unusable`.
    init(_ path: String, limits: ArchiveLimits) throws {
        do {
            file = try OpenFile.open(path)
            guard try file.status().kind == .file else { throw FileError(.fileFailed, "'\(path)' is not a file.") }
        } catch let error as FileError {
            throw EngineError(.fileUnusable, "It can't be installed. \(error.message)")
        }
        self.path = path
        self.limits = limits
    }

    func product() throws -> ProductItem {
        let archive = try Archive(file, limits: limits)
        var information = PackInformation()
        if let bytes = try archive.contents(of: PackInformation.fileName, limit: PackInformation.sizeLimit) {
            information = try PackInformation.decode(from: Data(bytes))
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let named = information.productIdentifier.flatMap { $0.isEmpty ? nil : $0 }
        let identifier = named ?? (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
        var item = ProductItem(
            productIdentifier: identifier, kind: information.kind ?? .sticker,
            productName: information.name ?? LocalizedText(identifier), version: information.version)
        item.dependencies = information.dependencies ?? []
        item.permissions = information.permissions ?? []
        item.resource = ContentReference(
            url: URL(filePath: path), size: try file.status().size, sha256: try digest())
        return item
    }

    private func digest() throws -> SHA256Digest {
        var hasher = SHA256Hasher()
        var offset = 0
        while case let bytes = try file.read(count: 1 << 18, at: offset), !bytes.isEmpty {
            hasher.update(bytes)
            offset += bytes.count
        }
        return hasher.finalize()
    }
}
