// `import StoreEngine` is enough for an application: the modules whose types the engine's interface uses come with it.

@_exported public import StoreDownloads
@_exported public import StoreEmoji
@_exported public import StoreEvents
@_exported public import StoreLibrary
@_exported public import StoreModel
@_exported public import StoreSettings
@_exported public import StoreSkins
@_exported public import StoreStickerPacks
@_exported public import StoreStickers
