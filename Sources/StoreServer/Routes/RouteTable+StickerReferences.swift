import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes for references to stickers in messages.
    mutating func addStickerReferences(_ manager: StoreManager) {
        get(
            "/v1/stickers/:id/:sticker/reference",
            Endpoint(
                "stickerReference", "A reference to a sticker, for a message.", [.sticker],
                .ok(StickerReferenceDocument.self, "The reference."),
                errors: [.packMissing, .stickerMissing, .stickerNotReferable])
        ) { request in
            let reference = try await manager.stickerReferences.reference(to: request.stickerName())
            return try request.response(StickerReferenceDocument(reference: reference.text))
        }
        on(
            .post, "/v1/sticker-text",
            Endpoint(
                "stickersInText",
                "Where references to stickers are in the text of a message. A reference does not begin directly after a "
                    + "letter, a digit, `_` or `-`; a full stop behind it belongs to the text. Nothing is looked up.",
                body: MessageTextRequest.self,
                .ok(MessageTextDocument<StickerReferenceSpan>.self, "The places, with the references to resolve.")
            ).readOnly()
        ) { request in
            let body = try await request.body(MessageTextRequest.self)
            let unit = body.unit ?? .utf16
            return try .json(
                MessageTextDocument(unit: unit, spans: StickerReference.spans(in: body.text, unit: unit)))
        }
        get(
            "/v1/stickers/resolve",
            Endpoint(
                "resolveSticker",
                "What a reference in a message stands for. Nothing is fetched, unless the setting "
                    + "`stickers.fetchAutomatically` allows it. `/v1/sticker-text` finds the references in a text.",
                [
                    .requiredQuery(
                        "reference", .nonEmptyText, "The reference alone, as the message has it.",
                        example: .string(StickerReferenceDocument.example.reference))
                ],
                .ok(StickerResolution.self, "What can be shown."), errors: [.stickerReferenceMalformed])
        ) { request in
            let reference = try StickerReference(parsing: request.query("reference") ?? "")
            return try request.response(await manager.stickerReferences.resolve(reference))
        }
        on(
            .post, "/v1/stickers/resolve",
            Endpoint(
                "fetchSticker",
                "Fetches the sticker that a reference stands for, at the user's request, and nothing else of its pack.",
                body: StickerFetchRequest.self,
                .ok(example: StickerResolution.exampleOfFetched, "The sticker is on this machine."),
                errors: [
                    .stickerReferenceMalformed, .stickerUnavailable, .stickerArchiveTooLarge, .transferRangeMismatch,
                ] + ErrorCode.ofTransfers + ErrorCode.ofSingleStickers)
        ) { request in
            let reference = try await StickerReference(
                parsing: request.body(StickerFetchRequest.self).reference)
            return try .json(
                await request.cancelledOnClose { try await manager.stickerReferences.fetch(reference) })
        }
        get(
            "/v1/stickers/cached/:sha256",
            Endpoint(
                "cachedSticker", "The image of a sticker that was fetched without its pack.",
                [
                    .path(
                        "sha256", .nonEmptyText, "The hash of the image, in hexadecimal.",
                        example: .string(SHA256Digest(of: []).hex)),
                    .thumbnailSize(
                        "The maximum width and height of a thumbnail in pixels, a WebP, which is returned in place of the "
                            + "image where one can be made."),
                    .isThumbnailAnimated,
                ],
                .ok(.image, "The image, of the media type of its content."), errors: [.servedFileMissing])
        ) { request in
            let text = try request.identifier("sha256")
            guard let sha256 = SHA256Digest(hex: text), sha256.hex == text,
                let image = await manager.stickerReferences.cachedImage(sha256)
            else { throw StoreError(.stickerNotCached, ["sha256": .untrusted(text)]) }
            let (data, mediaType) = try await request.thumbnail(
                insteadOf: image, isAnimated: request.flag("animated"), manager)
            return request.response(data, mediaType: mediaType, headers: .untrustedContent)
        }
    }
}

extension StickerReference {
    /// Parses a reference in a request.
    ///
    /// - Throws: `sticker.malformed-reference`.
    fileprivate init(parsing text: String) throws(StoreError) {
        guard let reference = StickerReference(text: text) else {
            throw StoreError(.referenceMalformed, ["reference": .untrusted(text)])
        }
        self = reference
    }
}
