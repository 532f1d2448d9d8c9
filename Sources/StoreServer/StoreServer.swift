// StoreServer
