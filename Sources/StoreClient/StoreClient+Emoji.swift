public import FoundationEssentials
import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Emoji

    /// Returns the installed emoji sets with their emoji.
    public func emojiSets() async throws -> [EmojiSet] {
        try await get(Resource("emoji"), as: EmojiSetList.self).sets
    }

    /// Returns the installed emoji set of a product, with its emoji.
    public func emojiSet(_ productIdentifier: String) async throws -> EmojiSet {
        try await get(Resource("emoji", productIdentifier))
    }

    /// Returns the image of an emoji, and its media type, such as `image/png`.
    ///
    /// - Parameters:
    ///   - number: the position of the emoji in ``EmojiSet/emoji``, counted from 0.
    ///   - operation: the operation that installed the version of the set; `nil` is the installed version.
    public func emojiImage(
        _ number: Int, of productIdentifier: String, operation: OperationID? = nil
    ) async throws -> (image: Data, mediaType: String?) {
        let resource = Resource("emoji", productIdentifier, "images", String(number))
        return try await content(of: resource.with("operation", operation?.rawValue))
    }

    /// Returns the emoji set in use, and the chosen one if it is not available.
    public func emojiSetInUse() async throws -> EmojiUse { try await get(Resource("emoji-set")) }

    /// Makes an emoji set the one in use.
    ///
    /// - Parameter productIdentifier: the set; `nil` for none.
    public func useEmojiSet(_ productIdentifier: String?) async throws -> EmojiUse {
        guard let productIdentifier else { return try await ask("DELETE", Resource("emoji-set")) }
        return try await ask("PUT", Resource("emoji-set"), body: EmojiSetRequest(identifier: productIdentifier))
    }

    /// Returns the categories of an emoji set, in the order of a picker.
    public func emojiCategories(of productIdentifier: String) async throws -> [EmojiCategory] {
        try await get(Resource("emoji", productIdentifier, "categories"), as: EmojiCategoryList.self).categories
    }

    /// Returns the emoji of a set that have all words of a query in their names or keywords.
    ///
    /// - Parameters:
    ///   - query: words, of which the last may be the beginning of one; or an emoji.
    ///   - limit: the maximum number of emoji; `nil` is 100.
    public func searchEmoji(
        _ query: String, in productIdentifier: String, limit: Int? = nil
    ) async throws -> [EmojiMatch] {
        let resource = Resource("emoji", productIdentifier, "search").with("words", query)
        return try await get(resource.with("limit", limit.map(String.init)), as: EmojiMatchList.self).emoji
    }

    /// Returns the image of an emoji in a set, and its media type, such as `image/png`.
    ///
    /// - Parameter emoji: the emoji, with or without variation selectors, or its code points, such as `1f468-200d-1f33e`.
    public func emojiPicture(
        _ emoji: String, of productIdentifier: String
    ) async throws -> (image: Data, mediaType: String?) {
        return try await content(of: Resource("emoji", productIdentifier, "pictures", emoji))
    }

    /// Returns where emoji, emoticons and shortcodes are in the text of a message.
    ///
    /// ```swift
    /// let spans = try await client.emoji(in: "Hello :-)", unit: .utf16)
    /// // 🙂 at 6..<9
    /// ```
    ///
    /// - Parameter unit: the unit in which positions are counted.
    public func emoji(in text: String, unit: TextUnit = .utf16) async throws -> [EmojiTextSpan] {
        let body = MessageTextRequest(text: text, unit: unit)
        let document: MessageTextDocument<EmojiTextSpan> = try await ask("POST", Resource("emoji-text"), body: body)
        return document.spans
    }
}
