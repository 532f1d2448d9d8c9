import Engine
import Hummingbird
import StoreAPI
import StoreModel

extension RouteTable {
    /// `/v1/packs`: what is installed, its files, and what can be done to it.
    mutating func addPacks(_ manager: StoreManager) {
        get("/v1/packs") { call in
            let packs = try await manager.packs(
                kind: call.query("kind").map(ProductKind.init), updatableOnly: try call.flag("updatable"),
                languages: call.languages)
            return try .json(PackList(packs: packs))
        }
        get("/v1/packs/:id") { call in
            try .json(await manager.pack(call.identifier(), languages: call.languages))
        }
        on(.patch, "/v1/packs/:id") { call in
            let change = try await call.body(PackChangeRequest.self)
            return try .json(await manager.setHeld(call.identifier(), change.held))
        }
        on(.delete, "/v1/packs/:id") { call in
            try .json(await manager.uninstall(call.identifier()))
        }
        on(.post, "/v1/packs/:id/rollback") { call in
            try .json(await manager.rollBack(call.identifier()))
        }
        on(.post, "/v1/packs/:id/verify") { call in
            let identifier = try call.identifier()
            return try .json(
                VerificationDocument(productIdentifier: identifier, damages: await manager.verify(identifier)))
        }
        on(.post, "/v1/packs/:id/repair") { call in
            try .install(await manager.repair(call.identifier()))
        }
        get("/v1/packs/:id/files/**") { call in
            let path = try call.restOfPath()
            // The receipt is the library's own and none of the pack's files.
            guard path != ".receipt.json" else {
                throw ServerError(.resourceUnknown, "There is no file '\(path)' here.")
            }
            let folder = try await manager.packDirectory(call.identifier())
            return try await FileAnswer(folder: folder, path: path).response(to: call.request)
        }
    }
}
