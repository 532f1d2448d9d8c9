public import StoreModel
public import StoreOpenAPI

extension StatusDocument: ExampleProviding {
    public static var example: StatusDocument {
        let inEffect = ["newPrivileges", "fileSystem", "systemCalls"]
        let missing = [
            MissingConfinementDocument(part: "socketPaths", reason: "Landlock has ABI 7, and 9 is needed")
        ]
        return StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: 4711, startedAt: ExampleValues.startedAt,
            home: HomeDocument(
                data: "/home/ada/.local/share/storectl", cache: "/home/ada/.cache/storectl",
                config: "/home/ada/.config/storectl", run: "/run/user/1000/storectl"),
            activeDownloads: 1, observers: 1, sequence: Event.example.sequence, warnings: [],
            confinement: ConfinementDocument(
                confined: true, required: false, inEffect: inEffect, missing: missing),
            thumbnails: ThumbnailsDocument(available: true, inEffect: inEffect, missing: missing))
    }
}

extension SettingList: ExampleProviding {
    public static var example: SettingList { SettingList(settings: [.example]) }
}

extension SettingDocument: ExampleProviding {
    public static var example: SettingDocument {
        SettingDocument(
            key: "downloads.attempts", value: SettingRequest.example.value,
            origin: "/home/ada/.config/storectl/settings.json",
            summary:
                "Number of attempts without progress before a download fails; those that don't reach the server don't "
                + "count.",
            needsRestart: false)
    }
}

extension SettingRequest: ExampleProviding {
    public static var example: SettingRequest { SettingRequest(value: "6") }
}

extension SnapshotDocument: ExampleProviding {
    public static var example: SnapshotDocument {
        let setting = SettingDocument.example
        return SnapshotDocument(
            sequence: Event.example.sequence, downloads: [.example], packs: [.example], stores: [.example],
            purchases: [.example],
            settings: [SettingState(key: setting.key, value: setting.value, origin: setting.origin)], skin: .example)
    }
}

extension Event: ExampleProviding {
    public static var example: Event {
        Event(sequence: 412, time: ExampleValues.startedAt, happening: .download(.example))
    }
}

extension ProblemDocument: ExampleProviding {
    public static var example: ProblemDocument {
        let error = StoreError(.packNotInstalled, ["product": ExampleValues.product])
        return ProblemDocument(ErrorReport(error), status: 404, title: "Not Found")
    }
}

extension ClockRequest: ExampleProviding {
    public static var example: ClockRequest { ClockRequest(advance: 2.5) }
}

extension ClockDocument: ExampleProviding {
    public static var example: ClockDocument {
        ClockDocument(
            title: "A slow download", elapsed: 2.5, time: ExampleValues.startedAt, next: 10,
            sequence: Event.example.sequence, restarts: false,
            steps: [ClockStep(at: 1, action: "install", productIdentifier: ExampleValues.product, error: nil)])
    }
}
