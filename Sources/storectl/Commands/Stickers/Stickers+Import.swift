import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

extension Stickers {
    struct Import: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Import sticker packs of other programs",
            discussion: """
                Makes a sticker pack of each pack in PATH and installs it, after confirmation or with --unsigned. The same \
                source again is an update. The report names each image that was left out, and why; the format is \
                recognized unless --format names it.

                Formats:
                  whatsapp     contents.json with images
                  wastickers   .wastickers
                  signal       manifest.proto with images
                  telegram     .webp, .tgs and .webm files
                  line         ZIP with productInfo.meta
                  matrix       JSON of a picker or image pack, with images
                  xmpp         XML of XEP-0449 with images
                  discord      JSON of a server with images
                  misskey      ZIP with meta.json
                  pleroma      pack.json with images
                  pidgin       theme with images
                  kde          emoticons.xml with images
                  jisp         .jisp
                  movim        info.ini with images
                  images       directory or ZIP of images

                Examples:
                  storectl stickers import ./cats.wastickers
                  storectl stickers import ~/Downloads/signal-pack \\
                    --key 'https://signal.art/addstickers/#pack_id=…'
                  storectl stickers import ./theme --format pidgin --dry-run
                """)

        @Argument(
            help: ArgumentHelp("Directory, ZIP file, or the file that describes a pack", valueName: "path"),
            completion: .file())
        var path: String

        @Option(help: ArgumentHelp("Format of the source; recognized by default", valueName: "name"))
        var format: String?

        @Option(help: ArgumentHelp("Key of an encrypted pack, or its link", valueName: "key"))
        var key: String?

        @Flag(help: "Import without confirmation")
        var unsigned = false

        @Flag(name: .customLong("dry-run"), help: "Only report what would be imported")
        var isDryRun = false

        @OptionGroup var waiting: WaitingOptions

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            guard let file = FilePaths.resolved(path), FilePaths.isRegularFile(file) || FilePaths.isDirectory(file)
            else {
                throw StoreError(.importSourceMissing, ["path": .untrusted(path)])
            }
            let client = try client()
            // Before the question, which is asked in vain for a format that is unknown.
            if let format {
                let formats = try await client.stickerFormats().imports.map(\.format)
                guard formats.contains(format) else {
                    throw StoreError(.importFormatUnknown, ["format": .untrusted(format), "formats": .list(formats)])
                }
            }
            if !unsigned, !isDryRun {
                guard try await LocalPack.mayInstall(path, console) else {
                    throw StoreError(.productCancelled, ["product": path])
                }
            }
            if isDryRun {
                let imported = try await client.importStickers(file, format: format, key: key, isDryRun: true)
                if console.json {
                    console.document(ImportDocument(report: imported.report, results: []))
                } else {
                    console.show(imported.report)
                }
                return .done
            }
            let reported = ReportBox()
            let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
            let (products, wasInterrupted) = try await monitor.run {
                let imported = try await client.importStickers(file, format: format, key: key)
                await reported.set(imported.report)
                return try await mapConcurrently(imported.results) { result in
                    try await ProductInstallation(result.productIdentifier) {
                        if let error = result.error { throw error }
                        guard let installation = result.installation else { throw CancellationError() }
                        return installation
                    }
                }
            }
            let ended = await monitor.withPacks(products)
            let report = await reported.report
            if !console.json, let report { console.show(report) }
            waiting.report(ended, as: .imported, console)
            if wasInterrupted { return await monitor.interrupted(ended, cancel: waiting.cancelOnInterrupt) }
            let failures = ended.map(\.result.failure)
            if console.json {
                console.document(
                    ImportDocument(
                        report: report, results: ended.map(InstallationRow.init), error: summary(of: failures)))
            }
            console.printFailures(zip(ended.map(\.productIdentifier), failures).map { ($0, $1) })
            return commonExitCode(of: failures)
        }
    }
}

/// Holds the report of an import while its packs are installed.
private actor ReportBox {
    private(set) var report: ImportReport?
    func set(_ report: ImportReport) { self.report = report }
}

/// The JSON document of `storectl stickers import`.
private struct ImportDocument: Encodable {
    var report: ImportReport?
    var results: [InstallationRow]
    var error: ErrorReport?
}

extension Console {
    /// Prints what an import took and left out.
    fileprivate func show(_ report: ImportReport) {
        for pack in report.packs {
            let name = pack.name.text(in: StoreClient.languages())
            let values = [
                "name": name, "publisher": pack.publisher ?? "", "stickers": messages.stickers(pack.count),
                "format": report.format, "product": pack.productIdentifier,
            ]
            line(
                pack.publisher == nil
                    ? messages.text("{name}: {stickers}, from {format}, as {product}", values)
                    : messages.text("{name} by {publisher}: {stickers}, from {format}, as {product}", values))
            if let license = pack.license { line("  " + messages.text("license: {license}", ["license": license])) }
            for file in pack.files where file.outcome == .leftOut { showLeftOut(file.source, file.reason) }
            let converted = pack.files.count { $0.outcome == .converted }
            if converted > 0, let reason = pack.files.first(where: { $0.outcome == .converted })?.reason {
                line(
                    "  "
                        + messages.text(
                            converted, one: "{count} image {conversion}", other: "{count} images {conversion}",
                            ["conversion": messages.translation(of: reason)]))
            }
            for note in pack.notes { showNote(note) }
        }
    }
}
