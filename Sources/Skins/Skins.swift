// Skins
