import StoreModel
import StorePackFormats
import StoreSystem

extension Storehouse {
    /// A sticker pack of another program that was imported to be added to the store.
    struct Imported {
        /// The directory with the imported pack.
        let directory: String
        let report: ImportReport.Pack
    }

    /// Imports the sticker packs of another program from a path that a publisher adds.
    ///
    /// - Parameter directory: returns the directory in which the packs are written.
    /// - Returns: the packs; `nil` if the path is a pack itself, or a directory of images only.
    /// - Throws: `import.…`; a file error.
    func importPacks(_ path: String, into directory: () throws -> Directory) throws -> [Imported]? {
        // What can't be read as a source has an error of its own where it is opened as a pack.
        guard let source = try? ImportSource(path), PackFormats.isForeign(source) else { return nil }
        let importer = PackImporter(isForPublishing: true)
        let staging = try directory()
        var directories: [String: String] = [:]
        let report = try importer.run(source) { pack in
            let name = "\(try staging.entries().count)"
            directories[pack.productIdentifier] = staging.path(of: name)
            return try staging.createDirectory(name)
        }
        return try report.packs.map { pack in
            guard let directory = directories[pack.productIdentifier] else {
                let reason = pack.files.compactMap(\.reason).first ?? "there are none"
                throw StoreError(
                    .importEmpty, ["name": .untrusted(pack.name.text()), "reason": .untrusted(reason)])
            }
            return Imported(directory: directory, report: pack)
        }
    }
}
