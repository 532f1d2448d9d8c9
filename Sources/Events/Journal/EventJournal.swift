import FoundationEssentials
import StoreModel
import StoreSystem

/// The event journal: files of recent events on disk, from which subscribers continue after a restart.
///
/// The journal contains no progress events. Events are in two files, each a header and then one line per event. When
/// the newer file is full, it becomes the older one, and the previous older one is removed. Written bytes survive the
/// process without a sync, however the process ends, but not a failure of the machine. So the header contains the
/// machine's boot in which the file was written, and whether the file was closed in order, which includes a sync. A
/// file of another boot that was not closed may lack its last events. It is discarded, because a gap that no subscriber
/// notices would be worse than an expired journal.
///
/// A failure of the disk never stops the publisher. After a failure, the files are removed and the next events begin
/// new ones: for subscribers with an older cursor, the events have expired.
struct EventJournal: Sendable {
    static let fileNames = ["events.0", "events.1"]
    /// The size in bytes at which a file of the event journal is full and the other one is begun.
    static let defaultFileSize = 4 << 20

    private let directory: Directory
    private let boot: String
    private let fileSizeLimit: Int
    /// The newer file of the event journal, to which events are appended; `nil` before the first event.
    private var file: OpenFile?
    /// The index of the name of the event journal's newer file in ``fileNames``.
    private var fileIndex = 0
    private var size = 0
    /// The older file of the event journal, which is synced when the journal is closed; `nil` if there is none.
    private var olderFile: OpenFile?
    /// Whether the header of the journal's newer file states that the file is being written in this boot.
    private var isHeaderOpen = false
    private var hasNewNames = false
    /// The number of the last event that was written to the journal, or that could not be written.
    private var lastSequence: UInt64 = 0
    private var mustReset = false
    /// The error because of which events are not written to the journal at the moment; `nil` while they are written.
    private(set) var failure: StoreError?
    /// A reader of the events that were in the event journal when it was opened.
    let reader: EventJournalReader

    /// Opens the event journal in a directory, and creates no file before the first event.
    ///
    /// - Parameters:
    ///   - directory: The directory of the files.
    ///   - boot: The identifier of the machine's current boot; `nil` if it can't be determined.
    ///   - fileSizeLimit: The size of a file in bytes from which on the other file is begun.
    init(
        in directory: Directory, boot: String? = EventJournal.currentBoot,
        fileSizeLimit: Int = EventJournal.defaultFileSize
    ) {
        self.directory = directory
        self.boot = boot ?? ""
        self.fileSizeLimit = fileSizeLimit
        do {
            let found = try Self.files(in: directory)
            guard let newest = found.last else {
                reader = EventJournalReader()
                return
            }
            let isClosed = newest.header.closedSize == newest.size
            guard isClosed || (boot != nil && newest.header.boot == boot) else {
                reader = EventJournalReader()
                // If removing the files fails now, it is tried again before an event is written.
                try? reset()
                return
            }
            file = newest.file
            fileIndex = newest.index
            isHeaderOpen = !isClosed
            // A killed process may have written part of the last line; no subscriber received that event.
            size = isClosed ? newest.size : try Self.sizeOfWholeLines(of: newest.file, newest.size)
            if size < newest.size { try newest.file.truncate(to: size) }
            let older = found.dropLast().map {
                EventJournalReader.Part(file: $0.file, size: $0.size, precedingSequence: $0.header.precedingSequence)
            }
            let newer = EventJournalReader.Part(
                file: newest.file, size: size, precedingSequence: newest.header.precedingSequence)
            reader = EventJournalReader(parts: older + [newer], wasClosed: isClosed)
        } catch {
            reader = EventJournalReader()
            recordFailure(error)
        }
    }

    private struct FoundFile {
        let index: Int
        let file: OpenFile
        let header: EventJournalHeader
        let size: Int
    }

    /// Returns the existing files of the event journal, the older one first.
    private static func files(in directory: Directory) throws(StoreError) -> [FoundFile] {
        var found: [FoundFile] = []
        for (index, name) in fileNames.enumerated() {
            guard try directory.status(of: name) != nil else { continue }
            let file = try directory.openOrCreateFile(name)
            if let header = EventJournalHeader(try file.read(count: EventJournalHeader.length, at: 0)) {
                found.append(FoundFile(index: index, file: file, header: header, size: try file.status().size))
            } else {
                // The process ended while it began this file.
                try directory.remove(name)
            }
        }
        return found.sorted { $0.header.precedingSequence < $1.header.precedingSequence }
    }

    /// Returns the number of bytes of a journal file up to the end of the last whole line.
    private static func sizeOfWholeLines(of file: OpenFile, _ size: Int) throws(StoreError) -> Int {
        var end = size
        while end > EventJournalHeader.length {
            let start = max(EventJournalHeader.length, end - 4096)
            let bytes = try file.read(count: end - start, at: start)
            if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + last + 1 }
            end = start
        }
        return EventJournalHeader.length
    }

    /// Sets the lowest number that the next event of the journal can have.
    ///
    /// No event is missing between those in the journal and this number: the numbers in between were never used, or
    /// were those of progress events.
    mutating func setFirstSequence(_ first: UInt64) { lastSequence = first - 1 }

    /// Appends events to the journal, in their order; after the return they survive the end of the process.
    mutating func append(_ events: [EncodedEvent]) {
        guard let last = events.last else { return }
        do throws(StoreError) {
            if mustReset { try reset() }
            try write(events)
            failure = nil
        } catch {
            recordFailure(error)
        }
        lastSequence = last.sequence
    }

    /// Discards all events, because events before a number were dropped and are not in the journal.
    mutating func expire(before gap: UInt64) {
        lastSequence = gap
        // If removing the files fails now, it is tried again before an event is written.
        try? reset()
    }

    private mutating func write(_ events: [EncodedEvent]) throws(StoreError) {
        var bytes: [UInt8] = []
        if !isHeaderOpen, let file {
            try writeHeader(closedSize: 0)
            // A header that says "closed" must not outlive a power cut that loses the events that follow, also where it
            // loses the name of the file with them.
            try file.sync()
            isHeaderOpen = true
        }
        if file == nil || size > fileSizeLimit {
            try beginFile()
            bytes += EventJournalHeader(precedingSequence: lastSequence, boot: boot, closedSize: 0).bytes
        }
        for event in events {
            bytes += "\(event.sequence) \(event.subject.text) ".utf8
            bytes += event.encoded
            bytes.append(UInt8(ascii: "\n"))
        }
        try file?.write(bytes, at: size)
        size += bytes.count
    }

    private mutating func beginFile() throws(StoreError) {
        let next = file == nil ? fileIndex : 1 - fileIndex
        try removeIfPresent(Self.fileNames[next])
        let new = try directory.createFile(Self.fileNames[next], mode: 0o600)
        olderFile = file
        file = new
        fileIndex = next
        size = 0
        isHeaderOpen = true
        hasNewNames = true
    }

    /// Rewrites the header of the event journal's newer file.
    ///
    /// - Parameter closedSize: the length of the file in bytes if it is closed in order; 0 while it is written.
    private func writeHeader(closedSize: Int) throws(StoreError) {
        guard let file else { return }
        guard var header = EventJournalHeader(try file.read(count: EventJournalHeader.length, at: 0)) else {
            throw StoreError(.fileChangedByOther, ["path": file.path])
        }
        header.boot = boot
        header.closedSize = closedSize
        try file.write(header.bytes, at: 0)
    }

    /// Syncs the files of the event journal and marks the newer one as closed in order.
    ///
    /// Files that lack events are removed. Only where the disk still refuses that do they stay, as those of a process
    /// that was killed.
    mutating func close() {
        if mustReset { try? reset() }
        guard let file, isHeaderOpen else { return }
        do throws(StoreError) {
            try olderFile?.sync()
            try file.sync()
            if hasNewNames { try directory.sync() }
            try writeHeader(closedSize: size)
            try file.sync()
            isHeaderOpen = false
            hasNewNames = false
            olderFile = nil
        } catch {
            // The file stays valid for the rest of this boot.
            failure = error
        }
    }

    private mutating func recordFailure(_ error: StoreError) {
        failure = error
        mustReset = true
        try? reset()
    }

    /// Removes the files of the event journal; a reader that has them open can still read them.
    private mutating func reset() throws(StoreError) {
        (file, olderFile, size, isHeaderOpen) = (nil, nil, 0, false)
        mustReset = true
        var failure: StoreError?
        for name in Self.fileNames {
            do { try removeIfPresent(name) } catch { failure = error }
        }
        if let failure { throw failure }
        mustReset = false
        hasNewNames = true
    }

    private func removeIfPresent(_ name: String) throws(StoreError) {
        do { try directory.remove(name) } catch let error where error.isMissing {}
    }

    /// The identifier of the machine's current boot, a random UUID that the kernel makes at each boot.
    static var currentBoot: String? {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let bytes = try? OpenFile.open(path).read(count: EventJournalHeader.bootLength, at: 0),
            bytes.count == EventJournalHeader.bootLength
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
