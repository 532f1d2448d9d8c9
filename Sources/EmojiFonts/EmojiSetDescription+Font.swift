public import StoreEmoji
public import StoreImages
import StoreModel
public import StoreSystem

extension EmojiSetDescription {
    /// Reads the images that a colour font stores for the emoji of an order.
    ///
    /// - Parameters:
    ///   - file: the font file.
    ///   - missing: called with each preferred emoji of the order that the font does not draw as one image.
    ///   - cancellation: checked before each emoji.
    /// - Throws: `emoji.font`; the error of a damaged image, with the emoji; `CancellationError`.
    public init(
        font file: OpenFile, order: EmojiOrder, limits: ImageLimits = ImageLimits(),
        cancellation: CancellationFlag = CancellationFlag(), missing: (EmojiSequence) -> Void = { _ in }
    ) throws {
        let font = try EmojiFont(file, limits: limits)
        self.init(order)
        try updateEach { item in
            try cancellation.check()
            do {
                if case .image(let image) = try font.image(of: item.sequence) { item.images = [image] }
            } catch let error as StoreError {
                throw StoreError(.emojiSourceFile, ["file": .untrusted(item.sequence.hexadecimal())], cause: error)
            }
        }
        for sequence in removeImageless() { missing(sequence) }
    }
}
