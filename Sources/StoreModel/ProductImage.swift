/// An image with which a store presents a product, such as the icon in lists.
public enum ProductImage: Sendable, Hashable {
    /// The image for lists of products.
    case icon
    /// The image for a description of the product.
    case image
    /// One image that shows the product's contents.
    case sprite
    /// One of the images that show the product in use, by its position in their list, counted from 0.
    case preview(Int)

    /// The word for images of this kind in messages, such as `icon`.
    public var name: String {
        switch self {
        case .icon: "icon"
        case .image: "image"
        case .sprite: "sprite"
        case .preview: "preview"
        }
    }
}
