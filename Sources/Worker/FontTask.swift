public import StoreImages
public import StoreModel

/// The images of emoji that a worker of the program `store-thumbnailer` reads from a colour font.
public struct FontTask: Sendable, Hashable, Codable {
    /// The code points of each emoji.
    public var emoji: [[UInt32]]
    /// The limits of the images.
    public var images: ImageLimits

    /// The maximum size of all images together in bytes, which is that of a compiled emoji set.
    public static let sizeLimit = 1 << 30

    /// Creates a task to read the images of emoji, each given by its code points.
    public init(emoji: [[UInt32]], images: ImageLimits) {
        self.emoji = emoji
        self.images = images
    }
}

/// What was read from a colour font: for each emoji of the task, its image or the reason why there is none.
public struct FontReport: Sendable, Hashable, Codable {
    /// The image of an emoji in the file that the worker wrote, or the reason why there is none.
    public enum Result: Sendable, Hashable, Codable {
        /// The image is a range of the file's bytes.
        case image(Range<Int>)
        /// The font does not draw the emoji as one image.
        case missing
        /// The font's image is damaged, beyond the limits, or has active content.
        case refused(ErrorReport)
    }

    /// The results in the order of the task.
    public var results: [Result]

    /// Creates a report with the results in the order of the task.
    public init(results: [Result]) { self.results = results }
}
