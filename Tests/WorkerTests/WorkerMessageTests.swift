import FoundationEssentials
import StoreArchives
import StoreImages
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreWorker

/// The messages between the supervisor, a helper and its workers.
@Suite struct WorkerMessageTests {
    @Test func `a request is the same after it was sent`() throws {
        let digest = SHA256Digest(of: [1])
        let entry = EntryTable.Entry(
            path: "a", method: .deflate, offset: 40, compressedSize: 3, size: 5, sha256: digest,
            compressedSHA256: digest)
        var importTask = ImportTask(
            name: "a.zip", chosenFile: nil, format: "line", key: "k", archives: ArchiveLimits(), images: ImageLimits())
        importTask.pack = 1
        let tasks: [WorkerTask] = [
            .importPacks(importTask),
            .unpack(ArchiveLimits()), .unpackInMemory(ArchiveLimits()),
            .unpackEntries([SelectedEntry(path: "b", entry: entry)], writesFiles: true),
            .check(ContentRules(kind: .skin, images: ImageLimits(), skinSize: 7)),
            .checkInMemory(ContentRules(kind: .emoji, images: ImageLimits(), skinSize: 7)), .describeConfinement,
            .draw(.thumbnail(pixels: 64, isAnimated: true)),
            .draw(.contactSheet(images: [0..<7, nil], pixels: 64, columns: 2)),
            .readFont(FontTask(emoji: [[0x1F600], [0x1F468, 0x200D, 0x1F33E]], images: ImageLimits())),
        ]
        for task in tasks {
            let request = WorkerRequest(task: task, limits: WorkerLimits(), directories: 1, archives: 3)
            #expect(try WorkerRequest(json: JSON.encode(request)) == request)
        }
    }

    @Test func `the requests of each installation are read without Foundation`() throws {
        var (archives, images, limits) = (ArchiveLimits(), ImageLimits(), WorkerLimits())
        (archives.entries, archives.directorySize, archives.unpackedSize, archives.ratio) = (1, 2, 3, 4)
        (archives.ratioFloor, archives.depth, archives.pathLength, archives.nameLength) = (5, 6, 7, 8)
        (archives.entryTableSize, archives.hiddenEntries) = (9, .leftOut)
        (images.pixels, images.frames, images.allPixels, images.size, images.drawingSize) = (10, 11, 12, 13, 14)
        limits.memory = 15
        let rules = ContentRules(kind: .emoji, images: images, skinSize: 16)
        let tasks: [(WorkerTask, isArchive: Bool)] = [
            (.unpack(archives), true), (.unpackInMemory(archives), true), (.check(rules), false),
            (.checkInMemory(rules), true),
        ]
        for (task, isArchive) in tasks {
            for time in [Duration.milliseconds(1), .seconds(300), .seconds(1 << 40), .seconds(-1)] {
                limits.time = time
                let request = WorkerRequest(task: task, limits: limits, directories: 2, archives: isArchive ? 2 : 0)
                let json = try JSON.encode(request)
                #expect(try JSON.read(FrequentRequest.self, from: json).request == request)
                // What this build does not know is left to the decoder that all requests are made for.
                let text = String(decoding: json, as: UTF8.self)
                for changed in ["\"memory\":15": "\"memory\":15,\"more\":1", "\"memory\":15,": ""] {
                    let other = Data(text.replacing(changed.key, with: changed.value).utf8)
                    #expect(other != json)
                    #expect(throws: JSONReader.Malformed.self) { try JSON.read(FrequentRequest.self, from: other) }
                }
            }
        }
    }

    @Test func `a report is the same after it was sent`() throws {
        let error = ErrorReport(code: .svgActive, message: "m")
        for report in [WorkerReport.done, .failed(error), .confinement(missing: ["a": "b"])] {
            #expect(try report.json == JSON.encode(report))
            #expect(try WorkerReport(json: report.json) == report)
        }
    }

    @Test func `a report on a font has a result for each emoji, and names only bytes that were written`() throws {
        var task = FontTask(emoji: [[1], [2], [3]], images: ImageLimits())
        task.images.size = 50
        let refused = ErrorReport(code: .svgActive, message: "m")
        let report = FontReport(results: [.image(0..<50), .missing, .refused(refused)])
        #expect(try JSON.decode(FontReport.self, from: JSON.encode(report)) == report)
        #expect(report.isWellFormed(for: task, size: 50) && !report.isWellFormed(for: task, size: 49))
        #expect(!FontReport(results: [.missing, .missing]).isWellFormed(for: task, size: 50))
        for range in [-1..<3, 0..<51, 100..<100, Int.min..<0] {
            let forged = FontReport(results: [.image(range), .missing, .missing])
            #expect(!forged.isWellFormed(for: task, size: 60), "\(range)")
        }
        #expect(!report.isWellFormed(for: task, size: FontTask.sizeLimit + 1))
        #expect(throws: (any Error).self) {
            try JSON.decode(FontReport.self, from: Data(#"{"results":[{"image":{"_0":[5,2]}}]}"#.utf8))
        }
    }

    @Test func `a helper's message is three numbers, of which one says how the worker ended`() {
        let ends = [
            ProcessEnd(exitCode: 0, largestMemory: 1 << 40), ProcessEnd(exitCode: 255), ProcessEnd(signal: 9),
        ]
        for end in ends { #expect(WorkerEnding(WorkerEnding(end).bytes)?.end == end) }
        #expect(WorkerEnding([]) == nil)
        #expect(WorkerEnding([UInt8](repeating: 0, count: 23)) == nil)
        // Both an exit code and a signal; neither; a size below 0.
        #expect(WorkerEnding([UInt8](repeating: 0, count: 24)) == nil)
        #expect(WorkerEnding([UInt8](repeating: 0xFF, count: 24)) == nil)
        let negative = WorkerEnding(ProcessEnd(exitCode: 0)).bytes.prefix(16) + [UInt8](repeating: 0xFF, count: 8)
        #expect(WorkerEnding(Array(negative)) == nil)
    }

    @Test func `a worker's error is passed on without permissions, and cut`() throws {
        let long = String(repeating: "x", count: 10_000)
        let report = WorkerReport.failed(
            ErrorReport(code: .executable, message: "a\u{1B}[2J" + long, permissions: [.code]))
        let error = try #require(throws: StoreError.self) { try report.requireDone(nil) }
        #expect(error.code == .executable && error.code.exitCode == .refused && error.permissions.isEmpty)
        #expect(error.message.utf8.count < 3000 && !error.message.contains("\u{1B}"))
    }

    @Test(arguments: [ErrorCode("consent.needed", .conflict), ErrorCode("A B", .refused), ErrorCode("", .done)])
    func `an error that a worker can't have is that of a worker that crashed`(code: ErrorCode) throws {
        let report = WorkerReport.failed(ErrorReport(code: code, message: "m"))
        let error = try #require(throws: StoreError.self) { try report.requireDone(nil) }
        #expect(error.code == .workerCrashed)
    }

    @Test func `a worker may report only imported packs, with as many stickers as images at most`() {
        let files = [ImportReport.File(source: "a.png", outcome: .taken, file: "a.png")]
        func isWellFormed(_ identifier: String, _ count: Int) -> Bool {
            let pack = ImportReport.Pack(
                productIdentifier: identifier, name: LocalizedText("a"), count: count, files: files)
            return ImportReport(format: "kde", packs: [pack]).isWellFormed
        }
        #expect(isWellFormed("import.kde.a", 1) && isWellFormed("import.kde.a", 0))
        for identifier in [
            "org.example.a", "import.line.a", "import.kde", "import.kde." + String(repeating: "a", count: 300),
        ] {
            #expect(!isWellFormed(identifier, 1), "\(identifier)")
        }
        #expect(!isWellFormed("import.kde.a", 2) && !isWellFormed("import.kde.a", -1))
    }

    @Test func `the error of an archive names the archive`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.directory.createFile("a.zip")
        let report = WorkerReport.archiveRejected(ErrorReport(StoreError(.archiveIsUnknownFile)))
        let error = try #require(throws: StoreError.self) { try report.requireDone(file) }
        #expect(error.isArchiveRejection && error.code == .archiveNoEndRecord && error.message.contains("a.zip"))
    }

    // MARK: Sockets

    @Test func `open files come with a message in their order`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = try MessageSocket.pair()
        #expect(first.isSocket && !MessageSocket(adopting: -1).isSocket)
        let files = try ["a", "b"].map { name in
            try folder.directory.put(name, name)
            return try folder.directory.openFile(name)
        }
        try first.send([1, 2], descriptors: files.map { FileDescriptor(rawValue: $0.descriptor) })
        let message = try second.receive(limit: 10)
        #expect(message.bytes == [1, 2])
        let received = message.descriptors.map { OpenFile(descriptor: $0.rawValue, path: "") }
        #expect(try received.map { try $0.read(count: 9, at: 0) } == [Array("a".utf8), Array("b".utf8)])
    }

    @Test func `a message that is too long or carries too many files is refused`() throws {
        let (first, second) = try MessageSocket.pair()
        let descriptor = FileDescriptor(rawValue: first.descriptor)
        try first.send([1, 2, 3], descriptors: [descriptor])
        #expect(throws: SystemCallError.self) { try second.receive(limit: 2) }
        let many = [FileDescriptor](repeating: descriptor, count: MessageSocket.descriptorLimit + 1)
        #expect(throws: SystemCallError.self) { try first.send([1], descriptors: many) }
    }

    @Test func `a file that is opened again for reading can't be written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.directory.createFile("a")
        let again = try file.reopenedForReading()
        #expect(throws: StoreError.self) { try again.write([1], at: 0) }
        try file.write([1], at: 0)
        #expect(try again.read(count: 2, at: 0) == [1])
    }
}
