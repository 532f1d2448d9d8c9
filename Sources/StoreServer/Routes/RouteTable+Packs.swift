import Hummingbird
import StoreAPI
import StoreDownloads
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSkins

extension RouteTable {
    /// `/v1/packs`: what is installed, its files, and what can be done to it.
    mutating func addPacks(_ manager: StoreManager) {
        let lists = ResponseCache<PackListing.Version>()
        get(
            "/v1/packs",
            Endpoint(
                "packs", "What is installed, in the order of names.",
                [
                    .query("kind", .name, "Only packs of this kind."),
                    .query("updatable", .flag, "Only packs of which their store has a newer version."),
                ] + .languages + .pages("How many at most; all unless given."), .ok("PackList", "The packs."))
        ) { request in
            let listing = try await manager.packs.listing()
            return try request.answer(from: lists, as: listing.version) {
                let packs = listing.packs(
                    kind: request.query("kind").map(ProductKind.init), updatableOnly: request.flag("updatable"),
                    languages: request.languages)
                let piece = try request.piece(of: packs) { [$0.name, $0.productIdentifier] }
                return try JSON.encode(PackList(packs: piece.elements, next: piece.next))
            }
        }
        get(
            "/v1/packs/:id",
            Endpoint("pack", "One pack.", .languages, .ok("Pack", "The pack."), problems: [.packMissing])
        ) { request in
            try request.answer(await manager.packs.pack(request.identifier(), languages: request.languages))
        }
        on(
            .patch, "/v1/packs/:id",
            Endpoint(
                "changePack", "Holds a pack, or lets it be updated again.", body: "PackChangeRequest",
                .ok("Pack", "As it is now."), problems: [.packMissing, .packByHand, .productBusy])
        ) { request in
            let change = try await request.body(PackChangeRequest.self)
            return try .json(await manager.packs.setHeld(request.identifier(), change.held))
        }
        on(
            .delete, "/v1/packs/:id",
            Endpoint(
                "uninstall", "Removes a pack, and the version before it.",
                [.query("use", .name, "Of a skin in use: the skin that is used from then on.")],
                .ok("Uninstallation", "It is removed."),
                problems: [.packMissing, .productBusy, .packNeeded, .packInUse, .packByHand, .skinNeeded]
                    + ErrorCode.ofSkins)
        ) { request in
            let identifier = try request.identifier()
            let needed = try await manager.packs.dependencies(of: identifier)
            let record = try await manager.packs.uninstall(identifier, using: request.query("use"))
            return try .json(Uninstallation(record, unneeded: await manager.packs.unneeded(of: needed)))
        }
        addChanges(of: manager)
        get(
            "/v1/packs/:id/files/**",
            Endpoint(
                "packFile", "A file of a pack, of one version from its first byte to its last.",
                [
                    .query(
                        "operation", .name,
                        "The `operation` of a pack: only files of the version that it brought, which is here as long as "
                            + "it is the installed one or the one before.")
                ] + .ofFiles, .ok(.file, "The file."), .partialContent, .rangeNotSatisfiable,
                problems: [.packMissing, .packReplaced, .resourceUnknown])
        ) { request in
            let operation = request.query("operation").map(OperationID.init(rawValue:))
            return try await request.file(of: manager.packs.directory(of: request.identifier(), operation: operation))
        }
    }

    /// What can be done to a pack beside removing it.
    private mutating func addChanges(of manager: StoreManager) {
        on(
            .post, "/v1/packs/:id/rollback",
            Endpoint(
                "rollback", "Brings back the version before, and holds it.", .ok("Operation", "It is back."),
                problems: [.packMissing, .noPrevious, .productBusy, .packByHand, .packInUse, .consentNeeded])
        ) { request in
            try .json(await manager.packs.rollBack(request.identifier()))
        }
        on(
            .post, "/v1/packs/:id/verify",
            Endpoint(
                "verify", "Compares a pack's files with what was installed.", .ok("Verification", "What was found."),
                problems: [.packMissing, .packByHand, .receiptDamaged, .productBusy])
        ) { request in
            let identifier = try request.identifier()
            let damages = try await request.cancelledOnClose { try await manager.verify(identifier) }
            return try .json(VerificationDocument(productIdentifier: identifier, damages: damages))
        }
        on(
            .post, "/v1/packs/:id/repair",
            Endpoint(
                "repair", "Puts right what is damaged in a pack.", .ok("Installation", "There is nothing to do."),
                .accepted("Installation", "A task runs."),
                problems: [.packMissing] + ErrorCode.ofProducts + ErrorCode.ofInstalling)
        ) { request in
            try .install(await manager.packs.repair(request.identifier()))
        }
    }
}
