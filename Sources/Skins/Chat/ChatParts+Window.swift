/// The parts of a chat window for the window, the conversations, the header, the input bar and the sticker tray.
extension ChatParts {
    static let window = Area(
        "Window",
        [
            ChatPart("chat_window", "uiview", "The whole window, behind everything.")
        ])

    static let conversations = Area(
        "Conversation list",
        [
            ChatPart("conversation_list", "uiview", "The pane with all conversations.", in: "chat_window"),
            ChatPart(
                "conversation_header", "uinavigationbar", "The bar above the conversations.", in: "conversation_list"),
            ChatPart(
                "button_conversation_new", "uibutton", "Begins a conversation; an icon.", in: "conversation_header"),
            ChatPart(
                "conversation_search", "uitextfield", "The field that conversations are found with.",
                in: "conversation_list"),
            ChatPart("conversation_row", "uiview", "One conversation.", in: "conversation_list"),
            ChatPart(
                "conversation_row_selected", "uiview", "The conversation that is open.", in: "conversation_list",
                state: "selected"),
            ChatPart(
                "conversation_avatar", "uiimageview", "The picture of the person or group, or what stands for it.",
                in: "conversation_row", "conversation_row_selected"),
            ChatPart(
                "conversation_presence", "uiview", "The dot at the picture of somebody who is online.",
                in: "conversation_row", "conversation_row_selected", state: "online"),
            ChatPart(
                "conversation_name", "uilabel", "The name of the person or group.", in: "conversation_row",
                "conversation_row_selected"),
            ChatPart(
                "conversation_time", "uilabel", "When the last message came.", in: "conversation_row",
                "conversation_row_selected"),
            ChatPart(
                "conversation_preview", "uilabel", "The beginning of the last message.", in: "conversation_row",
                "conversation_row_selected"),
            ChatPart(
                "conversation_preview_unread", "uilabel",
                "The beginning of the last message, where it was not read yet.", in: "conversation_row",
                "conversation_row_selected", state: "unread"),
            ChatPart(
                "conversation_badge", "uilabel", "How many messages were not read yet.", in: "conversation_row",
                "conversation_row_selected", state: "unread"),
        ])

    static let header = Area(
        "Header",
        [
            ChatPart(
                "header_bar", "uinavigationbar", "The bar above the messages, with the name as title.",
                in: "chat_window"),
            ChatPart("header_avatar", "uiimageview", "The picture of the person or group.", in: "header_bar"),
            ChatPart("header_status", "uilabel", "Below the name: when the person was last seen.", in: "header_bar"),
            ChatPart(
                "header_status_typing", "uilabel", "Below the name: that the person writes just now.", in: "header_bar",
                state: "typing"),
            ChatPart("button_header_back", "uibutton", "Back to the conversations; an icon.", in: "header_bar"),
            ChatPart("button_header_call", "uibutton", "Calls the person; an icon.", in: "header_bar"),
            ChatPart("button_header_menu", "uibutton", "Opens the menu; an icon.", in: "header_bar"),
        ])

    static let input = Area(
        "Input bar",
        [
            ChatPart("input_bar", "uiview", "The bar below the messages.", in: "chat_window"),
            ChatPart(
                "input_reply", "uiview", "What is answered to, above the field.", in: "input_bar", state: "replying"),
            ChatPart("input_reply_name", "uilabel", "Who wrote it.", in: "input_reply", state: "replying"),
            ChatPart("input_reply_text", "uilabel", "Its beginning.", in: "input_reply", state: "replying"),
            ChatPart("input_field", "uitextview", "Where the message is written.", in: "input_bar"),
            ChatPart(
                "button_input_attach", "uibutton", "Attaches a file, a place or a contact; an icon.", in: "input_bar"),
            ChatPart("button_input_sticker", "uibutton", "Opens the sticker tray; an icon.", in: "input_bar"),
            ChatPart(
                "button_input_sticker_selected", "uibutton", "Closes the sticker tray; an icon.", in: "input_bar",
                state: "selected"),
            ChatPart("button_input_send", "uibutton", "Sends the message; an icon.", in: "input_bar"),
        ])

    static let stickerTray = Area(
        "Sticker tray",
        [
            ChatPart("sticker_tray", "uiview", "The tray with the stickers, below the input bar.", in: "chat_window"),
            ChatPart("sticker_tray_tabs", "uiview", "The row with one tab a pack.", in: "sticker_tray"),
            ChatPart("sticker_tray_tab", "uibutton", "The tab of a pack.", in: "sticker_tray_tabs"),
            ChatPart(
                "sticker_tray_tab_selected", "uibutton", "The tab of the pack that is shown.", in: "sticker_tray_tabs",
                state: "selected"),
            ChatPart("sticker_tray_title", "uilabel", "The name of the pack that is shown.", in: "sticker_tray"),
            ChatPart("sticker_tray_cell", "uibutton", "One sticker, to be sent.", in: "sticker_tray"),
            ChatPart(
                "sticker_tray_empty", "uilabel", "What is said where there are no recent stickers yet.",
                in: "sticker_tray", state: "empty"),
        ])
}
