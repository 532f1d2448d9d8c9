import StoreImages

/// The file name extensions of the images and animations that stickers can be, without the dot and in lower case.
enum ImageSuffixes {
    static let all = ImageFormat.allSuffixes.union(AnimationFormat.allCases.map(\.rawValue))
}
