import StoreModel
public import StoreSystem

/// A validator of images, which checks the structure and compares the size with limits without decoding pixels.
public struct ImageReader: Sendable {
    /// The limits of size and number of frames beyond which an image is rejected.
    public var limits: ImageLimits

    /// Creates a validator that rejects images beyond the given limits.
    public init(limits: ImageLimits = ImageLimits()) { self.limits = limits }

    /// Validates an image in memory, whose format is identified by its first bytes, and returns its properties.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public func read(_ bytes: [UInt8]) throws -> ImageFacts {
        guard let format = ImageFormat(head: bytes.prefix(ImageFormat.headLength)) else {
            throw StoreError(.imageUnknown)
        }
        return try read(bytes, as: format)
    }

    /// Validates an image in memory that must have a given format, and returns its properties.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public func read(_ bytes: [UInt8], as format: ImageFormat) throws -> ImageFacts {
        try read(ImageBytes(bytes), as: format)
    }

    /// Validates an image in a file, which is read in chunks, and returns its properties.
    ///
    /// - Parameters:
    ///   - file: the file, open for reading.
    ///   - head: its first bytes, which were read already; at least ``ImageFormat/headLength``, or all.
    ///   - size: the size of the file in bytes.
    ///   - format: the format, identified by the first bytes.
    /// - Throws: ``StoreError`` with a code `content.…`, or `file.…` if the file can't be read.
    public func read(_ file: OpenFile, head: [UInt8], size: Int, as format: ImageFormat) throws -> ImageFacts {
        try read(ImageBytes(file, head: head, count: size), as: format)
    }

    private func read(_ bytes: ImageBytes, as format: ImageFormat) throws -> ImageFacts {
        do {
            guard bytes.count <= limits.size else {
                throw StoreError(.imageFileTooLarge, ["size": .bytes(bytes.count), "limit": .bytes(limits.size)])
            }
            switch format {
            case .png, .apng: return try PNGReader.read(bytes, limits: limits)
            case .gif: return try GIFReader.read(bytes, limits: limits)
            case .jpeg: return try JPEGReader.read(bytes, limits: limits)
            case .webp: return try WebPReader.read(bytes, limits: limits)
            case .svg: return try SVGReader.read(bytes, limits: limits)
            }
        } catch let error as StoreError where error.isImageError {
            throw StoreError(.imageInvalid, ["format": format.name], cause: error)
        }
    }
}
