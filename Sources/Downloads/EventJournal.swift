import FoundationEssentials
import StoreModel
import StoreSystem

/// The last events on the disk, so that whoever saw one of them can go on after a restart. Progress is not kept.
///
/// Events lie in two files, each a header and then a line for every event. When the newer one is full, it becomes the
/// older one and that goes. What was written outlives the process however that ends, without a sync. It does not outlive
/// the machine; so the header says in which boot of it the file was written, and whether it was closed in order, which
/// syncs it. A file of another boot that was not closed may lack its last events. It is worth nothing then: a gap that
/// nobody is told of would be worse than none of it.
///
/// No failure of the disk is the concern of whoever publishes. After one, what is there is removed, and the next events
/// make a new beginning: readers from before it are told that what they ask for is gone.
struct EventJournal: Sendable {
    static let fileNames = ["events.0", "events.1"]

    private let folder: Directory
    private let boot: String
    private let limit: Int
    private var file: OpenFile?
    /// Which of the names the newer file has.
    private var place = 0
    private var size = 0
    /// The file before, until a close syncs it too.
    private var older: OpenFile?
    /// Whether the header says that the file is being written in this boot.
    private var isMarked = false
    private var hasNewNames = false
    /// The number of the last event that was kept, or could not be.
    private var covered: UInt64 = 0
    private var mustForget = false
    /// Why nothing is kept at the moment.
    private(set) var failure: FileError?
    /// What was there when it was opened.
    let earlier: EarlierEvents

    /// - Parameters:
    ///   - folder: where the files lie.
    ///   - boot: the machine's present boot; `nil` where that can't be known.
    ///   - limit: how many bytes make a file full.
    init(in folder: Directory, boot: String? = EventJournal.presentBoot, limit: Int = 4 << 20) {
        self.folder = folder
        self.boot = boot ?? ""
        self.limit = limit
        do {
            let found = try Self.files(in: folder)
            guard let newest = found.last else {
                earlier = EarlierEvents()
                return
            }
            let isClosed = newest.header.closed == newest.size
            guard isClosed || (boot != nil && newest.header.boot == boot) else {
                earlier = EarlierEvents()
                // Where that fails now, it is tried again before anything is kept.
                try? forget()
                return
            }
            file = newest.file
            place = newest.place
            isMarked = !isClosed
            // The end of the last line may be missing where the process was killed. Nobody was told of that event.
            size = isClosed ? newest.size : try Self.wholeLines(of: newest.file, newest.size)
            if size < newest.size { try newest.file.truncate(to: size) }
            let parts = found.dropLast().map {
                EarlierEvents.Part(file: $0.file, size: $0.size, after: $0.header.after)
            }
            earlier = EarlierEvents(
                parts: parts + [.init(file: newest.file, size: size, after: newest.header.after)], wasClosed: isClosed)
        } catch {
            earlier = EarlierEvents()
            failed(error)
        }
    }

    private struct Found {
        let place: Int
        let file: OpenFile
        let header: Header
        let size: Int
    }

    /// The older one first.
    private static func files(in folder: Directory) throws(FileError) -> [Found] {
        var found: [Found] = []
        for (place, name) in fileNames.enumerated() {
            guard try folder.status(of: name) != nil else { continue }
            let file = try folder.openOrCreateFile(name)
            if let header = Header(try file.read(count: Header.length, at: 0)) {
                found.append(Found(place: place, file: file, header: header, size: try file.status().size))
            } else {
                // It was being begun when the process ended.
                try folder.remove(name)
            }
        }
        return found.sorted { $0.header.after < $1.header.after }
    }

    /// How many bytes there are up to the end of the last line.
    private static func wholeLines(of file: OpenFile, _ size: Int) throws(FileError) -> Int {
        var end = size
        while end > Header.length {
            let start = max(Header.length, end - 4096)
            let bytes = try file.read(count: end - start, at: start)
            if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + last + 1 }
            end = start
        }
        return Header.length
    }

    /// Says which number the next event will have at least.
    mutating func begin(with first: UInt64) {
        // Behind what is there nothing is missing: all numbers from there up to here were never given, or were progress.
        covered = first - 1
    }

    /// Keeps events, in their order. Returns when they are where no end of the process can lose them.
    mutating func append(_ events: [EncodedEvent]) {
        guard let last = events.last else { return }
        do throws(FileError) {
            if mustForget { try forget() }
            try write(events)
            failure = nil
        } catch {
            failed(error)
        }
        covered = last.sequence
    }

    private mutating func write(_ events: [EncodedEvent]) throws(FileError) {
        var bytes: [UInt8] = []
        if file == nil || size > limit {
            try beginFile()
            bytes += Header(after: covered, boot: boot, closed: 0).bytes
        } else if !isMarked {
            try mark(closed: 0)
            // The mark of an order in which it no longer is must not outlive a power cut that loses what follows.
            try file?.sync()
            isMarked = true
        }
        for event in events {
            bytes += "\(event.sequence) \(event.subject.text) ".utf8
            bytes += event.encoded
            bytes.append(UInt8(ascii: "\n"))
        }
        try file?.write(bytes, at: size)
        size += bytes.count
    }

    private mutating func beginFile() throws(FileError) {
        let next = file == nil ? place : 1 - place
        try removeIfThere(Self.fileNames[next])
        let new = try folder.createFile(Self.fileNames[next], mode: 0o600)
        older = file
        file = new
        place = next
        size = 0
        isMarked = true
        hasNewNames = true
    }

    private func mark(closed: Int) throws(FileError) {
        guard let file else { return }
        // The header keeps the number that the file began after.
        guard var header = Header(try file.read(count: Header.length, at: 0)) else {
            throw FileError(.fileFailed, "'\(file.path)' was changed by somebody else.")
        }
        header.boot = boot
        header.closed = closed
        try file.write(header.bytes, at: 0)
    }

    /// Says that all is there, and has it on the disk.
    mutating func close() {
        guard let file, isMarked else { return }
        do throws(FileError) {
            try older?.sync()
            try file.sync()
            if hasNewNames { try folder.sync() }
            try mark(closed: size)
            try file.sync()
            isMarked = false
            hasNewNames = false
            older = nil
        } catch {
            // It stays what it was: whole as long as the machine runs.
            failure = error
        }
    }

    private mutating func failed(_ error: FileError) {
        failure = error
        mustForget = true
        try? forget()
    }

    /// Removes what is there. Who reads from it still can.
    private mutating func forget() throws(FileError) {
        (file, older, size, isMarked) = (nil, nil, 0, false)
        mustForget = true
        for name in Self.fileNames { try removeIfThere(name) }
        mustForget = false
        hasNewNames = true
    }

    private func removeIfThere(_ name: String) throws(FileError) {
        do { try folder.remove(name) } catch let error where error.isMissing {}
    }

    /// Of the machine; another one after each start of it.
    static var presentBoot: String? {
        guard let bytes = try? OpenFile.open("/proc/sys/kernel/random/boot_id").read(count: Header.bootLength, at: 0),
            bytes.count == Header.bootLength
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of a file, of the same length always, so that it can be changed in its place.
    private struct Header {
        /// The number of the last event that is not in it.
        var after: UInt64
        var boot: String
        /// How long the file was when it was closed in order; 0 while it is written.
        var closed: Int

        static let bootLength = 36
        static let length = Header(after: 0, boot: "", closed: 0).bytes.count

        init(after: UInt64, boot: String, closed: Int) {
            self.after = after
            self.boot = boot
            self.closed = closed
        }

        var bytes: [UInt8] {
            let boot = boot.isEmpty ? String(repeating: "-", count: Self.bootLength) : boot
            return Array("events 1 after \(Self.wide(after)) boot \(boot) closed \(Self.wide(closed))\n".utf8)
        }

        init?(_ bytes: [UInt8]) {
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard bytes.count == Self.length, bytes.last == UInt8(ascii: "\n"), words.count == 8,
                words[0] == "events", words[1] == "1", words[2] == "after", let after = UInt64(words[3]),
                words[4] == "boot", words[6] == "closed", let closed = Int(words[7].dropLast())
            else { return nil }
            self.init(after: after, boot: String(words[5]), closed: closed)
        }

        private static func wide(_ number: some BinaryInteger) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
        }
    }
}
