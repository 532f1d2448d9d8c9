public import StoreModel
public import StoreOpenAPI

extension DownloadList: ExampleProviding {
    public static var example: DownloadList { DownloadList(downloads: [.example]) }
}

extension DownloadStatus: ExampleProviding {
    public static var example: DownloadStatus {
        var download = DownloadStatus(
            operation: ExampleValues.operation, action: .install, productIdentifier: ExampleValues.product,
            kind: .sticker, store: ExampleValues.store, state: .downloading, activity: .transferring,
            bytesReceived: 131_072, bytesExpected: 393_216)
        download.setRate(87_381)
        download.source = ExampleValues.address("archives/org.example.cups-1.2.0.zip").absoluteString
        return download
    }
}

extension DownloadChangeRequest: ExampleProviding {
    public static var example: DownloadChangeRequest { DownloadChangeRequest(paused: false, rateLimit: 500_000) }
}

extension InstallRequest: ExampleProviding {
    public static var example: InstallRequest {
        InstallRequest(productIdentifier: ExampleValues.product, store: ExampleValues.store, priority: 1)
    }
}

extension Installation: ExampleProviding {
    public static var example: Installation { Installation(download: .example, joined: false) }

    /// An example of a product that is installed already, so that nothing is downloaded.
    public static var exampleOfInstalled: Installation {
        Installation(present: .example, operation: ExampleValues.operation)
    }
}

extension BatchInstallRequest: ExampleProviding {
    public static var example: BatchInstallRequest {
        BatchInstallRequest(productIdentifiers: [ExampleValues.product, "org.example.cats"])
    }
}

extension BatchInstallResponse: ExampleProviding {
    public static var example: BatchInstallResponse {
        BatchInstallResponse(results: [
            InstallResult(productIdentifier: ExampleValues.product, installation: .example),
            InstallResult(productIdentifier: "org.example.cats", error: ExampleValues.unknownProduct),
        ])
    }
}

extension OperationList: ExampleProviding {
    public static var example: OperationList { OperationList(operations: [.example]) }
}

extension OperationRecord: ExampleProviding {
    public static var example: OperationRecord {
        OperationRecord(
            operation: ExampleValues.operation, action: .install, productIdentifier: ExampleValues.product,
            store: ExampleValues.store, version: ExampleValues.version, startedAt: ExampleValues.startedAt,
            endedAt: ExampleValues.endedAt, end: .finished)
    }
}

extension OperationResultList: ExampleProviding {
    public static var example: OperationResultList {
        OperationResultList(results: [
            OperationResult(productIdentifier: ExampleValues.product, operation: ExampleValues.operation),
            OperationResult(productIdentifier: "org.example.cats", error: ExampleValues.unknownProduct),
        ])
    }
}
