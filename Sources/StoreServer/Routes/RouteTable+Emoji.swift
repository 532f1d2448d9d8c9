import Hummingbird
import StoreAPI
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
                ],
                .ok(.image, "The image, of the media type of its content."),
                errors: [.packMissing, .packReplaced, .packByHand, .servedFileMissing, .imageUnknown])
        ) { request in
            let (data, mediaType) = try await manager.emoji.image(
                request.number("number"), of: request.identifier(),
                operation: request.query("operation").map(OperationID.init(rawValue:)))
            return request.response(data, mediaType: mediaType, headers: .untrustedContent)
        }
    }
}
