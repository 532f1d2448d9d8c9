import Hummingbird
import StoreAPI
import StoreEmoji
import StoreEngine
import StoreLibrary
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes below `/v1/emoji`: the installed emoji sets with their emoji and images.
    mutating func addEmoji(_ manager: StoreManager) {
        get(
            "/v1/emoji",
            Endpoint(
                "emojiSets", "All emoji sets.",
                .ok(EmojiSetList.self, "The emoji sets, in the order of their directories."))
        ) { request in
            try request.response(EmojiSetList(sets: await manager.emoji.sets()))
        }
        get(
            "/v1/emoji/:id",
            Endpoint("emojiSet", "One emoji set.", .ok(EmojiSet.self, "The emoji set."), errors: [.packMissing])
        ) { request in
            try request.response(await manager.emoji.set(request.identifier()))
        }
        addEmojiLookups(manager)
        addEmojiSetInUse(manager)
        on(
            .post, "/v1/emoji-text",
            Endpoint(
                "emojiInText",
                "Where emoji, emoticons such as `:-)` and shortcodes such as `:smile:` are in the text of a message; at each "
                    + "position the longest. Shortcodes are the usual names, and the English names of the set in use. An emoticon or "
                    + "shortcode does not begin directly after a letter, a digit or `/`. An emoticon ends at the end of the "
                    + "text, or before white space, an emoji, or one of `. , ! ? ; ) ] \" ' * _ ~`; a shortcode ends with its "
                    + "second colon, whatever follows.",
                body: MessageTextRequest.self,
                .ok(MessageTextDocument<EmojiTextSpan>.self, "The places, with the images of the set in use.")
            ).readOnly()
        ) { request in
            let body = try await request.body(MessageTextRequest.self)
            let unit = body.unit ?? .utf16
            return try .json(
                MessageTextDocument(unit: unit, spans: await manager.emoji.spans(in: body.text, unit: unit)))
        }
    }

    /// Adds the HTTP routes for the images, the categories and the search of an emoji set.
    private mutating func addEmojiLookups(_ manager: StoreManager) {
        get(
            "/v1/emoji/:id/images/:number",
            Endpoint(
                "emojiImage", "The image of an emoji, whether it is in a file of its own or in the compiled file.",
                [
                    .path("number", .count, "The position in the list of emoji, counted from 0.", example: 0),
                    .query(
                        "operation", .nonEmptyText,
                        "The `operation` of an emoji set: only images of the version that it installed, which are "
                            + "available while that is the installed or the previous version."),
                    .optionalThumbnailSize,
                ],
                .ok(.image, "The image, of the media type of its content."),
                errors: [.packMissing, .packReplaced, .packByHand, .servedFileMissing, .imageUnknown])
        ) { request in
            let image = try await manager.emoji.image(
                request.number("number"), of: request.identifier(),
                operation: request.query("operation").map(OperationID.init(rawValue:)))
            let (data, mediaType) = try await request.thumbnail(insteadOf: image, manager)
            return request.response(data, mediaType: mediaType, headers: .untrustedContent)
        }
        get(
            "/v1/emoji/:id/pictures/:emoji",
            Endpoint(
                "emojiPicture",
                "The image of an emoji, whether the set has it with variation selectors or not. An emoji whose skin tones the "
                    + "set lacks has the image without skin tones.",
                [
                    .path(
                        "emoji", .nonEmptyText,
                        "The emoji itself, or its code points in hexadecimal, such as `1f468-200d-1f33e`.",
                        example: "1f642"),
                    .optionalThumbnailSize,
                ],
                .ok(.image, "The image, of the media type of its content."),
                errors: [.emojiSetMissing, .emojiMissing, .emojiInvalid, .imageUnknown])
        ) { request in
            let picture = try await manager.emoji.picture(of: request.emoji(), in: request.identifier())
            let (data, mediaType) = try await request.thumbnail(
                insteadOf: (picture.data, picture.mediaType), manager)
            return request.response(data, mediaType: mediaType, headers: .untrustedContent)
        }
        get(
            "/v1/emoji/:id/categories",
            Endpoint(
                "emojiCategories", "The categories of an emoji set, in the order of a picker.",
                .ok(EmojiCategoryList.self, "The categories."), errors: [.emojiSetMissing])
        ) { request in
            try request.response(
                EmojiCategoryList(categories: await manager.emoji.categories(of: request.identifier())))
        }
        get(
            "/v1/emoji/:id/search",
            Endpoint(
                "searchEmoji", "The emoji that have all words of a query in their names or keywords.",
                [
                    .query(
                        "words", .text, "Words, of which the last may be the beginning of one; or an emoji."),
                    .query("limit", .integer(in: 1...1000), "The maximum number of emoji (default: 100)."),
                ] + .languages,
                .ok(EmojiMatchList.self, "The emoji."), errors: [.emojiSetMissing])
        ) { request in
            let limit = request.query("limit").flatMap { Int($0) } ?? 100
            return try request.response(
                EmojiMatchList(
                    emoji: await manager.emoji.search(
                        request.query("words") ?? "", in: request.identifier(), languages: request.languages,
                        limit: limit)))
        }
    }

    /// Adds the HTTP routes for the emoji set in use.
    private mutating func addEmojiSetInUse(_ manager: StoreManager) {
        get(
            "/v1/emoji-set",
            Endpoint("emojiSetInUse", "The emoji set in use.", .ok(EmojiUse.self, "The set in use."))
        ) { request in
            try request.response(await manager.emoji.use())
        }
        on(
            .put, "/v1/emoji-set",
            Endpoint(
                "useEmojiSet",
                "Makes an emoji set the one in use. The choice is the setting `emoji.set`, whose event reports the change.",
                body: EmojiSetRequest.self, .ok(EmojiUse.self, "The set is in use."),
                errors: [.emojiSetMissing, .productBusy, .settingsInvalid])
        ) { request in
            try .json(await manager.useEmojiSet(request.body(EmojiSetRequest.self).identifier))
        }
        on(
            .delete, "/v1/emoji-set",
            Endpoint(
                "resetEmojiSet", "Uses no emoji set.", .ok(EmojiUse.self, "No set is in use."),
                errors: [.settingsInvalid])
        ) { _ in
            try .json(await manager.useEmojiSet(nil))
        }
    }
}

extension APIRequest {
    /// Returns the emoji that the path of the HTTP request names: itself, or its code points.
    ///
    /// - Throws: `emoji.invalid`.
    fileprivate func emoji() throws -> EmojiSequence {
        let text = try identifier("emoji")
        let points = text.split(separator: "-").joined(separator: " ")
        guard let emoji = EmojiSequence(hexadecimal: points) ?? EmojiSequence(text: text) else {
            throw StoreError(.emojiTextInvalid, ["text": .untrusted(text)])
        }
        return emoji
    }
}
