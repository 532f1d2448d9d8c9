import Hummingbird
import StoreEngine
import StoreModel
import StoreSkins
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the pages that show skins: their list, a skin that the user tries, and the chat.
    mutating func addSkinPages(_ manager: StoreManager, _ pages: PageResponder) {
        page("/skins", pages) { request in
            let use = manager.skins.skinUse
            let listing = await manager.skins.listing()
            let skins = listing.skins.map { skin in
                SkinsPage.Skin(
                    id: skin.information.identifier, name: skin.information.name,
                    version: skin.information.version?.text, parent: skin.information.parent,
                    isInUse: use.skin?.identifier == skin.information.identifier,
                    defect: listing.defects[skin.information.identifier], request.texts)
            }
            return SkinsPage(
                skins, isChosen: use.chosen != nil, problem: manager.skins.status.problem?.message,
                unreadable: listing.unreadable, request.texts)
        }
        page("/skins/:id", pages) { request in
            let skin = try await manager.skins.resolved(request.identifier())
            return SkinTrialPage(
                id: skin.identifier, name: skin.name, version: skin.version?.text,
                isInUse: manager.skins.skinUse.skin?.identifier == skin.identifier, request.texts)
        }
        page("/chat", pages) { request in
            let person = request.query("as").flatMap(ConversationPage.Person.init(rawValue:)) ?? .a
            let inUse = manager.skins.skinUse.skin?.identifier
            var trial: ConversationPage.Trial?
            if let identifier = request.query("skin") {
                let skin = try await manager.skins.resolved(identifier)
                trial = .init(id: skin.identifier, name: skin.name, isInUse: skin.identifier == inUse)
            }
            return ConversationPage(
                person, packs: try await manager.stickers.packs(), skin: inUse, trial: trial,
                emojiSet: await manager.emoji.use().set, languages: request.languages, request.texts)
        }
    }
}
