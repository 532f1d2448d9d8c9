// Emoji
