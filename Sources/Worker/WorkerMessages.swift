import FoundationEssentials
import StoreModel
import StoreSystem

/// A message to a worker.
///
/// It is in a file in memory, because its size is not limited by that of a socket's messages.
struct WorkerRequest: Sendable, Hashable, Codable {
    /// The descriptors that come with each request, in this order.
    ///
    /// They are followed by the descriptors of the directories, of the archives, and of the file for a result, if there is one.
    enum Descriptor: Int, CaseIterable {
        /// The file in memory with the request.
        case request
        /// The pipe for the report.
        case report
    }

    var task: WorkerTask
    var limits: WorkerLimits
    /// The number of directories that come with the request.
    var directories: Int
    /// The number of archives that come with the request; a file with packs in memory, images or a font counts as one.
    var archives: Int

    /// Whether a file for the result comes with the request, as the last one.
    var hasOutput: Bool {
        switch task {
        case .unpackInMemory, .draw, .readFont: true
        case .importPacks(let task): task.pack != nil
        default: false
        }
    }

    /// The bytes of the message itself, to which the descriptors are attached.
    static let message: [UInt8] = Array("work".utf8)
    /// The first message to a helper, with an empty directory or without one; see ``WorkerProgram``.
    static let preparation: [UInt8] = Array("prepare".utf8)
    /// A helper's answer to ``preparation``.
    static let ready: [UInt8] = Array("ready".utf8)
    /// The maximum size of a request in bytes: that of an entry table, the list of an archive's files.
    static let sizeLimit = 64 << 20
}

/// The final message of a worker, which is untrusted: the worker may have been under the control of what it read.
///
/// ``done``, ``archiveRejected(_:)`` and ``failed(_:)`` decide only whether the pack is refused, and with which text.
/// The receiver validates the contents of ``described(_:)``, ``imported(_:)`` and ``fontRead(_:)``.
enum WorkerReport: Sendable, Hashable, Codable {
    /// The task is done.
    case done
    /// The archive was read.
    case described(ArchiveDescription)
    /// The packs of another program were read, and the archive of one was written if that was asked for.
    case imported(ImportReport)
    /// The images of emoji were read from a font, and written to the file for them.
    case fontRead(FontReport)
    /// The archive was rejected, for a reason.
    case archiveRejected(ErrorReport)
    /// The task failed for another reason.
    case failed(ErrorReport)
    /// The parts of the confinement that are not in effect, each with the reason.
    case confinement(missing: [String: String])

    /// The maximum size of a report in bytes; the report of an import names each image.
    static let sizeLimit = 16 << 20

    /// Reads a report that a worker sent.
    ///
    /// - Returns: `nil` if it is malformed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= WorkerReport.sizeLimit, let report = try? WorkerReport(json: Data(bytes))
        else { return nil }
        self = report
    }
}
