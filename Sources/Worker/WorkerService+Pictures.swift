public import StoreImages
public import StoreModel
public import StoreSystem

extension WorkerService {
    /// A picture that a worker drew, and which was checked afterwards.
    public struct Picture: Sendable {
        /// The bytes of the image file.
        public let bytes: [UInt8]
        /// The properties of the image.
        public let facts: ImageFacts
    }

    /// Has a worker draw a picture, which is checked as any other image and has the format and the size of the task.
    ///
    /// Blocks. No image is decoded in this process: without a confined process there is no picture.
    ///
    /// - Parameter file: the file with the image or images.
    /// - Throws: `thumbnail.failed`, `thumbnail.unavailable`; `CancellationError`.
    public func draw(
        _ task: PictureTask, of file: OpenFile, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> Picture {
        if let obstacle = availability.obstacle {
            throw StoreError(.thumbnailsUnavailable, ["reason": obstacle])
        }
        let output = try OpenFile.inMemory()
        do {
            try run(.draw(task), WorkerFiles(archives: [file], output: output), cancellation).requireDone(nil)
        } catch let error as StoreError where error.errno == nil {
            throw error.ofPicture
        } catch let error where !(error is CancellationError) {
            // An error of the system, such as a lack of file descriptors, says nothing of the image.
            throw StoreError(.thumbnailsUnavailable, ["reason": ErrorReport(error).message])
        }
        let size = try output.status().size
        guard 1...task.sizeLimit ~= size else { throw StoreError(.thumbnailUnexpected) }
        let bytes = try output.read(count: size, at: 0)
        return Picture(bytes: bytes, facts: try task.check(bytes))
    }
}

extension PictureTask {
    /// Checks that an image has the format and the size that the task asks for, and returns its properties.
    ///
    /// - Throws: `thumbnail.failed`.
    public func check(_ picture: [UInt8]) throws(StoreError) -> ImageFacts {
        guard let facts = try? ImageReader(limits: limits).read(picture), allows(facts) else {
            throw StoreError(.thumbnailUnexpected)
        }
        return facts
    }

    /// The limits of the picture, whatever it shows.
    private var limits: ImageLimits {
        var limits = ImageLimits()
        limits.size = sizeLimit
        switch self {
        case .thumbnail(let pixels, let isAnimated):
            limits.pixels = pixels * pixels
            limits.frames = isAnimated ? limits.frames : 1
        case .contactSheet: limits.frames = 1
        }
        return limits
    }

    /// Returns whether a picture has the format and the size that the task asks for.
    private func allows(_ facts: ImageFacts) -> Bool {
        switch self {
        case .thumbnail(let pixels, _):
            return facts.format == .webp && max(facts.width, facts.height) <= pixels
        case .contactSheet(let images, let pixels, let columns):
            let rows = (images.count + columns - 1) / columns
            // With a margin around each cell that is narrower than the cell.
            return facts.format == .png && facts.width <= 2 * pixels * (min(columns, images.count) + 1)
                && facts.height <= 2 * pixels * (rows + 1)
        }
    }
}

extension StoreError {
    /// The error of a worker as that of a worker that draws a picture.
    fileprivate var ofPicture: StoreError {
        if code == .thumbnailFailed { return self }
        let template: ErrorTemplate? =
            switch code {
            case .workerTimeout: .thumbnailTimeout
            case .workerMemory: .thumbnailMemory
            case .workerCrashed: .thumbnailCrashed
            default: nil
            }
        guard let template else { return StoreError(.thumbnailImageInvalid, cause: self) }
        return StoreError(template, arguments)
    }
}
