import StoreModel
public import StoreSystem

/// Tells what an image is, and that it is whole and within limits, by its structure: no pixel is decoded.
public struct ImageReader: Sendable {
    public var limits: ImageLimits

    public init(limits: ImageLimits = ImageLimits()) { self.limits = limits }

    /// An image in memory, of the format that its first bytes tell.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public func read(_ bytes: [UInt8]) throws -> ImageFacts {
        guard let format = ImageFormat(head: bytes.prefix(ImageFormat.headLength)) else {
            throw StoreError(.imageUnknown)
        }
        return try read(bytes, as: format)
    }

    /// An image in memory, held to be of a format.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public func read(_ bytes: [UInt8], as format: ImageFormat) throws -> ImageFacts {
        try read(ImageBytes(bytes), as: format)
    }

    /// An image in a file, read in pieces.
    ///
    /// - Parameters:
    ///   - head: its first bytes, which have been read already; at least ``ImageFormat/headLength``, or all.
    ///   - size: of the file, in bytes.
    ///   - format: as its first bytes tell.
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
