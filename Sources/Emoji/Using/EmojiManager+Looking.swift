public import StoreModel

extension EmojiManager {
    // MARK: The set in use

    /// The emoji set in use, or the chosen one and why it is not in use.
    public func use() async -> EmojiUse {
        guard let chosen = chosenSet() else { return EmojiUse(set: nil, chosen: nil) }
        do {
            let pack = try await installedPack(chosen)
            return EmojiUse(set: pack.productIdentifier, version: pack.version, chosen: chosen)
        } catch {
            return EmojiUse(set: nil, chosen: chosen, problem: ErrorReport(error))
        }
    }

    /// Checks that an emoji set can be used: that it is installed and can be read.
    ///
    /// - Throws: `emoji.no-set`; an error of the set's files.
    public func requireUsable(_ productIdentifier: String) async throws {
        _ = try await emoji(of: productIdentifier)
    }

    // MARK: Looking up

    /// Returns the image of an emoji in a set, whether the set has it with variation selectors or not.
    ///
    /// An emoji with a skin tone that the set lacks has the image without skin tones.
    ///
    /// - Parameter set: the product identifier of the set; `nil` for the set in use.
    /// - Throws: `emoji.no-set`; `emoji.not-found`; `content.image-unknown`; an error of the set's files.
    public func picture(of emoji: EmojiSequence, in set: String? = nil) async throws -> EmojiPicture {
        let (identifier, installed) = try await emojiAndIdentifier(of: set)
        return try await work.run {
            guard let number = installed.number(of: emoji), let picture = try installed.image(number) else {
                throw StoreError(
                    .emojiNotFound, ["set": identifier, "emoji": "\(emoji.text) (\(emoji.hexadecimal()))"])
            }
            return picture
        }
    }

    /// Returns the categories of a set with their emoji, in the order of a picker.
    ///
    /// - Parameter set: the product identifier of the set; `nil` for the set in use.
    /// - Throws: `emoji.no-set`; an error of the set's files.
    public func categories(of set: String? = nil) async throws -> [EmojiCategory] {
        let installed = try await emojiAndIdentifier(of: set).emoji
        return try await work.run { installed.categories }
    }

    /// Returns the emoji of a set that have all words of a query in their name or keywords.
    ///
    /// The last word may be the beginning of one. A query that is an emoji finds that emoji.
    ///
    /// - Parameters:
    ///   - set: the product identifier of the set; `nil` for the set in use.
    ///   - languages: the user's languages, the preferred first.
    ///   - limit: the maximum number of results.
    /// - Throws: `emoji.no-set`; an error of the set's files.
    public func search(
        _ query: String, in set: String? = nil, languages: [String] = [], limit: Int = 100
    ) async throws -> [EmojiMatch] {
        let installed = try await emojiAndIdentifier(of: set).emoji
        return try await work.run { installed.search(query, languages: languages, limit: limit) }
    }

    /// Returns where emoji, emoticons and shortcodes are in the text of a message, with the paths of their images.
    ///
    /// Shortcodes are the usual ones, such as `:smile:`, and the English names of the emoji of the set in use, such as
    /// `:grinning_face:`. Without a set in use, the spans have no images.
    ///
    /// - Parameter unit: the unit in which positions are counted.
    public func spans(in text: String, unit: TextUnit) async -> [EmojiTextSpan] {
        guard let identifier = chosenSet(), let installed = try? await emoji(of: identifier) else {
            return EmojiTextScanner().spans(in: text, unit: unit)
        }
        let scanner = EmojiTextScanner(
            shortcode: { Shortcodes.emoji($0) ?? installed.emoji(named: $0) },
            hasImage: { installed.number(of: $0) != nil })
        let spans = try? await work.run {
            scanner.spans(in: text, unit: unit).map { span in
                var span = span
                if let sequence = EmojiSequence(text: span.emoji), installed.number(of: sequence) != nil {
                    let points = sequence.hexadecimal(separator: "-", uppercase: false)
                    span.image = "/v1/emoji/\(Self.encoded(identifier))/pictures/\(points)"
                }
                return span
            }
        }
        return spans ?? []
    }

    private func emojiAndIdentifier(of set: String?) async throws -> (identifier: String, emoji: InstalledEmoji) {
        guard let identifier = set ?? chosenSet() else { throw StoreError(.noEmojiSetInUse) }
        return (identifier, try await emoji(of: identifier))
    }

    /// Returns a text as a component of a URL's path.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || ["-", ".", "_", "~"].contains(scalar)
            if isUnreserved {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
