import StoreModel

extension Components {
    /// Stores and what they have.
    static let products: [String: Schema] = [
        "StoreList": .document(
            "The stores that are used, the most important first.", [.member("stores", .list(of: "Store"))]),
        "Store": .document(
            "A store that is used.",
            [
                .member("name", .name),
                .member("url", .address),
                .member("unsigned", .flag, "Taken without a signature."),
                .member("priority", .whole, "Where several stores have a product, the greatest wins."),
                .member("refreshedAt", .time.orNull, "When its catalogue was last known to be current."),
                .member("products", .count, "How many its catalogue lists."),
                .member("error", .component("Error").orNull, "Why the last refresh failed, if it did."),
            ]),
        "ProductList": .document(
            "Products that were found.",
            [
                .member("products", .list(of: "ProductSummary")),
                .member(
                    "warnings", .list(of: .text),
                    "Stores that could not be asked, or whose catalogue is older than it should be, with the reason."),
                next,
            ]),
        "ProductSummary": .document(
            "A product of a store as searches show it.",
            [
                .member("productIdentifier", .name),
                .member("store", .name),
                .member("kind", kind),
                .member("name", .text, "In the language of whoever asked."),
                .member("version", version),
                .member("price", .text, "An amount as the store wrote it, or `free`."),
                .member("size", .count.orNull, "Of the ZIP, in bytes; `null` where the store does not say."),
                .member("state", states),
                .member("defect", .text.orNull, "Why it can't be installed, if so."),
            ]),
        "ProductOverview": .document(
            "All that is known of a product.",
            [
                .member("store", .name),
                .member("product", .component("Product")),
                .member("state", states),
                .member(
                    "details", .component("ProductDetails").orNull, "`null` where none can be had."
                ),
                .member("pack", .component("Pack").orNull, "`null` where it is not installed."),
            ]),
        "Product": .document(
            "A product as its store describes it.",
            [
                .member("productIdentifier", .name),
                .member("kind", kind),
                .member("productName", localizedText),
                .optional("version", .text, "Missing in format 1, which has none."),
                .member("productPrice", .text, "An amount as the store wrote it, or `free`."),
                .optional("resource", .component("Reference"), "The ZIP with the product's data."),
                .optional("entryTable", .component("Reference"), "The table of the files in the ZIP."),
                .optional("image", .component("Reference"), "The picture in the list."),
                .optional("details", .component("Reference"), "The JSON with the details."),
                .optional("sprite", .component("Reference"), "One picture that shows the contents."),
                .member("previews", .list(of: "Reference"), "Pictures of the product in use."),
                .member("mirrors", .list(of: .address), "Further addresses of the same ZIP."),
                .member("dependencies", .list(of: .text), "What must be installed for it to work."),
                .member("permissions", permissions, "What it may do once it is installed, where that needs consent."),
                .optional("publisher", .text),
                .optional("license", .text, "An SPDX expression, or the publisher's own words."),
                .member("authors", .list(of: .text)),
                .member("locales", .list(of: .text)),
                .member("categories", .list(of: .text)),
                .member("tags", .list(of: .text)),
                .optional("publishedAt", .time),
                .optional("popularity", .whole, "Greater is more popular; what it counts is the store's affair."),
                .member("withdrawn", .flag, "No longer offered; who has it keeps it."),
                .optional("defect", .text, "Why it can't be installed, where the store says too little."),
            ]),
        "Reference": .document(
            "Something that a document refers to: where it is, and what it must be.",
            [
                .member("url", .address, "Absolute."),
                .optional("size", .count, "In bytes; missing where the store does not say."),
                .optional("sha256", .text(.sha256)),
            ]),
        "ProductDetails": .document(
            "What a product's details document adds to the list.",
            [
                .member("info", localizedText),
                .optional("image", .address),
                .member("previews", .list(of: .address)),
                .optional("sprite", .address),
            ]),
        "PurchaseList": .document("The user's list of purchases.", [.member("purchases", .list(of: "Purchase"))]),
        "Purchase": .document(
            "One entry of the list of purchases.", [.member("productIdentifier", .name), .member("grantedAt", .time)]),
    ]
}
