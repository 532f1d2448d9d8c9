import FoundationEssentials
public import StoreModel

/// The addresses of a product's images in its store, from the catalogue and from the product's details document.
public struct ProductImageReferences: Sendable, Hashable {
    private let item: ProductItem
    private let details: ProductDetails?

    /// Creates the addresses of a product's images.
    ///
    /// - Parameters:
    ///   - item: the product in its store's catalogue, which may state the hashes of images.
    ///   - details: the contents of the product's details document, which has addresses only; `nil` if not available.
    public init(_ item: ProductItem, details: ProductDetails?) {
        self.item = item
        self.details = details
    }

    /// The addresses of the images that show the product in use: those of the catalogue, else those of the details.
    public var previews: [ContentReference] {
        item.previews.isEmpty ? (details?.previews ?? []).map(reference) : item.previews
    }

    /// Returns the address of an image, with the hash that the image must have; `nil` if the product has no such image.
    public subscript(image: ProductImage) -> ContentReference? {
        switch image {
        case .icon: item.image ?? details?.image.map(reference)
        case .image: details?.image.map(reference) ?? item.image
        case .sprite: item.sprite ?? details?.sprite.map(reference)
        case .preview(let number): previews.indices.contains(number) ? previews[number] : nil
        }
    }

    /// Returns the catalogue's reference to the file at an address of the details, which has the file's hash.
    private func reference(_ url: URL) -> ContentReference {
        [item.image, item.sprite].compactMap { $0 }.first { $0.address == url.absoluteString }
            ?? ContentReference(url: url)
    }
}
