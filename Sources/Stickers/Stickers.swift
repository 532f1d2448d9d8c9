// Stickers
