// `import StorePublishing` is enough for an application: the modules whose types its interface uses come with it.

@_exported public import StoreLibrary
@_exported public import StoreModel
