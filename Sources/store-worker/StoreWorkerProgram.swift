import FoundationEssentials
import StoreArchives
import StoreEmoji
import StoreImages
import StoreLibrary
import StoreModel
import StorePackFormats
import StorePlugins
import StoreSkins
import StoreStickerPacks
import StoreSystem
import StoreWorker

/// The program that reads untrusted bytes for the daemon in confined processes; its standard input is a socket.
@main
enum StoreWorkerProgram {
    static func main() {
        WorkerProgram.main(WorkerService.programName) {
            try WorkerProgram(
                check: check, checkInMemory: check, describe: describe, importPacks: importPacks
            ).run($0)
        }
    }

    /// Checks the files of a pack in a directory by the rules of its kind.
    private static func check(_ pack: Directory, _ rules: ContentRules) throws {
        try kind(rules).check(pack)
    }

    /// Checks the files of a pack in memory by the rules of its kind.
    private static func check(_ pack: FileTree, _ rules: ContentRules) throws {
        guard let kind = try kind(rules) as? any MemoryCheckableKind else {
            throw StoreError(
                .unexpectedError, ["error": "packs of kind '\(rules.kind.rawValue)' are not checked in memory"])
        }
        try kind.check(PackContents(pack), cancellation: CancellationFlag())
    }

    private static func kind(_ rules: ContentRules) throws -> any ContentKind {
        let kinds = kinds(rules.images, SkinReader(sizeLimit: rules.skinSize))
        guard let kind = kinds[rules.kind] else {
            throw StoreError(.unexpectedError, ["error": "unknown kind '\(rules.kind.rawValue)'"])
        }
        return kind
    }

    /// Reads what an archive says of the pack in it.
    private static func describe(_ archive: Archive) throws -> Data {
        let files = archive.entries.filter { !$0.isDirectory }
        let pack = try ArchivedPack(paths: files.map(\.packPath), kinds: kinds(ImageLimits(), SkinReader())) {
            try archive.contents(of: $0, limit: PackInformation.sizeLimit).map { Data($0) }
        }
        return try JSON.encode(pack)
    }

    /// Reads the sticker packs of another program.
    private static func importPacks(_ task: ImportTask, _ files: ImportFiles) throws -> ImportReport {
        if let directory = files.directory { return try task.run(on: .directory(directory), output: files.output) }
        guard let archive = files.archive else { throw StoreError(.unexpectedError, ["error": "no source"]) }
        return try task.run(on: .archive(archive), output: files.output)
    }

    private static func kinds(_ images: ImageLimits, _ reader: SkinReader) -> ContentKinds {
        ContentKinds([
            StickerKind(images: images), SkinKind(images: images, reader: reader), EmojiKind(images: images),
            PluginKind(),
        ])
    }
}
