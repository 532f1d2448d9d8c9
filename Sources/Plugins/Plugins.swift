// Plugins
