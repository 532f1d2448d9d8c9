public import StoreModel
public import StoreOpenAPI

extension StickerImportRequest: ExampleProviding {
    public static var example: StickerImportRequest { StickerImportRequest(file: "/home/me/Downloads/cats.wastickers") }
}

extension ImportReport: ExampleProviding {
    public static var example: ImportReport {
        ImportReport(
            format: "wastickers",
            packs: [
                Pack(
                    productIdentifier: "import.wastickers.cats-0f3a9b1c", name: "Cats", publisher: "Ann", count: 1,
                    files: [
                        File(source: "1.webp", outcome: .taken, file: "1.webp"),
                        File(source: "2.webp", outcome: .leftOut, reason: "invalid WebP image: the file is truncated"),
                    ])
            ])
    }
}

extension StickerImport: ExampleProviding {
    public static var example: StickerImport {
        StickerImport(
            report: .example,
            results: [
                InstallResult(productIdentifier: "import.wastickers.cats-0f3a9b1c", installation: .example)
            ])
    }
}

extension StickerExportRequest: ExampleProviding {
    public static var example: StickerExportRequest {
        StickerExportRequest(
            productIdentifier: ExampleValues.product, format: "kde", directory: "/home/me/.local/share/emoticons")
    }
}

extension ExportReport: ExampleProviding {
    public static var example: ExportReport {
        ExportReport(
            productIdentifier: ExampleValues.product, format: "kde", directory: "/home/me/.local/share/emoticons",
            files: ["Cups/emoticons.xml", "Cups/smile.png"], written: 2)
    }
}

extension ExportTarget: ExampleProviding {
    public static var example: ExportTarget {
        ExportTarget(format: "kde", directory: "/home/me/.local/share/emoticons")
    }
}

extension ExportTargetList: ExampleProviding {
    public static var example: ExportTargetList { ExportTargetList(targets: [.example]) }
}

extension ExportReportList: ExampleProviding {
    public static var example: ExportReportList { ExportReportList(reports: [.example]) }
}

extension StickerFormatList: ExampleProviding {
    public static var example: StickerFormatList {
        StickerFormatList(
            imports: [Format(format: "wastickers", title: "sticker makers for WhatsApp (.wastickers)")],
            exports: [Format(format: "kde", title: "KDE emoticon theme (emoticons.xml)")])
    }
}
