import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreEngine
import StoreLibrary
import StoreModel
import StoreOpenAPI
import StoreStickers

extension RouteTable {
    /// Adds the HTTP route for thumbnails of the images in packs.
    mutating func addThumbnails(_ manager: StoreManager) {
        get(
            "/v1/packs/:id/thumbnails/**",
            Endpoint(
                "packThumbnail",
                "A small version of an image in a pack, such as a sticker, a cover or a sprite, as a WebP. It is made when it is first requested, and not larger "
                    + "than the image. Where none can be made, as of an SVG, the response is the image itself, and "
                    + "`Content-Location` its path.",
                [
                    .thumbnailSize("The maximum width and height in pixels; 128 by default."),
                    .isThumbnailAnimated,
                    .query(
                        "operation", .nonEmptyText,
                        "The `operation` of a pack: only images of the version that it installed, which are available "
                            + "while that is the installed or the previous version."),
                ] + .ofFiles, .ok(.image, "The thumbnail, or the image."), .partialContent(.image),
                errors: [
                    .packMissing, .packReplaced, .servedFileMissing, .requestRange, .thumbnailFailed,
                    .thumbnailUnavailable,
                ])
        ) { request in
            let size = try request.thumbnailSize()
            let operation = request.query("operation").map(OperationID.init(rawValue:))
            let identifier = try request.identifier()
            return try await FileResponse.withPackFile(request.packFilePath()) {
                try await manager.packs.directory(of: identifier, operation: operation)
            } _: { file in
                try await request.thumbnail(of: file, size ?? .medium, manager.thumbnails) {
                    let segments = file.path.split(separator: "/").map { PathSegment.encode(String($0)) }
                    return "/v1/packs/\(PathSegment.encode(identifier))/files/" + segments.joined(separator: "/")
                        + (operation.map { "?operation=" + PathSegment.encode($0.rawValue) } ?? "")
                }
            }
        }
    }

    /// Adds the HTTP route for contact sheets of sticker packs.
    mutating func addContactSheets(_ manager: StoreManager) {
        get(
            "/v1/stickers/:id/sheet",
            Endpoint(
                "stickerSheet", "A contact sheet of a sticker pack: a PNG with its stickers in a grid, at most 500.",
                .ok(.image, "The contact sheet."),
                errors: [.packMissing, .badInformation, .contactSheetEmpty, .thumbnailFailed, .thumbnailUnavailable])
        ) { request in
            let identifier = try request.identifier()
            let sheet = try await request.cancelledOnClose {
                try await manager.stickers.contactSheet(of: identifier)
            }
            return request.response(sheet, mediaType: "image/png", headers: .untrustedContent)
        }
    }
}

extension Parameter {
    /// The query parameter with the size of a thumbnail.
    static func thumbnailSize(_ summary: String) -> Parameter {
        .query("size", .enumeration(ThumbnailSize.allCases.map { String($0.pixels) }), summary)
    }

    /// The query parameter by which the thumbnail of an animated image is animated.
    static let isThumbnailAnimated = Parameter.query(
        "animated", .boolean,
        "Whether the thumbnail of an animated WebP, GIF, TGS or WebM is animated, if it would not be too large. It shows "
            + "the first frame otherwise, and always that of an animated PNG: show the image itself to have it animated."
    )

    /// The query parameter by which a route of an image returns a thumbnail instead.
    static let optionalThumbnailSize = thumbnailSize(
        "The maximum width and height of a thumbnail in pixels, which is returned in place of the image where one can be "
            + "made: a WebP without animation.")
}

extension APIRequest {
    /// Returns the size of a thumbnail that the request asks for; `nil` if it names none.
    ///
    /// - Throws: `request.malformed`.
    fileprivate func thumbnailSize() throws -> ThumbnailSize? {
        try query("size", expected: "64, 128 or 256") { Int($0).flatMap(ThumbnailSize.init(rawValue:)) }
    }

    /// Returns the HTTP response with a thumbnail of a pack's file; with the image itself where none can be made.
    ///
    /// - Parameter address: returns the address of the image itself.
    /// - Throws: `request.file` if there is no such file; `thumbnail.failed` or `thumbnail.unavailable` if it is no image.
    fileprivate func thumbnail(
        of file: FileResponse, _ size: ThumbnailSize, _ maker: ThumbnailMaker, address: () -> String
    ) async throws -> Response {
        let mediaType = try await file.mediaType()
        do {
            let isAnimated = flag("animated")
            let thumbnail = try await cancelledOnClose {
                try await maker.thumbnail(of: file.path, in: file.directory, size: size, isAnimated: isAnimated)
            }
            return response(thumbnail.data, mediaType: thumbnail.mediaType, headers: .untrustedContent)
        } catch let error as StoreError where error.code == .thumbnailFailed || error.code == .thumbnailUnavailable {
            guard mediaType.hasPrefix("image/") else { throw error }
            var response = try await file.response(to: httpRequest)
            response.headers[.contentLocation] = address()
            return response
        } catch let error as StoreError where error.code == .fileMissing {
            // It was deleted after its media type was read.
            throw StoreError(.servedFileNotFound, ["path": .untrusted(file.path)], cause: error)
        }
    }

    /// Returns a thumbnail of an image if the request names its size, and one can be made; else the image itself.
    ///
    /// - Parameter isAnimated: whether the thumbnail of an animated image is animated.
    func thumbnail(
        insteadOf image: (data: Data, mediaType: String), isAnimated: Bool = false, _ manager: StoreManager
    ) async throws -> (data: Data, mediaType: String) {
        guard let size = try thumbnailSize() else { return image }
        let data = image.data
        do {
            let thumbnail = try await cancelledOnClose {
                try await manager.thumbnails.thumbnail(of: data, size: size, isAnimated: isAnimated)
            }
            return (thumbnail.data, thumbnail.mediaType)
        } catch let error as StoreError where error.code == .thumbnailFailed || error.code == .thumbnailUnavailable {
            return image
        }
    }
}
