import FoundationEssentials
import StoreClient
import StoreModel

/// The sticker tray of a chat program, as far as the README's sample uses it.
private final class Tray {
    var onSearch: ((_ text: String) async throws -> [String])?
    var onSend: ((_ sticker: StickerName) async throws -> Void)?

    func addTab(_ name: String, icon: String?) {}
    func add(_ sticker: StickerName, image: Data) {}
}

/// A message of a chat program, as far as the README's sample uses it.
private final class Message {
    var text = ""

    func show(_ text: String, fetchButton: Bool) {}
}

private func stickerTraySample(tray: Tray, message: Message) async throws {
    // sample
    let client = try StoreClient()
    for pack in try await client.stickerPacks() { tray.addTab(pack.productIdentifier, icon: pack.cover) }
    for recent in try await client.recentStickers() {
        let thumbnail = try await client.thumbnail(of: recent.sticker.file, in: recent.productIdentifier)
        tray.add(recent.name, image: thumbnail.image)
    }
    tray.onSearch = { text in try await client.searchStickers(text).stickers.map(\.sticker.path) }
    tray.onSend = { sticker in
        try await client.stickersSent([sticker])
        // For example sticker1~a2IR…~org.example.cups~1.0.0~smile~_F0_9F_99_82
        message.text = try await client.stickerReference(to: sticker)
    }
    // In a message that was received; nothing is fetched before the user asks for it:
    let found = try await client.resolveSticker(message.text)
    message.show(found.sticker?.path ?? found.emoji ?? "sticker", fetchButton: found.state == .available)
    // end
}
