public import StoreModel
public import StoreOpenAPI

/// The paths at which the daemon serves a product's images, so that a page need not contact the store for them.
public struct ProductImages: Sendable, Hashable, Codable {
    /// The path of the image for lists; `nil` if there is none.
    @OrNull public var icon: String?
    /// The path of the image for a description of the product; `nil` if there is none.
    @OrNull public var image: String?
    /// The path of one image that shows the product's contents; `nil` if there is none.
    @OrNull public var sprite: String?
    /// The paths of the images that show the product in use.
    public var previews: [String]

    /// Creates the list of the paths of a product's images.
    public init(icon: String? = nil, image: String? = nil, sprite: String? = nil, previews: [String] = []) {
        self.icon = icon
        self.image = image
        self.sprite = sprite
        self.previews = previews
    }
}

extension ProductImages: SchemaProviding {
    public static let schemaName = "ProductImages"
    public static let schema = Schema.document(
        "The paths of a product's images in this interface. The daemon fetches, checks and caches the images.",
        [
            .required("icon", .nonEmptyText.nullable, "The image for lists."),
            .required("image", .nonEmptyText.nullable, "The image for a description of the product."),
            .required("sprite", .nonEmptyText.nullable, "One image that shows the content."),
            .required("previews", .array(of: .nonEmptyText), "Images of the product in use."),
        ])
}

extension ProductImage {
    /// Returns the path at which the daemon serves the image of a product.
    ///
    /// - Parameter sha256: the image's hash, with which the path changes when the image does; `nil` if it is not known.
    public func path(of productIdentifier: String, store: String, sha256: SHA256Digest?) -> String {
        let product = "/v1/products/\(PathSegment.encode(store))/\(PathSegment.encode(productIdentifier))"
        let image = if case .preview(let number) = self { "previews/\(number)" } else { name }
        return product + "/" + image + (sha256.map { "?sha256=" + $0.hex } ?? "")
    }
}
