import Hummingbird
import StoreAPI
import StoreCatalogue
import StoreDownloads
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem

extension RouteTable {
    /// `/v1/stores` and `/v1/refresh`: which stores are used.
    mutating func addStores(_ manager: StoreManager) {
        get("/v1/stores", Endpoint("stores", "The stores that are used.", .ok("StoreList", "The stores."))) { request in
            try request.answer(StoreList(stores: await manager.stores.list()))
        }
        on(
            .post, "/v1/stores",
            Endpoint(
                "addStore", "Uses a store from now on, after its catalogue was fetched and read.",
                body: "AddStoreRequest", .created("Store", "It is used. Adding the same again changes its priority."),
                problems: [
                    .storeBadName, .storeBadAddress, .storeBadCredentials, .storeExists, .storeUnsigned,
                ] + ErrorCode.ofCatalogues)
        ) { request in
            let wanted = try await request.body(AddStoreRequest.self)
            let store = try await manager.stores.add(
                name: wanted.name, url: wanted.url, unsigned: wanted.unsigned ?? false, priority: wanted.priority ?? 0,
                token: wanted.token, netrc: wanted.netrc ?? false)
            return try .json(store, status: .created)
        }
        get(
            "/v1/stores/:name",
            Endpoint("store", "One store.", .ok("Store", "The store."), problems: [.storeUnknown])
        ) { request in
            try request.answer(await manager.stores.store(request.identifier("name")))
        }
        on(
            .delete, "/v1/stores/:name",
            Endpoint(
                "removeStore", "Uses a store no longer. What was installed from it stays.",
                .noContent("It is not used any more."), problems: [.storeUnknown])
        ) { request in
            try await manager.stores.remove(request.identifier("name"))
            return Response(status: .noContent)
        }
        on(
            .post, "/v1/refresh",
            Endpoint(
                "refresh", "Fetches the catalogues. One that fails does not stop the others; its record says why.",
                [.query("store", .name, "Only this store's.")], .ok("StoreList", "The stores that were asked."),
                problems: [.storeUnknown])
        ) { request in
            try .json(StoreList(stores: await manager.stores.refresh(request.query("store").map { [$0] })))
        }
    }
}

extension ErrorCode {
    /// What keeps a catalogue from being fetched and read.
    static let ofCatalogues: [ErrorCode] = [
        .catalogueMalformed, .catalogueHashMismatch, .catalogueTooLarge, .catalogueUnsupportedFormat,
        .catalogueMissing, .catalogueBadAddress, .storeUnavailable, .noSpace,
    ]
    /// What keeps an identifier from meaning a product of a store.
    static let ofProducts: [ErrorCode] =
        [.productUnknown, .productWithdrawn, .storeUnknown, .severalStores]
        // The one word, whatever the reason is that a store has nothing to say.
        + [ExitCode.network, .refused, .space].map { ErrorCode(storeUnavailable.word, $0) }
    /// What keeps a product from being installed, before its task begins.
    static let ofInstalling: [ErrorCode] = [
        .productIncomplete, .kindUnknown, .consentNeeded, .notPurchased, .productBusy, .otherStore, .packByHand,
        .kindChanged, .noSpace,
    ]
}
