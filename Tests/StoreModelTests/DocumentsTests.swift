import FoundationEssentials
import StoreModel
import Testing

@Suite struct JSONTests {
    private struct Document: Codable, Equatable {
        var z = "a/b"
        var a = ["z": 1, "é": 2, "a": 3, "B": 4]
        var date = Date(timeIntervalSince1970: 1_700_000_000)
    }

    @Test func `a value is always encoded with the same bytes`() throws {
        let expected = #"{"a":{"B":4,"a":3,"z":1,"é":2},"date":"2023-11-14T22:13:20Z","z":"a/b"}"#
        for _ in 0..<50 {
            // Built anew each time, because each dictionary has its own order.
            var document = Document(a: [:])
            for (key, value) in [("a", 3), ("B", 4), ("é", 2), ("z", 1)].shuffled() { document.a[key] = value }
            #expect(String(decoding: try JSON.encode(document), as: UTF8.self) == expected)
        }
        #expect(try JSON.decode(Document.self, from: Data(expected.utf8)) == Document())
        #expect(try JSON.decode(Document.self, from: JSON.encode(Document(), pretty: true)) == Document())
    }

    private struct Optional: Codable, Equatable {
        @OrNull var number: Int?
        @OrNull var text: String?
    }

    @Test func `a required optional member is encoded as null`() throws {
        let document = Optional(number: nil, text: "a")
        #expect(String(decoding: try JSON.encode(document), as: UTF8.self) == #"{"number":null,"text":"a"}"#)
        #expect(try JSON.decode(Optional.self, from: JSON.encode(document)) == document)
    }

    @Test func `a missing member is decoded as nil`() throws {
        let empty = Optional(number: nil, text: nil)
        #expect(try JSON.decode(Optional.self, from: Data("{}".utf8)) == empty)
        #expect(try JSON.decode(Optional.self, from: Data(#"{"text":null,"more":1}"#.utf8)) == empty)
        #expect(throws: DecodingError.self) { try JSON.decode(Optional.self, from: Data(#"{"number":"1"}"#.utf8)) }
    }
}

@Suite struct EventTests {
    private static let failed: DownloadStatus = {
        var status = DownloadStatus(
            operation: OperationID(rawValue: "1-a"), action: .update, productIdentifier: "cups", store: "main",
            state: .failed, activity: nil, reason: "why", attempt: 3, bytesExpected: 10,
            error: ErrorReport(code: .init("archive.traversal", .refused), message: "no"))
        status.setProgress(received: 4, expected: 8)
        return status
    }()
    private static let transferring = DownloadStatus(
        operation: OperationID(rawValue: "1-a"), action: .install, productIdentifier: "cups", store: "main",
        state: .downloading, activity: .transferring)

    private static let happenings: [(type: String, product: String?, happening: Event.Happening)] = [
        ("download", "cups", .download(failed)),
        ("download", "cups", .download(transferring)),
        (
            "pack", "cups",
            .pack(PackChange(productIdentifier: "cups", kind: .sticker, change: .removed, version: nil))
        ),
        (
            "pack", "cups",
            .pack(
                PackChange(
                    productIdentifier: "cups", kind: .init(rawValue: "hat"), change: .updated, version: Version("2")))
        ),
        ("catalogue", nil, .catalogue(store: "main")),
        ("updates", nil, .updates([])),
        (
            "updates", nil,
            .updates([
                AvailableUpdate(
                    productIdentifier: "cups", store: "main", installed: nil, available: Version("2"), heldBack: "held")
            ])
        ),
    ]

    @Test(arguments: happenings.indices)
    func `an event survives encoding and decoding`(index: Int) throws {
        let (type, product, happening) = Self.happenings[index]
        let event = Event(sequence: .max - 1, time: Date(timeIntervalSince1970: 1_700_000_000), happening: happening)
        let data = try JSON.encode(event)
        #expect(try JSON.decode(Event.self, from: data) == event)
        #expect(event.productIdentifier == product)
        let members = try #require(try JSONMembers.members(of: data))
        #expect(members["type"] == #""\#(type)""#)
        #expect(members["sequence"] == "18446744073709551614")
        #expect(members["time"] == #""2023-11-14T22:13:20Z""#)
        if let product { #expect(members["productIdentifier"] == #""\#(product)""#) }
    }

    @Test func `a download event has the members of the contract`() throws {
        let event = Event(sequence: 1, time: Date(), happening: .download(Self.transferring))
        let members = try #require(try JSONMembers.members(of: JSON.encode(event)))
        let promised = [
            "operation", "productIdentifier", "store", "state", "activity", "reason", "attempt", "bytesReceived",
            "bytesExpected", "fraction", "error", "kind", "priority", "rate", "secondsLeft", "source", "retryAt",
        ]
        #expect(Set(promised).isSubset(of: members.keys))
        #expect(members["state"] == #""Downloading""# && members["activity"] == #""transferring""#)
        for unknown in [
            "reason", "bytesExpected", "fraction", "error", "kind", "rate", "secondsLeft", "source", "retryAt",
        ] { #expect(members[unknown] == "null") }
    }

    @Test func `an event is progress only while bytes arrive`() {
        func isProgress(_ state: DownloadState, _ activity: DownloadActivity?) -> Bool {
            var status = Self.transferring
            (status.state, status.activity) = (state, activity)
            return Event(sequence: 1, time: Date(), happening: .download(status)).isProgress
        }
        for state in DownloadState.allCases {
            for activity in DownloadActivity.allCases {
                #expect(isProgress(state, activity) == (state == .downloading && activity == .transferring))
            }
            #expect(!isProgress(state, nil))
        }
        #expect(!Event(sequence: 1, time: Date(), happening: .catalogue(store: "main")).isProgress)
    }

    @Test func `an event of an unknown type is decoded`() throws {
        let data = Data(#"{"sequence":7,"time":"2023-11-14T22:13:20Z","type":"weather","wind":[1]}"#.utf8)
        let event = try JSON.decode(Event.self, from: data)
        #expect(event.sequence == 7 && event.happening == .unknown(type: "weather"))
        #expect(event.productIdentifier == nil && event.kind == nil && !event.isProgress)
        #expect(try JSONMembers.members(of: JSON.encode(event))?["type"] == #""weather""#)
        // An object without number or type is not an event.
        for text in [#"{"time":"2023-11-14T22:13:20Z","type":"weather"}"#, #"{"sequence":7,"type":3}"#] {
            #expect(throws: DecodingError.self) { try JSON.decode(Event.self, from: Data(text.utf8)) }
        }
    }
}

@Suite struct DownloadStatusTests {
    @Test(
        arguments: [
            (0, nil, nil), (5, nil, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (15, 10, 1), (0, 0, 1),
        ] as [(Int, Int?, Double?)])
    func `progress is a fraction if the size is known`(received: Int, expected: Int?, fraction: Double?) {
        var status = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", store: "s", bytesReceived: received,
            bytesExpected: expected)
        #expect(status.fraction == fraction)
        status.setProgress(received: 0, expected: nil)
        #expect(status.fraction == nil)
        status.setProgress(received: received, expected: expected)
        #expect(status.fraction == fraction)
    }

    @Test(
        arguments: [
            (nil, 10, nil), (0, 10, nil), (4, nil, nil), (4, 10, 3), (5, 10, 2), (1e-12, 10, nil), (0, 0, nil),
            (4, 0, 0),
        ] as [(Double?, Int?, Int?)])
    func `the time left is known if rate and size are`(rate: Double?, expected: Int?, seconds: Int?) {
        var status = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", store: "s", bytesExpected: expected)
        status.setRate(rate)
        #expect(status.rate == rate.map { Int($0.rounded()) })
        #expect(status.secondsLeft == seconds)
        status.setRate(nil)
        #expect(status.rate == nil && status.secondsLeft == nil)
    }

    @Test func `a download ends in one of three states`() {
        #expect(DownloadState.allCases.filter(\.isEnd) == [.finished, .cancelled, .failed])
    }
}

@Suite struct ErrorReportTests {
    private struct Coded: CodedError {
        let code = ErrorCode("test.word", .conflict)
        let message = "It failed."
    }
    private struct Other: Error {}

    @Test func `an error report survives encoding and decoding`() throws {
        for exitCode in ExitCode.allCases {
            let report = ErrorReport(code: ErrorCode("a.\(exitCode)", exitCode), message: "é\n\"")
            let read = try JSON.decode(ErrorReport.self, from: JSON.encode(report))
            #expect(read == report && read.code.exitCode == exitCode)
        }
    }

    @Test(arguments: ["", #","exitCode":99"#])
    func `a missing or unknown exit code becomes 1`(member: String) throws {
        let report = try JSON.decode(ErrorReport.self, from: Data(#"{"code":"a.b","message":"c"\#(member)}"#.utf8))
        #expect(report.code.rawValue == "a.b" && report.code.exitCode == .failed && report.message == "c")
    }

    @Test func `every error has a report`() {
        #expect(ErrorReport(Coded()).code.rawValue == "test.word" && ErrorReport(Coded()).message == "It failed.")
        #expect(ErrorReport(Coded()).description == "test.word: It failed.")
        #expect(ErrorReport(ErrorReport(Coded())) == ErrorReport(Coded()))
        #expect(ErrorReport(CancellationError()).code == .cancelled)
        #expect(ErrorReport(Other()).code == .unexpected)
    }

    @Test func `error codes with the same identifier are equal`() {
        #expect(ErrorCode("a", .failed) == ErrorCode("a", .network))
        #expect(Set([ErrorCode("a", .failed), ErrorCode("a", .network), ErrorCode("b", .failed)]).count == 2)
    }
}

@Suite struct StoredDocumentsTests {
    @Test func `an entry table survives encoding and decoding`() throws {
        let table = EntryTable(entries: [
            .init(
                path: "a/é.png", method: .stored, offset: 30, compressedSize: 3, size: 3, sha256: .init(of: [1, 2, 3])),
            .init(
                path: "b", method: .deflate, offset: 70, compressedSize: 1, size: 0, sha256: .init(of: []),
                compressedSHA256: .init(of: [3])),
        ])
        let data = try JSON.encode(table)
        #expect(try JSON.decode(EntryTable.self, from: data) == table)
        #expect(try JSON.read(EntryTable.self, from: data) == table)
        #expect(String(decoding: data, as: UTF8.self).contains(#""method":"deflate""#))
        let unknown = String(decoding: data, as: UTF8.self).replacing("deflate", with: "lzma")
        #expect(throws: DecodingError.self) { try JSON.decode(EntryTable.self, from: Data(unknown.utf8)) }
        #expect(throws: JSONReader.Malformed.self) { try JSON.read(EntryTable.self, from: Data(unknown.utf8)) }
    }

    @Test(arguments: [
        (#""x":[{"y":1}],"compressedSHA256":null"#, true), (#""offset":4"#, false), (#""size":-1.5"#, false),
    ])
    func `members of an entry that are unknown or null are ignored, and others have to be valid`(
        members: String, isValid: Bool
    ) throws {
        let entry =
            #"{"path":"a","method":"stored","offset":3,"compressedSize":1,"sha256":"\#(SHA256Digest(of: []).hex)","#
            + (members.contains("size") ? "" : #""size":1,"#) + members + "}"
        let data = Data(#"{"unknown":{},"format":1,"entries":[\#(entry)]}"#.utf8)
        let table = try? JSON.read(EntryTable.self, from: data)
        #expect((table?.entries.count == 1) == isValid && (table?.format == 1) == isValid)
        #expect((try? JSON.decode(EntryTable.self, from: data)) == table)
    }

    @Test func `a receipt survives encoding and decoding`() throws {
        let file = Receipt.File(path: "a/b.png", size: 5, sha256: .init(of: [1]))
        var receipt = Receipt(
            operation: OperationID(), store: "main", productIdentifier: "../../x", kind: .sticker,
            name: LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"]), version: Version("1.0"),
            price: Price("1 EUR"), installedAt: Date(timeIntervalSince1970: 1_700_000_000), held: true,
            asDependency: true, dependencies: ["b", "a"],
            archive: .init(address: "https://h/a%20b.zip", size: 9, sha256: .init(of: [2]), etag: "\"e\""),
            files: [file, file])
        #expect(try JSON.decode(Receipt.self, from: JSON.encode(receipt)) == receipt)
        #expect(receipt.size == 10)
        receipt.rolledBackFrom = OperationID()
        #expect(try JSON.decode(Receipt.self, from: JSON.encode(receipt)) == receipt)
        receipt.version = nil
        receipt.archive = .init(address: nil, size: 9, sha256: .init(of: [2]), etag: nil)
        #expect(try JSON.decode(Receipt.self, from: JSON.encode(receipt)) == receipt)
    }

    @Test(arguments: [
        "https://store.example/archives/HASH.zip", "https://store.example/HASH", "https://store.example/HASH/cups.zip",
        "https://store.example/HASH/HASH?a=HASH", "https://store.example/é/HASHé.zip", "https://h/a-HASH.zip",
        "HASH", "HASH.zip", "", "/",
    ])
    func `the address of an archive is what it was, whether the file is named by its hash or not`(form: String) throws {
        let sha256 = SHA256Digest(of: [2])
        let address = form.replacing("HASH", with: sha256.hex)
        let archive = Receipt.Archive(address: address, size: 9, sha256: sha256, etag: nil)
        #expect(archive.address == address)
        let other = Receipt.Archive(
            address: form.replacing("HASH", with: "0"), size: 9, sha256: sha256, etag: nil, neighbour: archive)
        #expect(other.address == form.replacing("HASH", with: "0"))
        let same = Receipt.Archive(address: address, size: 9, sha256: sha256, etag: nil, neighbour: other)
        #expect(same == archive && same.hashValue == archive.hashValue)
    }

    @Test func `an address is not replaced by an equal one of other bytes`() {
        let addresses = ["https://h/\u{E9}/a.zip", "https://h/e\u{301}/a.zip"]
        #expect(addresses[0] == addresses[1])
        let first = Receipt.Archive(address: addresses[0], size: 9, sha256: .init(of: [2]), etag: nil)
        let second = Receipt.Archive(
            address: addresses[1], size: 9, sha256: .init(of: [2]), etag: nil, neighbour: first)
        #expect(second.address.map { Array($0.utf8) } == Array(addresses[1].utf8))
    }
}

enum JSONMembers {
    /// Returns the members of an object, each as its JSON text.
    static func members(of data: Data) throws -> [String: String]? {
        try JSON.decode([String: Member].self, from: data).mapValues {
            String(decoding: try JSON.encode($0), as: UTF8.self)
        }
    }

    private enum Member: Codable {
        case null
        case truth(Bool)
        case whole(UInt64)
        case number(Double)
        case text(String)
        case array([Member])
        case object([String: Member])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let whole = try? value.decode(UInt64.self) {
                self = .whole(whole)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let truth = try? value.decode(Bool.self) {
                self = .truth(truth)
            } else if let array = try? value.decode([Member].self) {
                self = .array(array)
            } else {
                self = .object(try value.decode([String: Member].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .null: try value.encodeNil()
            case .truth(let truth): try value.encode(truth)
            case .whole(let whole): try value.encode(whole)
            case .number(let number): try value.encode(number)
            case .text(let text): try value.encode(text)
            case .array(let array): try value.encode(array)
            case .object(let object): try value.encode(object)
            }
        }
    }
}
