import FoundationEssentials
import StoreArchives
import StoreImages
import StoreModel

// The messages of each installation are read and written without Foundation's coders: in a process that was copied a moment
// ago, these take longer than the work on a small pack.

extension WorkerRequest {
    /// Reads a request from JSON.
    init(json: Data) throws {
        if let frequent = try? JSON.read(FrequentRequest.self, from: json) {
            self = frequent.request
        } else {
            self = try JSON.decode(WorkerRequest.self, from: json)
        }
    }
}

extension WorkerReport {
    /// The report as JSON.
    var json: Data { get throws { self == .done ? Self.doneJSON : try JSON.encode(self) } }

    /// Reads a report from JSON.
    init(json: Data) throws {
        self = json == Self.doneJSON ? .done : try JSON.decode(WorkerReport.self, from: json)
    }

    private static let doneJSON = Data(#"{"done":{}}"#.utf8)
}

/// A request to unpack archives or to check packs; reading any other one fails.
struct FrequentRequest: JSONReadable {
    let request: WorkerRequest

    init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var (task, limits): (WorkerTask?, WorkerLimits?) = (nil, nil)
        var (directories, archives): (Int?, Int?) = (nil, nil)
        try reader.object { reader, name throws(JSONReader.Malformed) in
            switch name {
            case "task": task = try reader.frequentTask()
            case "limits": limits = try reader.workerLimits()
            case "directories": directories = try reader.integer()
            case "archives": archives = try reader.integer()
            default: throw reader.malformed
            }
        }
        guard let task, let limits, let directories, let archives else { throw reader.malformed }
        request = WorkerRequest(task: task, limits: limits, directories: directories, archives: archives)
    }
}

extension JSONReader {
    fileprivate mutating func frequentTask() throws(Malformed) -> WorkerTask {
        var task: WorkerTask?
        try object { reader, name throws(Malformed) in
            switch name {
            case "unpack":
                task = .unpack(try reader.associatedValue { reader throws(Malformed) in try reader.archiveLimits() })
            case "unpackInMemory":
                task = .unpackInMemory(
                    try reader.associatedValue { reader throws(Malformed) in try reader.archiveLimits() })
            case "check":
                task = .check(try reader.associatedValue { reader throws(Malformed) in try reader.contentRules() })
            case "checkInMemory":
                task = .checkInMemory(
                    try reader.associatedValue { reader throws(Malformed) in try reader.contentRules() })
            default: throw reader.malformed
            }
        }
        guard let task else { throw malformed }
        return task
    }

    /// Reads the only value of an enumeration's case, as `Codable` encodes it.
    private mutating func associatedValue<Value>(
        _ read: (inout JSONReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value {
        var value: Value?
        try object { reader, name throws(Malformed) in
            guard "_0" ~= name else { throw reader.malformed }
            value = try read(&reader)
        }
        guard let value else { throw malformed }
        return value
    }

    /// Reads an object that has exactly the members that `member` reads, which returns `false` for an unknown one.
    private mutating func object(
        ofMembers count: Int, _ member: (inout JSONReader, Name) throws(Malformed) -> Bool
    ) throws(Malformed) {
        var read = 0
        try object { reader, name throws(Malformed) in
            guard try member(&reader, name) else { throw reader.malformed }
            read += 1
        }
        if read != count { throw malformed }
    }

    fileprivate mutating func workerLimits() throws(Malformed) -> WorkerLimits {
        var limits = WorkerLimits()
        try object(ofMembers: 2) { reader, name throws(Malformed) in
            switch name {
            case "memory": limits.memory = try reader.integer()
            case "time": limits.time = try reader.duration()
            default: return false
            }
            return true
        }
        return limits
    }

    /// Reads a duration as `Codable` encodes it: the two halves of the number of attoseconds.
    private mutating func duration() throws(Malformed) -> Duration {
        var halves: [Int128] = []
        try array { reader throws(Malformed) in
            halves.append(halves.isEmpty ? Int128(try reader.integer()) : Int128(try reader.unsigned()))
        }
        guard halves.count == 2 else { throw malformed }
        return Duration(attoseconds: halves[0] << 64 | halves[1])
    }

    private mutating func archiveLimits() throws(Malformed) -> ArchiveLimits {
        var limits = ArchiveLimits()
        try object(ofMembers: 10) { reader, name throws(Malformed) in
            switch name {
            case "entries": limits.entries = try reader.integer()
            case "directorySize": limits.directorySize = try reader.integer()
            case "unpackedSize": limits.unpackedSize = try reader.integer()
            case "ratio": limits.ratio = try reader.integer()
            case "ratioFloor": limits.ratioFloor = try reader.integer()
            case "depth": limits.depth = try reader.integer()
            case "pathLength": limits.pathLength = try reader.integer()
            case "nameLength": limits.nameLength = try reader.integer()
            case "entryTableSize": limits.entryTableSize = try reader.integer()
            case "hiddenEntries":
                guard let treatment = HiddenEntries(rawValue: try reader.string()) else { throw reader.malformed }
                limits.hiddenEntries = treatment
            default: return false
            }
            return true
        }
        return limits
    }

    private mutating func contentRules() throws(Malformed) -> ContentRules {
        var rules = ContentRules(kind: .sticker, images: ImageLimits(), skinSize: 0)
        try object(ofMembers: 3) { reader, name throws(Malformed) in
            switch name {
            case "kind": rules.kind = ProductKind(rawValue: try reader.string())
            case "images": rules.images = try reader.imageLimits()
            case "skinSize": rules.skinSize = try reader.integer()
            default: return false
            }
            return true
        }
        return rules
    }

    private mutating func imageLimits() throws(Malformed) -> ImageLimits {
        var limits = ImageLimits()
        try object(ofMembers: 5) { reader, name throws(Malformed) in
            switch name {
            case "pixels": limits.pixels = try reader.integer()
            case "frames": limits.frames = try reader.integer()
            case "allPixels": limits.allPixels = try reader.integer()
            case "size": limits.size = try reader.integer()
            case "drawingSize": limits.drawingSize = try reader.integer()
            default: return false
            }
            return true
        }
        return limits
    }
}
