import Logging
import StoreModel
import StoreSystem

/// Disk space that the daemon allocates in advance, and frees where it finds none when it starts.
///
/// Without it, a pack could be uninstalled on a full disk only while the daemon runs. The space belongs to the file
/// `reserve` in the data directory. The methods access the disk for moments.
struct SpaceReserve: Sendable {
    static let fileName = "reserve"
    /// The size of the reserve in bytes, several times what a start writes.
    static let size = 256 << 10
    /// The free space in bytes without which no reserve is allocated.
    static let leastFreeSpace = 16 << 20

    /// The path of the data directory.
    let dataDirectory: String
    let log: Logger

    /// Runs a step of the daemon's start; where it finds no space, frees the reserve and runs it once more.
    func freeingIfNeeded<Value: Sendable>(_ step: () async throws -> Value) async throws -> Value {
        do {
            return try await step()
        } catch let error where (error as? any CodedError)?.code == .noSpace {
            guard free() else { throw error }
            log.warning("the disk is full; freed \(Self.size) bytes that were reserved for the start")
            return try await step()
        }
    }

    /// Allocates the space where it is not allocated and enough is free.
    ///
    /// A failure has no effect: the daemon works without the reserve.
    func allocate() {
        guard let directory = try? Directory.open(dataDirectory),
            let free = try? directory.freeSpace(), free >= Self.leastFreeSpace,
            let file = try? directory.openOrCreateFile(Self.fileName),
            let status = try? file.status(), status.space < Self.size
        else { return }
        if (try? file.reserve(Self.size)) == nil { try? directory.remove(Self.fileName) }
    }

    /// Frees the space; returns `false` where none was allocated.
    private func free() -> Bool {
        guard let directory = try? Directory.open(dataDirectory),
            let status = try? directory.status(of: Self.fileName), status.space > 0
        else { return false }
        return (try? directory.remove(Self.fileName)) != nil
    }
}
