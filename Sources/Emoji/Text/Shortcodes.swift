/// A namespace for the usual names of emoji between colons, such as `:smile:`.
public enum Shortcodes {
    /// The maximum number of characters between the colons.
    static let maximumLength = 64

    /// Returns the emoji of a usual name, without the colons; `nil` if it is not known.
    public static let emoji: @Sendable (String) -> String? = { names[$0] }

    private static let names: [String: String] = {
        let table: [(emoji: String, names: String)] = [
            ("😀", "grinning"), ("😄", "smile"), ("😃", "smiley"), ("😁", "grin"), ("😆", "laughing satisfied"),
            ("😅", "sweat_smile"), ("😂", "joy"), ("🤣", "rofl"), ("🙂", "slightly_smiling_face"),
            ("🙃", "upside_down_face"), ("😉", "wink"), ("😊", "blush"), ("😇", "innocent"),
            ("🥰", "smiling_face_with_three_hearts"),
            ("😍", "heart_eyes"), ("😘", "kissing_heart"), ("😋", "yum"), ("😛", "stuck_out_tongue"),
            ("😜", "stuck_out_tongue_winking_eye"), ("🤗", "hugs hugging_face"), ("🤔", "thinking thinking_face"),
            ("😐", "neutral_face"), ("😑", "expressionless"), ("😏", "smirk"), ("😒", "unamused"),
            ("🙄", "roll_eyes rolling_eyes"), ("😬", "grimacing"), ("😌", "relieved"), ("😔", "pensive"),
            ("😴", "sleeping"), ("😷", "mask"), ("😎", "sunglasses"), ("😕", "confused"), ("🙁", "slightly_frowning_face"),
            ("😮", "open_mouth"), ("😲", "astonished"), ("😳", "flushed"), ("😢", "cry"), ("😭", "sob"),
            ("😱", "scream"), ("😞", "disappointed"), ("😩", "weary"), ("😫", "tired_face"), ("😡", "rage pout"),
            ("😠", "angry"), ("😈", "smiling_imp"), ("💀", "skull"), ("💩", "poop hankey"), ("👻", "ghost"),
            ("🤖", "robot"), ("❤️", "heart"), ("💔", "broken_heart"), ("💯", "100"), ("💥", "boom collision"),
            ("💤", "zzz"), ("👋", "wave"), ("👌", "ok_hand"), ("✌️", "v"), ("🤞", "crossed_fingers"),
            ("👍", "+1 thumbsup"), ("👎", "-1 thumbsdown"), ("✊", "fist"), ("👏", "clap"), ("🙌", "raised_hands"),
            ("🤝", "handshake"), ("🙏", "pray"), ("💪", "muscle"), ("👀", "eyes"), ("🧠", "brain"), ("🤷", "shrug"),
            ("🤦", "facepalm"), ("🐶", "dog"), ("🐱", "cat"), ("🦊", "fox_face"), ("🐼", "panda_face"), ("🐢", "turtle"),
            ("🌹", "rose"), ("🌞", "sun_with_face"), ("☀️", "sunny"), ("🌧️", "cloud_with_rain"), ("❄️", "snowflake"),
            ("🔥", "fire"), ("🌈", "rainbow"), ("⭐", "star"), ("✨", "sparkles"), ("⚡", "zap"), ("🍕", "pizza"),
            ("🍺", "beer"), ("🍻", "beers"), ("☕", "coffee"), ("🎂", "birthday"), ("🎁", "gift"), ("🎉", "tada"),
            ("🎈", "balloon"), ("🏆", "trophy"), ("⚽", "soccer"), ("🚀", "rocket"), ("🚗", "car red_car"),
            ("✈️", "airplane"), ("💡", "bulb"), ("📌", "pushpin"), ("📎", "paperclip"), ("🔒", "lock"), ("🔑", "key"),
            ("✅", "white_check_mark"), ("❌", "x"), ("❓", "question"), ("❗", "exclamation heavy_exclamation_mark"),
            ("⚠️", "warning"), ("🆗", "ok"), ("💬", "speech_balloon"), ("🎵", "musical_note"), ("🎶", "notes"),
        ]
        var names: [String: String] = [:]
        for row in table { for name in row.names.split(separator: " ") { names[String(name)] = row.emoji } }
        return names
    }()
}
