import StoreAPI
import StoreModel
import StoreOpenAPI

// Samples of the documents about the web listener, confinement, missing packs, several installations, and other programs' sticker packs.
extension DocumentSamples {
    private static let failure = ErrorReport(code: .unexpected, message: "a")
    private static let file = ImportReport.File(source: "a", outcome: .converted, file: "a", reason: "a")
    private static let pack = ImportReport.Pack(
        productIdentifier: "a", name: "a", publisher: "a", license: "a", website: "a", count: 1, files: [file],
        notes: ["a"])
    private static let installed = InstallResult(
        productIdentifier: "a", installation: .exampleOfInstalled, error: failure)
    static let thumbnails = ThumbnailsDocument(
        available: false, reason: "a", inEffect: ["a"], missing: [MissingConfinementDocument(part: "a", reason: "a")])
    static let confinement = ConfinementDocument(
        confined: false, reason: "a", required: true, inEffect: ["a"], missing: [.init(part: "a", reason: "a")])
    static let missingPack = MissingPack(
        productIdentifier: "a", store: "a", version: Version("1"), operation: OperationID(rawValue: "a"))

    private static let batchRequest: BatchInstallRequest = {
        var request = BatchInstallRequest(productIdentifiers: ["a"])
        (request.store, request.agreed, request.priority, request.rateLimit) = ("a", ["a"], -1, 1)
        (request.consent, request.consents) = ([.code], ["a": [.code]])
        return request
    }()

    /// Samples with all optional members set.
    static let completeExchange: [DocumentSample] = [
        DocumentSample(batchRequest), DocumentSample(BatchInstallResponse(results: [installed])),
        DocumentSample(confinement), DocumentSample(thumbnails),
        DocumentSample(MissingConfinementDocument(part: "a", reason: "a")), DocumentSample(missingPack),
        DocumentSample(
            WebDocument(
                enabled: true, address: "http://a.localhost:1/", link: "http://a.localhost:1/login", sessions: 1)),
        DocumentSample(WebTokenList.example), DocumentSample(WebToken.example), DocumentSample(CreatedWebToken.example),
        DocumentSample(WebTokenRequest(name: "a", scopes: [.read])),
        DocumentSample(StickerImportRequest(file: "/a", format: "a", key: "a", dryRun: true)),
        DocumentSample(StickerImport(report: ImportReport(format: "a", packs: [pack]), results: [installed])),
        DocumentSample(installed), DocumentSample(ImportReport(format: "a", packs: [pack])), DocumentSample(pack),
        DocumentSample(file), DocumentSample(StickerExportRequest.example), DocumentSample(ExportTarget.example),
        DocumentSample(ExportTargetList.example), DocumentSample(ExportReportList.example),
        DocumentSample(ExportReport.example), DocumentSample(StickerFormatList.example),
        DocumentSample(StickerFormatList.Format(format: "a", title: "A")),
    ]

    /// Samples without optional members.
    static let sparseExchange: [DocumentSample] = [
        DocumentSample(ConfinementDocument(confined: true, required: false, inEffect: [], missing: [])),
        DocumentSample(ThumbnailsDocument(available: true, reason: nil, inEffect: [], missing: [])),
        DocumentSample(
            SettingDocument(key: "a.b", value: "", origin: "default", summary: "A.", needsRestart: false)),
        DocumentSample(
            MissingPack(productIdentifier: "a", store: nil, version: nil, operation: OperationID(rawValue: "a"))),
        DocumentSample(WebDocument(enabled: false, address: nil, sessions: 0)),
        DocumentSample(WebTokenRequest(name: "a")), DocumentSample(StickerImportRequest(file: "/a")),
        DocumentSample(BatchInstallRequest(productIdentifiers: [])),
        DocumentSample(InstallResult(productIdentifier: "a")),
        DocumentSample(ImportReport.Pack(productIdentifier: "a", name: "a")),
        DocumentSample(ImportReport.File(source: "a", outcome: .leftOut)),
    ]
}
