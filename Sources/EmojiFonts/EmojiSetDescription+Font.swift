public import StoreEmoji
public import StoreImages
public import StoreModel
public import StoreSystem
public import StoreWorker

extension EmojiSetDescription {
    /// Reads the images that a colour font stores for the emoji of an order.
    ///
    /// Images that are damaged, beyond the limits, or have active content, as an SVG can, are left out.
    ///
    /// - Parameters:
    ///   - file: the font file.
    ///   - worker: has a confined process read the font; `nil` reads it in this process.
    ///   - missing: called with each preferred emoji of the order that the font does not draw as one image.
    ///   - refused: called with each preferred emoji whose image is left out, and the reason.
    ///   - cancellation: checked before each emoji.
    /// - Throws: `emoji.font`, also if no image is left; `emoji.too-large`; `worker.crashed`, `worker.timeout`,
    ///   `worker.memory`, `worker.unavailable`; `CancellationError`.
    public init(
        font file: OpenFile, order: EmojiOrder, limits: ImageLimits = ImageLimits(), worker: WorkerService? = nil,
        cancellation: CancellationFlag = CancellationFlag(), missing: (EmojiSequence) -> Void = { _ in },
        refused: (EmojiSequence, ErrorReport) -> Void = { _, _ in }
    ) throws {
        self.init(order)
        let task = FontTask(emoji: items.map { $0.sequence.scalars.map(\.value) }, images: limits)
        let output = try OpenFile.inMemory()
        let report =
            try worker?.readFont(task, of: file, output: output, cancellation: cancellation)
            ?? task.run(on: file, output: output, cancellation: cancellation)
        var results = report.results.makeIterator()
        try updateEach { item in
            switch results.next() {
            case .image(let range):
                do {
                    // Checked here, too: a confined process may have been under the control of the font.
                    let bytes = try output.read(count: range.count, at: range.lowerBound)
                    item.images = [try EmojiImage(bytes, limits: limits)]
                } catch let error as StoreError where error.isImageError {
                    refused(item.sequence, ErrorReport(error))
                }
            case .refused(let reason): refused(item.sequence, reason)
            case .missing, nil: missing(item.sequence)
            }
        }
        _ = removeImageless()
        guard !groups.isEmpty else { throw StoreError(.emojiFontWithoutEmoji) }
    }
}
