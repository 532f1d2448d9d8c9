import StoreEmoji
import StoreModel
public import StoreSystem
public import StoreWorker

extension FontTask {
    /// Reads the images of the task's emoji from a font, and writes them to a file, one after the other.
    ///
    /// - Parameters:
    ///   - font: the font file.
    ///   - output: an empty file for the images.
    ///   - cancellation: checked before each emoji.
    /// - Throws: `emoji.font`; `emoji.too-large`; a file error; `CancellationError`.
    public func run(
        on font: OpenFile, output: OpenFile, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> FontReport {
        let font = try EmojiFont(font, limits: images)
        var size = 0
        let results = try emoji.map { codePoints -> FontReport.Result in
            try cancellation.check()
            guard let sequence = EmojiSequence(codePoints: codePoints) else { return .missing }
            do {
                guard case .image(let image) = try font.image(of: sequence) else { return .missing }
                guard size + image.bytes.count <= FontTask.sizeLimit else {
                    throw StoreError(.emojiFileTooLarge, ["limit": .bytes(FontTask.sizeLimit)])
                }
                try output.write(image.bytes, at: size)
                defer { size += image.bytes.count }
                return .image(size..<(size + image.bytes.count))
            } catch let error as StoreError where error.isImageError {
                return .refused(ErrorReport(error))
            }
        }
        return FontReport(results: results)
    }
}
