import StoreImages
import StoreLibrary
import StoreModel

extension FileRule {
    /// Returns a rule that accepts the animations of Telegram's sticker packs: TGS and WebM, with these extensions.
    ///
    /// They are validated as images are, without being decoded. Any other gzip file or film is refused.
    static func animations(_ limits: AnimationLimits = AnimationLimits()) -> FileRule {
        let reader = AnimationReader(limits: limits)
        return FileRule("animations (TGS, WebM)") { file in
            guard let format = AnimationFormat(head: file.head.prefix(4)), file.suffix == format.rawValue else {
                return false
            }
            do {
                // Read whole only if it has the size of an animation.
                _ = try reader.read(file.bytes(limit: max(limits.tgsSize, limits.webmSize)))
                return true
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.imageInPack, ["path": .untrusted(file.path)], cause: error)
            }
        }
    }
}

extension AnimationFormat {
    /// Whether a checked file of a sticker pack is an animation, by its name: the rules accept no other file of it.
    static func isAnimation(_ path: String) -> Bool {
        allCases.contains { path.lowercased().hasSuffix("." + $0.rawValue) }
    }
}
