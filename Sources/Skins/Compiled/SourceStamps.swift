import FoundationEssentials
import StoreSystem

/// What a chain of skins is made from, as it was at one moment.
struct SkinSources {
    let files: [SkinFiles]
    let stamps: [SourceStamp]
    /// Whether a change of any source after this moment shows in its stamp.
    let isSettled: Bool

    /// How far apart two changes are at least that the file system tells apart, in seconds: a tick of the kernel's clock
    /// is 10 ms at most.
    private static let grain = 0.02

    init(_ chain: [SkinFolder]) throws {
        let began = Date().timeIntervalSince1970
        files = try chain.map { try SkinFiles($0.directory) }
        var stamps: [SourceStamp] = []
        var isSettled = true
        for (link, folder) in chain.enumerated() {
            for path in files[link].sources {
                guard let status = try folder.directory.status(of: path) else {
                    // Gone since it was listed.
                    isSettled = false
                    continue
                }
                stamps.append(SourceStamp(link: link, path: path, status))
                // A time still to come is the clock's, not that of a change that may happen again within it.
                if abs(status.changedAt.timeIntervalSince1970 - began) < Self.grain { isSettled = false }
            }
        }
        self.stamps = stamps
        self.isSettled = isSettled
    }

    /// Waits, for a moment, until changes of what was written just now would be seen. Blocks.
    static func settled(_ chain: [SkinFolder]) throws -> SkinSources {
        var sources = try SkinSources(chain)
        for _ in 0..<3 where !sources.isSettled {
            SystemThread.sleep(for: .seconds(grain))
            sources = try SkinSources(chain)
        }
        return sources
    }

    /// Whether what was stamped is still as it was.
    static func isFresh(_ stamps: [SourceStamp], _ chain: [SkinFolder]) -> Bool {
        stamps.allSatisfy { stamp in
            guard chain.indices.contains(stamp.link),
                let status = try? chain[stamp.link].directory.status(of: stamp.path)
            else { return false }
            return SourceStamp(link: stamp.link, path: stamp.path, status) == stamp
        }
    }
}

extension SourceStamp {
    init(link: Int, path: String, _ status: FileStatus) {
        self.init(
            link: link, path: path, identity: FileIdentity(status, by: .statusChange, isStored: true))
    }
}
