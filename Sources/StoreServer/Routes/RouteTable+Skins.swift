import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreSkins
import StoreSystem
import StoreXML

extension RouteTable {
    /// `/v1/skins` and `/v1/skin`: the skins that are there, and the one in use.
    mutating func addSkins(_ manager: StoreManager) {
        get(
            "/v1/skins",
            Endpoint("skins", "The skins that are there, and which is in use.", .ok("SkinList", "By identifier."))
        ) { request in
            try request.answer(SkinList(manager))
        }
        get(
            "/v1/skins/:id",
            Endpoint(
                "skin", "What a skin says, with everything that it inherits.", .idiom, .ok("SkinValues", "The skin."),
                problems: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return try request.answer(skin.values(address: skin.address))
        }
        get(
            "/v1/skins/:id/css",
            Endpoint(
                "skinStyleSheet", "A skin as a style sheet for web pages.", .idiom + [.assets],
                .ok(.text(type: "text/css"), "The value of operation OP on identifier ID is the property `--ID-OP`."),
                problems: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return request.answer(css: WebStyleSheet(skin, address: request.address(of: skin)).text)
        }
        get(
            "/v1/skins/:id/gtk",
            Endpoint(
                "skinGTKStyleSheet", "A skin as a style sheet for GTK 3 and 4.", .idiom,
                .ok(.text(type: "text/css"), "Images are files of this machine."), problems: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return request.answer(css: GTKStyleSheet(skin, address: skin.fileAddress).text)
        }
        addFilesOfSkins(manager)
        addSkinInUse(manager)
        addWorkOnSkins(manager)
    }

    private mutating func addFilesOfSkins(_ manager: StoreManager) {
        get(
            "/v1/skins/:id/files/**",
            Endpoint(
                "skinFile", "A file of a skin, such as an image.",
                [.query("version", .name, "Of the skin: only as long as that is the one that is here.")] + .ofFiles,
                .ok(.file, "The file."), .partialContent, .rangeNotSatisfiable,
                problems: [.skinMissing, .packReplaced, .resourceUnknown])
        ) { request in
            let identifier = try request.identifier()
            guard let skin = manager.skins.skins.first(where: { $0.information.identifier == identifier }) else {
                throw ErrorReport(code: .skinMissing, message: "There is no skin '\(identifier)'.")
            }
            if let version = request.query("version"), version != skin.information.version?.text {
                throw ErrorReport(
                    code: .packReplaced, message: "The skin '\(identifier)' is of another version. Read it again.")
            }
            return try await request.file(of: Directory.open(skin.path))
        }
    }

    private mutating func addSkinInUse(_ manager: StoreManager) {
        get("/v1/skin", Endpoint("skinInUse", "Which skin is in use.", .ok("SkinUse", "The one in use."))) { request in
            try request.answer(manager.skins.skinUse)
        }
        on(
            .put, "/v1/skin",
            Endpoint(
                "useSkin", "Uses a skin from now on.", body: "SkinRequest", .ok("SkinUse", "It is applied."),
                problems: ErrorCode.ofSkins)
        ) { request in
            try await manager.skins.use(request.body(SkinRequest.self).identifier)
            return try .json(manager.skins.skinUse)
        }
        on(
            .delete, "/v1/skin",
            Endpoint(
                "resetSkin", "Uses the default skin again.", .ok("SkinUse", "It is applied."),
                problems: ErrorCode.ofSkins)
        ) { _ in
            try await manager.skins.use(nil)
            return try .json(manager.skins.skinUse)
        }
        get(
            "/v1/skin/css",
            Endpoint(
                "skinInUseStyleSheet", "The skin in use as a style sheet for web pages.", [.assets],
                .ok(.text(type: "text/css"), "As of any skin."))
        ) { request in
            let skin = manager.skins.skin
            return request.answer(css: WebStyleSheet(skin, address: request.address(of: skin)).text)
        }
        get(
            "/v1/skin/page",
            Endpoint(
                "skinPage", "A page that shows every part of a chat in the skin in use, and follows its changes.",
                .ok(.text(type: "text/html"), "The page."))
        ) { request in
            request.answer(
                Data(ChatPage.html(styleSheet: "css", events: "../events").utf8), type: "text/html; charset=utf-8")
        }
    }

    private mutating func addWorkOnSkins(_ manager: StoreManager) {
        on(
            .post, "/v1/skins/:id/compile",
            Endpoint(
                "compileSkin", "Makes the compiled form of a skin anew, for every idiom.",
                .ok("SkinReport", "What was not understood and left out."), problems: ErrorCode.ofSkins)
        ) { request in
            try .json(SkinReport(await manager.skins.compile(request.identifier())))
        }
        on(
            .post, "/v1/skin/check",
            Endpoint(
                "checkSkin", "Looks at a skin in a folder of this machine, whether or not it is installed.",
                body: "SkinCheckRequest", .ok("SkinReport", "What is not understood."),
                problems: [.fileMissing, .fileDenied, .fileFailed] + ErrorCode.ofSkins)
        ) { request in
            let folder = try await request.body(SkinCheckRequest.self).folder
            return try .json(SkinReport(await manager.skins.check(folderAt: folder)))
        }
    }
}

extension APIRequest {
    /// The skin of the path, for the idiom of the query.
    fileprivate func skin(_ manager: StoreManager) async throws -> ResolvedSkin {
        try await manager.skins.resolved(identifier(), for: query("idiom").flatMap { SkinIdiom(named: $0) })
    }

    fileprivate func answer(css: String) -> Response { answer(Data(css.utf8), type: "text/css; charset=utf-8") }

    /// Where whoever asks finds images.
    fileprivate func address(of skin: ResolvedSkin) -> @Sendable (SkinAsset) -> String {
        query("assets") == "files" ? skin.fileAddress : skin.address
    }
}

extension [Parameter] {
    fileprivate static let idiom = [
        Parameter.query("idiom", Components.idiom, "The kind of device; the setting `skins.idiom` unless given.")
    ]
}

extension Parameter {
    fileprivate static let assets = Parameter.query(
        "assets", .words(["interface", "files"]),
        "Whether images are named by their addresses here, or by those of their files on this machine.")
}

extension SkinList {
    init(_ manager: StoreManager) {
        let inUse = manager.skins.status.inUse
        self.init(
            use: manager.skins.skinUse,
            skins: manager.skins.skins.map { skin in
                SkinSummary(
                    identifier: skin.information.identifier, name: skin.information.name,
                    version: skin.information.version, parent: skin.information.parent,
                    origin: skin.origin == .purchased ? .purchased : .preinstalled,
                    inUse: skin.information.identifier == inUse, path: skin.path)
            },
            unreadable: manager.skins.unreadable.sorted { $0.key < $1.key }
                .map { UnreadableSkin(path: $0.key, error: $0.value) })
    }
}

extension SkinReport {
    fileprivate init(_ warnings: [SkinWarning]) {
        self.init(
            warnings: warnings.map {
                Warning(code: $0.code.word, skin: $0.skin, file: $0.file, line: $0.line, message: $0.message)
            })
    }
}

extension ErrorCode {
    /// What keeps a skin from being read.
    static let ofSkins: [ErrorCode] = [
        .skinMissing, .skinBadInformation, .skinTooLarge, .skinParentLoop, .skinParentMissing, .skinCompiledTooLarge,
        .xmlNotUTF8, .xmlMalformed, .xmlDoctype, .xmlEntity, .xmlTooLarge, .xmlFailed,
    ]
}
