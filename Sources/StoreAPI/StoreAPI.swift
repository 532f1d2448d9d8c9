// StoreAPI
