public import StoreModel
public import StoreOpenAPI

extension WebDocument: ExampleProviding {
    public static var example: WebDocument {
        WebDocument(enabled: true, address: "http://5d2c71e0a94f8b36c1d7.localhost:8817/", sessions: 1)
    }
}

extension WebTokenList: ExampleProviding {
    public static var example: WebTokenList { WebTokenList(tokens: [.example]) }
}

extension WebToken: ExampleProviding {
    public static var example: WebToken {
        WebToken(id: "9f86d081884c", name: "tray", scopes: [.read, .install], createdAt: ExampleValues.startedAt)
    }
}

extension WebTokenRequest: ExampleProviding {
    public static var example: WebTokenRequest { WebTokenRequest(name: "tray", scopes: [.read, .install]) }
}

extension CreatedWebToken: ExampleProviding {
    public static var example: CreatedWebToken {
        CreatedWebToken(
            token: .example, secret: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")
    }
}
