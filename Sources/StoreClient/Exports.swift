// `import StoreClient` is enough for an application: the values of the domain and of the daemon's interface come with it.

@_exported public import StoreAPI
@_exported public import StoreModel
