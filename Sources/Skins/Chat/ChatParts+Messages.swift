/// The parts of a chat window for messages: the area of messages, and bubbles by direction and type.
extension ChatParts {
    static let messages = Area(
        "Messages",
        [
            ChatPart("message_area", "uiview", "The area that messages scroll in.", in: "chat_window"),
            ChatPart("message_day", "uilabel", "The day, between the messages of two days.", in: "message_area"),
            ChatPart(
                "message_notice", "uilabel", "What happened, in the place of a message: somebody joined.",
                in: "message_area"),
            ChatPart("message_sender", "uilabel", "In a group: who wrote the messages below.", in: "message_area"),
            ChatPart("message_avatar", "uiimageview", "In a group: the writer's picture.", in: "message_area"),
        ])

    static let incoming = Area("Bubbles of messages that came in", bubbles("in", "came in"))

    static let outgoing = Area(
        "Bubbles of messages that went out",
        bubbles("out", "went out") + [
            status("sending", "is on its way"),
            status("sent", "has left"),
            status("delivered", "has arrived"),
            status("read", "was read"),
            status("failed", "could not be sent"),
        ])

    private static func bubbles(_ way: String, _ verb: String) -> [ChatPart] {
        let (text, location, contact) = ("bubble_\(way)_text", "bubble_\(way)_location", "bubble_\(way)_contact")
        let (sticker, file) = ("bubble_\(way)_sticker", "bubble_\(way)_file")
        return [
            ChatPart(text, "uiview", "The bubble of a text that \(verb).", in: "message_area"),
            ChatPart("\(text)_body", "uilabel", "The text.", in: text),
            ChatPart("\(text)_link", "uilabel", "A link in the text.", in: text),
            ChatPart("\(text)_quote", "uiview", "In an answer: the message that it answers to.", in: text),
            ChatPart("\(text)_quote_name", "uilabel", "Who wrote that message.", in: "\(text)_quote"),
            ChatPart("\(text)_quote_body", "uilabel", "Its beginning.", in: "\(text)_quote"),

            ChatPart(location, "uiview", "The bubble of a place that \(verb).", in: "message_area"),
            ChatPart("\(location)_map", "uiimageview", "The map, or what stands for it.", in: location),
            ChatPart("\(location)_name", "uilabel", "The place's name.", in: location),
            ChatPart("\(location)_address", "uilabel", "Its address.", in: location),

            ChatPart(contact, "uiview", "The bubble of a contact that \(verb).", in: "message_area"),
            ChatPart("\(contact)_avatar", "uiimageview", "The person's picture, or what stands for it.", in: contact),
            ChatPart("\(contact)_name", "uilabel", "The person's name.", in: contact),
            ChatPart("\(contact)_detail", "uilabel", "A telephone number or an address.", in: contact),
            ChatPart("button_\(contact)_open", "uibutton", "Shows the contact, and saves it.", in: contact),

            ChatPart(
                sticker, "uiview", "What stands around a sticker that \(verb); mostly nothing.", in: "message_area"),
            ChatPart("\(sticker)_image", "uiimageview", "The sticker.", in: sticker),

            ChatPart(file, "uiview", "The bubble of a file that \(verb).", in: "message_area"),
            ChatPart("\(file)_icon", "uiimageview", "What stands for the file's type.", in: file),
            ChatPart("\(file)_name", "uilabel", "The file's name.", in: file),
            ChatPart("\(file)_size", "uilabel", "Its size, or how much of it is here.", in: file),
            ChatPart(
                "\(file)_progress", "uislider", "How much of it is here, without a thumb.", in: file,
                state: "transferring"),
            ChatPart("button_\(file)_open", "uibutton", "Opens the file; where it is not here, fetches it.", in: file),
            ChatPart(
                "button_\(file)_cancel", "uibutton", "Gives the transfer up; an icon.", in: file, state: "transferring"),

            ChatPart("bubble_\(way)_time", "uilabel", "When the message \(verb).", in: text, location, contact, file),
            ChatPart("bubble_\(way)_sticker_time", "uilabel", "When the sticker \(verb).", in: sticker),
        ]
    }

    private static func status(_ state: String, _ what: String) -> ChatPart {
        ChatPart(
            "bubble_out_status_\(state)", "uiimageview", "The sign, beside the time, that the message \(what).",
            in: "bubble_out_text", "bubble_out_location", "bubble_out_contact", "bubble_out_file", state: state)
    }
}
