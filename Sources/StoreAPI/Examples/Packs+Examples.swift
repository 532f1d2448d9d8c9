public import StoreModel
public import StoreOpenAPI

extension PackList: ExampleProviding {
    public static var example: PackList { PackList(packs: [.example]) }
}

extension MissingPack: ExampleProviding {
    public static var example: MissingPack {
        MissingPack(
            productIdentifier: ExampleValues.product, store: ExampleValues.store, version: ExampleValues.version,
            operation: ExampleValues.operation)
    }
}

extension InstalledPack: ExampleProviding {
    public static var example: InstalledPack {
        InstalledPack(
            productIdentifier: ExampleValues.product, store: ExampleValues.store, operation: ExampleValues.operation,
            kind: .sticker, name: "Cups", version: ExampleValues.version, path: ExampleValues.path,
            size: ExampleValues.size, installedAt: ExampleValues.endedAt, held: false, state: [.downloaded, .free])
    }
}

extension PackChangeRequest: ExampleProviding {
    public static var example: PackChangeRequest { PackChangeRequest(held: true) }
}

extension Uninstallation: ExampleProviding {
    public static var example: Uninstallation {
        let record = OperationRecord(
            operation: ExampleValues.operation, action: .uninstall, productIdentifier: ExampleValues.product,
            store: ExampleValues.store, version: ExampleValues.version, startedAt: ExampleValues.startedAt,
            endedAt: ExampleValues.endedAt, end: .finished)
        return Uninstallation(record, unneeded: ["org.example.plates"])
    }
}

extension VerificationDocument: ExampleProviding {
    public static var example: VerificationDocument {
        VerificationDocument(
            productIdentifier: ExampleValues.product, damages: [PackDamage(path: "smile.png", damage: .changed)])
    }
}

extension UpdateList: ExampleProviding {
    public static var example: UpdateList {
        UpdateList(updates: [
            AvailableUpdate(
                productIdentifier: ExampleValues.product, store: ExampleValues.store, installed: ExampleValues.version,
                available: Version("1.3.0"))
        ])
    }
}

extension UpdateRequest: ExampleProviding {
    public static var example: UpdateRequest { UpdateRequest(productIdentifiers: [ExampleValues.product]) }
}
