public import FoundationEssentials
public import StoreArchives
import StoreImages
public import StoreModel
public import StoreSystem

/// The program `store-worker`: a helper that starts a worker for each request, and the work of the workers.
///
/// The helper reads no request and no untrusted byte. At its start it warms up: it unpacks and checks a small pack of
/// its own in the directory that it is given, so that its copies find everything initialized. It copies itself before a
/// request comes, and the copy, the worker, receives the request, confines itself, does the one task and ends. So a
/// worker that an archive took over can't reach the next worker: the copy for that one is made by the helper. Packs
/// that share a worker are not separated from each other.
public struct WorkerProgram {
    private let check: (Directory, ContentRules) throws -> Void
    private let checkInMemory: (FileTree, ContentRules) throws -> Void
    private let describe: (Archive) throws -> Data
    private let importPacks: (ImportTask, ImportFiles) throws -> ImportReport
    private let draw: (PictureTask, OpenFile, OpenFile) throws -> Void
    private let readFont: (FontTask, OpenFile, OpenFile) throws -> FontReport
    private let attack: ((WorkerOrder) throws -> Bool)?

    /// Creates the program.
    ///
    /// - Parameters:
    ///   - check: checks the files of a pack in a directory by the rules of its kind.
    ///   - checkInMemory: checks those of a pack in memory.
    ///   - describe: reads what an archive says of the pack in it, as a JSON document.
    ///   - importPacks: reads the sticker packs of another program.
    public init(
        check: @escaping (Directory, ContentRules) throws -> Void,
        checkInMemory: @escaping (FileTree, ContentRules) throws -> Void,
        describe: @escaping (Archive) throws -> Data,
        importPacks: @escaping (ImportTask, ImportFiles) throws -> ImportReport
    ) {
        self.check = check
        self.checkInMemory = checkInMemory
        self.describe = describe
        self.importPacks = importPacks
        draw = { _, _, _ in throw WorkerProgram.foreignTask }
        readFont = { _, _, _ in throw WorkerProgram.foreignTask }
        attack = nil
    }

    /// Creates a program whose workers draw pictures and read fonts, and do nothing else.
    ///
    /// - Parameters:
    ///   - draw: draws a picture of the images in a file, and writes it to another file.
    ///   - readFont: reads images of emoji from a font file, and writes them to another file.
    public init(
        draw: @escaping (PictureTask, OpenFile, OpenFile) throws -> Void,
        readFont: @escaping (FontTask, OpenFile, OpenFile) throws -> FontReport
    ) {
        check = { _, _ in throw WorkerProgram.foreignTask }
        checkInMemory = { _, _ in throw WorkerProgram.foreignTask }
        describe = { _ in throw WorkerProgram.foreignTask }
        importPacks = { _, _ in throw WorkerProgram.foreignTask }
        self.draw = draw
        self.readFont = readFont
        attack = nil
    }

    /// Creates a program whose workers, once they are confined, run other code and report success, for tests.
    ///
    /// - Parameter attack: returns whether it has done the task; otherwise the worker does it.
    package init(attack: @escaping (WorkerOrder) throws -> Bool) {
        check = { _, _ in }
        checkInMemory = { _, _ in }
        describe = { _ in Data() }
        importPacks = { _, _ in throw WorkerProgram.foreignTask }
        draw = { _, _, _ in }
        readFont = { _, _, _ in throw WorkerProgram.foreignTask }
        self.attack = attack
    }

    /// Runs a program that starts workers, with the socket that is its standard input.
    ///
    /// An error is printed, and ends the program with exit status 1; without a socket, the program exits with 2.
    ///
    /// - Parameters:
    ///   - name: the program's name, for messages.
    ///   - body: what the program does; it returns when the supervisor has ended.
    public static func main(_ name: String, _ body: (MessageSocket) throws -> Void) {
        let socket = MessageSocket(adopting: FileDescriptor.standardInput.rawValue)
        guard socket.isSocket else {
            try? FileDescriptor.standardError.writeAll(
                "error: \(name) can't be run directly; it is started by stored or storehouse\n")
            CurrentProcess.exit(ExitCode.usage.rawValue)
        }
        do {
            try body(socket)
        } catch {
            try? FileDescriptor.standardError.writeAll("error: \(name): \(ErrorReport(error).message)\n")
            CurrentProcess.exit(ExitCode.failed.rawValue)
        }
    }

    private static var foreignTask: StoreError {
        StoreError(.unexpectedError, ["error": "this program does not support the task"])
    }

    /// Starts workers, one at a time, until the supervisor closes its end of the socket.
    ///
    /// To be called by a process with one thread.
    public func run(_ socket: MessageSocket) throws(SystemCallError) {
        // Workers allocate little, and their second thread can use the memory that the first has.
        HeapLimit.set(arenas: 1)
        guard try prepare(socket) else { return }
        while true {
            let worker = try ForkedProcess.start { work(for: socket) }
            let end = try worker.wait(whileOpen: socket)
            if end.exitCode == WorkerExitCode.noRequest { return }
            do throws(SystemCallError) {
                try socket.send(WorkerEnding(end).bytes)
            } catch {
                // The supervisor has ended.
                return
            }
        }
    }

    /// Does the warm-up: everything that takes longer the first time, so that the copies need not do it.
    ///
    /// - Returns: `false` if the supervisor has ended.
    private func prepare(_ socket: MessageSocket) throws(SystemCallError) -> Bool {
        let message = try socket.receive(limit: 64)
        guard message.bytes == WorkerRequest.preparation else { return false }
        _ = ParallelWork.processors
        Confinement.prepare()
        let directory = message.descriptors.first.map { Directory(adopting: $0.rawValue, path: "pack") }
        // On a separate thread, like the work of the copies: they reuse its stack, which the C library keeps.
        if attack == nil, let directory { try? SystemThread.run { try? warmUp(in: directory) } }
        try socket.send(WorkerRequest.ready)
        return true
    }

    /// Unpacks and checks a pack that is part of the program, with the code that workers run.
    ///
    /// The supervisor removes the files that are then in the directory.
    private func warmUp(in directory: Directory) throws {
        let (archive, packs) = (try OpenFile.inMemory(), try OpenFile.inMemory())
        try archive.write(SmallPack.archive)
        let (limits, rules) = (ArchiveLimits(), ContentRules(kind: .sticker, images: ImageLimits(), skinSize: 1 << 20))
        let tasks = [
            (WorkerTask.unpack(limits), archive), (.check(rules), archive), (.describe(limits), archive),
            (.unpackInMemory(limits), archive), (.checkInMemory(rules), packs),
        ]
        for (task, archive) in tasks {
            let request = WorkerRequest(task: task, limits: WorkerLimits(), directories: 1, archives: 1)
            let order = WorkerOrder(
                request: try WorkerRequest(json: JSON.encode(request)), report: .standardError,
                directories: [directory], archives: [archive], output: packs)
            _ = order.confinement
            _ = try report(on: order, ConfinementReport(missing: [:])).json
        }
    }

    /// Receives a request and does what it asks for.
    ///
    /// - Returns: the worker's exit code.
    private func work(for socket: MessageSocket) -> Int32 {
        guard let message = try? socket.receive(limit: 64) else { return WorkerExitCode.refused }
        if message.bytes.isEmpty { return WorkerExitCode.noRequest }
        guard message.bytes == WorkerRequest.message, let work = WorkerOrder(message.descriptors) else {
            return WorkerExitCode.refused
        }
        let confinement = work.confinement.apply()
        guard confinement.isSufficient || work.request.task == .describeConfinement else {
            return WorkerExitCode.refused
        }
        // The first thread of a copied process can't share global variables with other threads; see SystemThread.run.
        guard let report = try? SystemThread.run({ report(on: work, confinement) }),
            let bytes = try? report.json, bytes.count <= WorkerReport.sizeLimit,
            (try? bytes.withUnsafeBytes { try work.report.writeAll($0) }) != nil
        else { return WorkerExitCode.refused }
        return WorkerExitCode.done
    }

    private func report(on work: WorkerOrder, _ confinement: ConfinementReport) -> WorkerReport {
        do {
            if let attack, try attack(work) { return .done }
            switch work.request.task {
            case .describeConfinement:
                return .confinement(
                    missing: Dictionary(uniqueKeysWithValues: confinement.missing.map { ($0.rawValue, $1) }))
            case .unpack(let limits):
                guard let archive = work.archive, let directory = work.directory else { return .malformedRequest }
                try Unpacker(on: .system).write(archive, into: directory, limits: limits)
            case .unpackInMemory(let limits):
                guard let output = work.output else { return .malformedRequest }
                try UnpackedPacks.write(work.archives, to: output, limits: limits)
            case .unpackEntries(let entries, let writesFiles):
                guard let archive = work.archive, !writesFiles || work.directory != nil else {
                    return .malformedRequest
                }
                try Unpacker(on: .system).unpack(entries, of: archive, into: writesFiles ? work.directory : nil)
            case .describe(let limits):
                guard let file = work.archive else { return .malformedRequest }
                let archive = try Archive(file, limits: limits)
                return .described(
                    ArchiveDescription(
                        leftOut: archive.leftOut, size: archive.size, document: try describe(archive)))
            case .check(let rules):
                guard let directory = work.directory else { return .malformedRequest }
                try check(directory, rules)
            case .checkInMemory(let rules):
                guard let file = work.archive else { return .malformedRequest }
                let packs = try SharedFileTrees(file, limit: UnpackedPacks.memoryLimit)
                for pack in packs.trees { try checkInMemory(pack, rules) }
            case .importPacks(let task):
                guard let files = ImportFiles(work, task) else { return .malformedRequest }
                return .imported(try importPacks(task, files))
            case .draw(let task):
                guard let images = work.archive, let output = work.output else { return .malformedRequest }
                try draw(task, images, output)
            case .readFont(let task):
                guard let font = work.archive, let output = work.output else { return .malformedRequest }
                return .fontRead(try readFont(task, font, output))
            }
            return .done
        } catch let error as StoreError where error.isArchiveRejection {
            if case .error(let cause) = error.cause { return .archiveRejected(ErrorReport(cause)) }
            return .failed(ErrorReport(error))
        } catch {
            return .failed(ErrorReport(error))
        }
    }
}

extension WorkerReport {
    fileprivate static var malformedRequest: WorkerReport {
        .failed(ErrorReport(StoreError(.unexpectedError, ["error": "the request lacks file descriptors"])))
    }
}

/// The open files of an import in a worker: a directory or a ZIP file, and a file for the archive of one pack.
public struct ImportFiles {
    /// The directory to import; `nil` for a ZIP file.
    public let directory: Directory?
    /// The ZIP file to import; `nil` for a directory.
    public let archive: OpenFile?
    /// The empty file for the archive of the task's pack, if the task names one.
    public let output: OpenFile?

    /// Takes the files of a request; `nil` if some are missing.
    fileprivate init?(_ order: WorkerOrder, _ task: ImportTask) {
        guard (order.directory == nil) != (order.archive == nil), (order.output != nil) == (task.pack != nil) else {
            return nil
        }
        (directory, archive, output) = (order.directory, order.archive, order.output)
    }
}

/// A request that a worker has received, with its open files.
package struct WorkerOrder {
    let request: WorkerRequest
    package let report: FileDescriptor
    package let directories: [Directory]
    package let archives: [OpenFile]
    package let output: OpenFile?

    /// The directory of a task that has one.
    var directory: Directory? { directories.first }
    /// The archive, the file with images or the font of a task that has one.
    var archive: OpenFile? { archives.first }

    fileprivate init(
        request: WorkerRequest, report: FileDescriptor, directories: [Directory], archives: [OpenFile], output: OpenFile
    ) {
        self.request = request
        self.report = report
        self.directories = directories
        self.archives = archives
        self.output = output
    }

    /// Reads a request from the descriptors that came with it; `nil` if it is malformed.
    init?(_ descriptors: [FileDescriptor]) {
        guard descriptors.count >= 2 else { return nil }
        let file = OpenFile(
            descriptor: descriptors[WorkerRequest.Descriptor.request.rawValue].rawValue, path: "request")
        guard let data = try? file.readAll(limit: WorkerRequest.sizeLimit),
            let request = try? WorkerRequest(json: data)
        else { return nil }
        let others = descriptors.dropFirst(2).map(\.rawValue)
        let count = request.directories + request.archives
        guard others.count >= count + (request.hasOutput ? 1 : 0) else { return nil }
        self.request = request
        report = descriptors[WorkerRequest.Descriptor.report.rawValue]
        directories = others.prefix(request.directories).map { Directory(adopting: $0, path: "pack") }
        archives = others[request.directories..<count].map { OpenFile(descriptor: $0, path: "archive") }
        output = request.hasOutput ? OpenFile(descriptor: others[count], path: "output") : nil
    }

    /// What confines a process to the files of the request.
    fileprivate var confinement: Confinement {
        let access: Confinement.Access =
            switch request.task {
            case .check, .checkInMemory, .importPacks: .reading
            default: .creating
            }
        var kept: Set = [report]
        for file in archives + (output.map { [$0] } ?? []) { kept.insert(FileDescriptor(rawValue: file.descriptor)) }
        var confinement = Confinement(directories: directories, access: access, keeping: kept)
        confinement.memoryLimit = request.limits.memory
        confinement.openFileLimit += directories.count + archives.count
        confinement.processorTimeLimit = max(1, Int(request.limits.time.components.seconds))
        if case .unpack(let limits) = request.task { confinement.fileSizeLimit = limits.unpackedSize }
        if case .unpackInMemory = request.task { confinement.fileSizeLimit = UnpackedPacks.memoryLimit }
        if case .draw(let task) = request.task { confinement.fileSizeLimit = task.sizeLimit }
        if case .readFont = request.task { confinement.fileSizeLimit = FontTask.sizeLimit }
        if case .importPacks(let task) = request.task { confinement.fileSizeLimit = task.archives.unpackedSize }
        return confinement
    }
}
