import StoreImages
import StoreLibrary
import StoreModel
import StoreSystem

extension FileRule {
    /// Returns the rule that accepts compiled emoji files in an emoji set and checks their images.
    ///
    /// A file of format 2 is recognized by its signature, and one of format 1 by a number of emoji that fits the file's
    /// size in either byte order.
    static func emojiFiles(_ images: ImageLimits) -> FileRule {
        FileRule("compiled emoji") { file in
            if EmojiFile.isRecognized(file.head) {
                try checkFormatTwo(file, images)
                return true
            }
            guard file.content == .other(nil),
                let layout = EmojiFormatOneLayout(head: file.head, size: file.size)
            else { return false }
            let bytes = try file.bytes(limit: images.size)
            if let problem = try layout.firstProblem(bytes, limits: images, path: file.path) { throw problem }
            return true
        }
    }

    private static func checkFormatTwo(_ file: PackFile, _ images: ImageLimits) throws {
        do {
            // A large file is mapped, because it may be as large as all images of a set, and no other process writes to it.
            let emoji = try file.file.map { try EmojiFile($0.map()) } ?? EmojiFile(file.head)
            if let problem = emoji.problems(limits: images).first { throw problem.error }
        } catch let error as StoreError where error.code == .emojiDamaged {
            throw StoreError(.emojiFileInPack, ["path": .untrusted(file.path)], cause: error)
        }
    }
}

extension EmojiFormatOneLayout {
    /// Returns the error of the first image that is outside of a file of format 1, overlaps others or is damaged.
    func firstProblem(_ bytes: [UInt8], limits: ImageLimits, path: String) throws -> StoreError? {
        let reader = ImageReader(limits: limits)
        var total = 0
        for number in 0..<count {
            let place = image(number, in: bytes)
            total += place.count
            // Overlapping images could take more than linear time to check.
            guard place.lowerBound >= imagesStart, place.upperBound <= bytes.count, total <= bytes.count else {
                return StoreError(.emojiImageOutside, ["number": number + 1, "path": .untrusted(path)])
            }
            do {
                _ = try reader.read(Array(bytes[place]))
            } catch let error as StoreError where error.isImageError {
                return StoreError(.imageInEmojiFile, ["number": number + 1, "path": .untrusted(path)], cause: error)
            }
        }
        return nil
    }
}
