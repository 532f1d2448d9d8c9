import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreEngine
import StoreImages
import StoreModel
import StoreOpenAPI
import StoreSkins
import StoreSystem

extension RouteTable {
    /// Adds the HTTP routes below `/v1/skins` and `/v1/skin`: the available skins, and the skin in use.
    mutating func addSkins(_ manager: StoreManager) {
        get(
            "/v1/skins",
            Endpoint(
                "skins", "The available skins, and the one in use.",
                .ok(SkinList.self, "The skins, in the order of their identifiers."))
        ) { request in
            try request.response(SkinList(await manager.skins.listing(), manager))
        }
        get(
            "/v1/skins/:id",
            Endpoint(
                "skin", "A skin's values, inherited ones included.", .skin + .idiom,
                .ok(SkinValues.self, "The values."),
                errors: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return try request.response(LargeDocument(skin, address: skin.address))
        }
        get(
            "/v1/skins/:id/css",
            Endpoint(
                "skinStyleSheet", "A skin as a style sheet for web pages.", .skin + .idiom + [.assets],
                .ok(
                    .webStyleSheet,
                    "The value of the operation OP on the identifier ID is the custom property `--ID-OP`."),
                errors: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return request.response(css: WebStyleSheet(skin, address: request.address(of: skin)).text)
        }
        get(
            "/v1/skins/:id/gtk",
            Endpoint(
                "skinGTKStyleSheet", "A skin as a style sheet for GTK 3 and 4.", .skin + .idiom,
                .ok(
                    .text(
                        mediaType: "text/css",
                        example: "#bubble_in_text { background-color: rgba(43, 45, 49, 1.0); }\n"),
                    "The style sheet. Images are file URLs."), errors: ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            return request.response(css: GTKStyleSheet(skin, address: skin.fileAddress).text)
        }
        addSkinPictures(manager)
        addSkinFiles(manager)
        addSkinInUse(manager)
        addSkinActions(manager)
    }

    /// Adds the HTTP routes that show a skin which need not be in use.
    private mutating func addSkinPictures(_ manager: StoreManager) {
        get(
            "/v1/skins/:id/picture",
            Endpoint(
                "skinPicture",
                "A picture of a chat in a skin: an SVG that has the images of the skin in itself, and loads nothing.",
                .skin + .idiom + .skinVersion, .ok(.image, "The picture."),
                errors: [.packReplaced] + ErrorCode.ofSkins)
        ) { request in
            let skin = try await request.skin(manager)
            try request.requireVersion(skin.version, of: skin.identifier)
            let picture = try await manager.skins.picture(of: skin)
            return request.response(
                Data(picture.svg.utf8), mediaType: ImageFormat.svg.mediaType, headers: .untrustedContent)
        }
        get(
            "/v1/skins/:id/page",
            Endpoint(
                "pageOfSkin", "A page that shows every component of a chat in a skin, whichever is in use.", .skin,
                .ok(.text(mediaType: "text/html", example: Self.beginningOfPage), "The page."),
                errors: ErrorCode.ofSkins)
        ) { request in
            // A style sheet that is missing would look as if the skin had no values.
            _ = try await manager.skins.resolved(request.identifier())
            return request.response(
                Data(ChatPage.html(styleSheet: "css", events: nil).utf8), mediaType: "text/html; charset=utf-8")
        }
    }

    /// Adds the HTTP routes for the files of skins, such as images.
    private mutating func addSkinFiles(_ manager: StoreManager) {
        get(
            "/v1/skins/:id/files/**",
            Endpoint(
                "skinFile", "A file of a skin, such as an image.",
                .skin + .skinVersion + .ofFiles,
                .ok(.file, "The file."), .partialContent(.file),
                errors: [.skinMissing, .packReplaced, .servedFileMissing, .requestRange])
        ) { request in
            try await request.fileResponse { try Directory.open(request.skinDirectory(manager)) }
        }
    }

    /// Adds the HTTP routes below `/v1/skin`: the skin in use.
    private mutating func addSkinInUse(_ manager: StoreManager) {
        get(
            "/v1/skin", Endpoint("skinInUse", "The skin in use.", .ok(SkinUse.self, "The skin in use."))
        ) { request in
            try request.response(manager.skins.skinUse)
        }
        on(
            .put, "/v1/skin",
            Endpoint(
                "useSkin", "Applies a skin.", body: SkinRequest.self, .ok(SkinUse.self, "The skin is applied."),
                errors: [.productBusy] + ErrorCode.ofSkins)
        ) { request in
            try .json(await manager.useSkin(request.body(SkinRequest.self).identifier))
        }
        on(
            .delete, "/v1/skin",
            Endpoint(
                "resetSkin", "Applies the default skin.", .ok(SkinUse.self, "The default skin is applied."),
                errors: [.productBusy] + ErrorCode.ofSkins)
        ) { _ in
            try .json(await manager.useSkin(nil))
        }
        get(
            "/v1/skin/css",
            Endpoint(
                "skinInUseStyleSheet", "The skin in use as a style sheet for web pages.", [.assets],
                .ok(.webStyleSheet, "The style sheet, as that of any skin."), errors: ErrorCode.ofSkins)
        ) { request in
            let (skin, status) = (manager.skins.skin, manager.skins.status)
            // An empty style sheet would look as if the skin had no values.
            if status.inUse == nil { throw status.problem ?? ErrorReport(StoreError(.noSkinInUse)) }
            return request.response(css: WebStyleSheet(skin, address: request.address(of: skin)).text)
        }
        get(
            "/v1/skin/page",
            Endpoint(
                "skinPage", "A page that shows every component of a chat in the skin in use, and follows its changes.",
                .ok(.text(mediaType: "text/html", example: Self.beginningOfPage), "The page."))
        ) { request in
            request.response(
                Data(ChatPage.html(styleSheet: "css", events: "../events").utf8), mediaType: "text/html; charset=utf-8")
        }
    }

    /// The first lines of the page that shows a skin, for the OpenAPI document.
    private static let beginningOfPage = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        """

    /// Adds the HTTP routes that compile and check skins.
    private mutating func addSkinActions(_ manager: StoreManager) {
        on(
            .post, "/v1/skins/:id/compile",
            Endpoint(
                "compileSkin", "Compiles a skin again, for every idiom.", .skin,
                .ok(SkinReport.self, "The parts that were not understood and are ignored."), errors: ErrorCode.ofSkins)
        ) { request in
            try .json(SkinReport(await manager.skins.compile(request.identifier())))
        }
        on(
            .post, "/v1/skin/check",
            Endpoint(
                "checkSkin", "Checks a skin in a directory of this machine, installed or not.",
                body: SkinCheckRequest.self, .ok(SkinReport.self, "The parts that are not understood."),
                errors: [.fileMissing, .fileDenied, .fileFailed] + ErrorCode.ofSkins)
        ) { request in
            let folder = try await request.body(SkinCheckRequest.self).folder
            return try .json(SkinReport(await manager.skins.check(directoryAt: folder)))
        }
    }
}

extension APIRequest {
    /// Returns the skin that the path of the HTTP request names, for the device idiom (device type) in the query.
    fileprivate func skin(_ manager: StoreManager) async throws -> ResolvedSkin {
        try await manager.skins.resolved(identifier(), for: idiom)
    }

    /// The device idiom in the query; `nil` if there is none.
    fileprivate var idiom: SkinIdiom? { query("idiom").flatMap { SkinIdiom(named: $0) } }

    /// Returns the path of the directory of the skin that the path of the HTTP request names, in the version in the query.
    fileprivate func skinDirectory(_ manager: StoreManager) throws -> String {
        let identifier = try identifier()
        guard let skin = manager.skins.skins.first(where: { $0.information.identifier == identifier }) else {
            throw ErrorReport(code: .skinMissing, message: "there is no skin '\(identifier)'")
        }
        try requireVersion(skin.information.version, of: identifier)
        return skin.path
    }

    /// Checks that a skin has the version in the query, if there is one.
    ///
    /// - Throws: `pack.replaced`.
    fileprivate func requireVersion(_ installed: Version?, of identifier: String) throws {
        if let version = query("version"), version != installed?.text {
            throw ErrorReport(
                code: .packReplaced, message: "the skin '\(identifier)' has another version now",
                hint: "read the skin again")
        }
    }

    fileprivate func response(css: String) -> Response {
        response(Data(css.utf8), mediaType: "text/css; charset=utf-8")
    }

    /// Returns a function that forms the URLs of the skin's images in the way that the request's query selects.
    fileprivate func address(of skin: ResolvedSkin) -> @Sendable (SkinAsset) -> String {
        query("assets") == "files" ? skin.fileAddress : skin.address
    }
}

extension LargeDocument {
    /// Creates the document of a skin's values: the members of a `SkinValues`, in the order of their names.
    ///
    /// - Parameter address: returns the URL of an asset for readers of the document.
    init(_ skin: ResolvedSkin, address: @escaping @Sendable (SkinAsset) -> String) throws {
        self.init()
        try add("format", SkinValues.format)
        try addObject("identifiers", count: skin.count) { range in
            var members: [String: SkinValues.Entity] = [:]
            for index in range {
                guard let (identifier, entity) = skin.values(at: index, address: address) else { continue }
                members[identifier] = entity
            }
            return members
        }
        try add("idiom", skin.idiom.name)
        try add("inherits", skin.chain.dropFirst().map(\.reference))
        try add("skin", skin.reference)
    }
}

extension EndpointResponse.Content {
    /// The content of a response with a skin's style sheet for web pages.
    fileprivate static let webStyleSheet = EndpointResponse.Content.text(
        mediaType: "text/css",
        example: """
            :root {
              --bubble_in_text-backgroundColor: #2b2d31;
            }
            [data-skin="bubble_in_text"] { background-color: var(--bubble_in_text-backgroundColor); }

            """)
}

extension [Parameter] {
    fileprivate static let skin = [
        Parameter.path(
            "id", .nonEmptyText, "The identifier of a skin.", example: .string(SkinRequest.example.identifier))
    ]
    fileprivate static let skinVersion = [
        Parameter.query("version", .nonEmptyText, "The version of the skin: nothing of another version is returned.")
    ]
    fileprivate static let idiom = [
        Parameter.query("idiom", .skinIdiom, "The device class; by default that of the setting `skins.idiom`.")
    ]
}

extension Parameter {
    fileprivate static let assets = Parameter.query(
        "assets", .enumeration(["interface", "files"]),
        "Whether the addresses of images are paths of this interface, or file URLs.")
}

extension SkinList {
    fileprivate init(_ listing: SkinsManager.Listing, _ manager: StoreManager) {
        let inUse = manager.skins.status.inUse
        self.init(
            use: manager.skins.skinUse,
            skins: listing.skins.map { skin in
                SkinSummary(
                    identifier: skin.information.identifier, name: skin.information.name,
                    version: skin.information.version, parent: skin.information.parent,
                    origin: skin.origin == .purchased ? .purchased : .preinstalled,
                    inUse: skin.information.identifier == inUse, path: skin.path)
            },
            unreadable: listing.errors.sorted { $0.key < $1.key }.map { UnreadableSkin(path: $0.key, error: $0.value) })
    }
}

extension SkinsManager.Listing {
    /// The errors of directories that are no skins, and of skins that can't be loaded, by the directory's path.
    fileprivate var errors: [String: ErrorReport] {
        skins.reduce(into: unreadable) { errors, skin in errors[skin.path] = defects[skin.information.identifier] }
    }
}

extension SkinReport {
    fileprivate init(_ warnings: [SkinWarning]) {
        self.init(
            warnings: warnings.map {
                Warning(code: $0.code.rawValue, skin: $0.skin, file: $0.file, line: $0.line, message: $0.message)
            })
    }
}
