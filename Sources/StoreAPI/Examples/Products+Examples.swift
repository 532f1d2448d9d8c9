public import StoreModel
public import StoreOpenAPI

extension ProductList: ExampleProviding {
    public static var example: ProductList {
        let product = ProductSummary(
            ProductDocument.example.product, store: ExampleValues.store, state: [.free], languages: ["en"],
            icon: ProductDocument.example.images.icon)
        return ProductList(products: [product])
    }
}

extension ProductDocument: ExampleProviding {
    public static var example: ProductDocument {
        let archive = ContentReference(
            url: ExampleValues.address("archives/org.example.cups-1.2.0.zip"), size: 393_216,
            sha256: SHA256Digest(of: Array("archive".utf8)))
        var product = ProductItem(
            productIdentifier: ExampleValues.product, kind: .sticker,
            productName: LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"]), version: ExampleValues.version,
            resource: archive)
        let preview = ExampleValues.address("previews/cups.png")
        product.previews = [
            ContentReference(url: preview, size: 20_480, sha256: SHA256Digest(of: Array("preview".utf8)))
        ]
        product.publisher = "Example"
        product.license = "CC-BY-4.0"
        product.locales = ["en", "pt"]
        product.categories = ["food"]
        product.publishedAt = ExampleValues.startedAt
        let icon = ContentReference(
            url: ExampleValues.address("icons/cups.png"), size: 4_096, sha256: SHA256Digest(of: Array("icon".utf8)))
        product.image = icon
        let paths = [(ProductImage.icon, icon), (.preview(0), product.previews[0])].map { image, reference in
            image.path(of: ExampleValues.product, store: ExampleValues.store, sha256: reference.sha256)
        }
        return ProductDocument(
            store: ExampleValues.store, product: product, images: ProductImages(icon: paths[0], previews: [paths[1]]),
            state: [.free],
            details: ProductDetails(info: LocalizedText(byLanguage: ["en": "Cups of all kinds."]), previews: [preview]),
            pack: nil)
    }
}

extension CategoryList: ExampleProviding {
    public static var example: CategoryList { CategoryList(categories: [ProductCategory(name: "food", products: 12)]) }
}

extension PurchaseList: ExampleProviding {
    public static var example: PurchaseList { PurchaseList(purchases: [.example]) }
}

extension Purchase: ExampleProviding {
    public static var example: Purchase {
        Purchase(productIdentifier: ExampleValues.product, grantedAt: ExampleValues.startedAt)
    }
}

extension StoreList: ExampleProviding {
    public static var example: StoreList { StoreList(stores: [.example]) }
}

extension StoreSummary: ExampleProviding {
    public static var example: StoreSummary {
        StoreSummary(
            name: ExampleValues.store, url: ExampleValues.storeAddress, unsigned: false, priority: 0,
            refreshedAt: ExampleValues.startedAt, products: 42, signature: .example)
    }
}

extension AddStoreRequest: ExampleProviding {
    public static var example: AddStoreRequest {
        AddStoreRequest(
            name: ExampleValues.store, url: ExampleValues.storeAddress, priority: 0,
            fingerprint: StoreSignature.example.fingerprint)
    }
}

extension StoreSignature: ExampleProviding {
    public static var example: StoreSignature {
        StoreSignature(
            fingerprint: ExampleValues.digest.hex, rootVersion: 1, verifiedAt: ExampleValues.startedAt,
            expires: ExampleValues.startedAt.addingTimeInterval(86_400))
    }
}

extension StoreTrustReport: ExampleProviding {
    public static var example: StoreTrustReport {
        StoreTrustReport(
            store: ExampleValues.store, signed: true, signatureAvailable: false, signature: .example, age: 90,
            warnAfter: 259_200, refuseAfter: 1_209_600, refusal: nil, roles: [.example], publishers: [.example])
    }
}

extension StoreTrustReport.Role: ExampleProviding {
    public static var example: StoreTrustReport.Role {
        StoreTrustReport.Role(
            role: "timestamp", version: 7, expires: ExampleValues.startedAt.addingTimeInterval(86_400), threshold: 1,
            keys: [.example])
    }
}

extension StoreTrustReport.Publisher: ExampleProviding {
    public static var example: StoreTrustReport.Publisher {
        StoreTrustReport.Publisher(
            name: "example", identifierPrefix: "org.example.", threshold: 1, keys: [.example])
    }
}

extension StoreTrustReport.Key: ExampleProviding {
    public static var example: StoreTrustReport.Key {
        StoreTrustReport.Key(
            id: ExampleValues.digest.hex, scheme: "ed25519", publicKey: ExampleValues.digest.hex)
    }
}
