/// The parts of a chat window for the store's list, the settings, and dialogs.
extension ChatParts {
    static let store = Area(
        "Store list",
        [
            ChatPart("store_list", "uiview", "The pane with the store's products.", in: "chat_window"),
            ChatPart("store_header", "uinavigationbar", "The bar above the products.", in: "store_list"),
            ChatPart("store_filter", "uibutton", "A kind of product, to see only these.", in: "store_list"),
            ChatPart(
                "store_filter_selected", "uibutton", "The kind that is shown now.", in: "store_list", state: "selected"),
            ChatPart("store_row", "uiview", "One product.", in: "store_list"),
            ChatPart("store_row_icon", "uiimageview", "The product's picture, or what stands for it.", in: "store_row"),
            ChatPart("store_row_name", "uilabel", "The product's name.", in: "store_row"),
            ChatPart("store_row_detail", "uilabel", "Its publisher, kind and size.", in: "store_row"),
            ChatPart(
                "store_row_progress", "uislider", "How much of it is here, without a thumb.", in: "store_row",
                state: "Downloading"),
            ChatPart(
                "store_row_error", "uilabel", "Why the product could not be installed.", in: "store_row",
                state: "Failed"),
            button("price", "Not Purchased", "Buys a product; its title is the price."),
            button("free", "Free", "Installs a product that costs nothing."),
            button("purchased", "Purchased", "Installs a product that was bought."),
            button("downloading", "Downloading", "Stops the download; its title tells how much is here."),
            button("downloaded", "Downloaded", "Uses the product."),
            button("in_use", "In Use", "Says that the product is in use."),
            button("updatable", "Updatable", "Brings the product to its newest version."),
            button("withdrawn", "Withdrawn", "Says that the store no longer has the product; removes it."),
        ])

    private static func button(_ name: String, _ state: String?, _ summary: String) -> ChatPart {
        ChatPart("button_store_\(name)", "uibutton", summary, in: "store_row", state: state)
    }

    static let settings = Area(
        "Settings",
        [
            ChatPart("settings_list", "uiview", "The pane with the settings.", in: "chat_window"),
            ChatPart("settings_row", "uiview", "One setting.", in: "settings_list"),
            ChatPart("settings_label", "uilabel", "What the setting is called.", in: "settings_row"),
            ChatPart("settings_hint", "uilabel", "What it does.", in: "settings_row"),
            ChatPart("settings_switch", "uiswitch", "Turns a setting on and off.", in: "settings_row"),
            ChatPart("settings_slider", "uislider", "Sets the size of the text.", in: "settings_row"),
        ])

    static let dialog = Area(
        "Dialogs",
        [
            ChatPart("dialog", "uiview", "A question.", in: "chat_window"),
            ChatPart("dialog_title", "uilabel", "The question in a few words.", in: "dialog"),
            ChatPart("dialog_text", "uilabel", "What follows from the answers.", in: "dialog"),
            ChatPart("button_cancel_action", "uibutton", "Leaves everything as it is.", in: "dialog"),
            ChatPart("button_confirm_action", "uibutton", "Does what was asked.", in: "dialog"),
            ChatPart(
                "button_delete_action", "uibutton", "Does what was asked, where something is lost by it.", in: "dialog"),
        ])
}
