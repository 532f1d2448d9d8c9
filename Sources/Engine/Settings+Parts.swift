import Archives
import Downloads
import Images
import Settings
import Transfers

// What the settings mean to each part below.

extension DownloadSettings {
    init(_ settings: Settings) {
        self.init(
            maximumAtOnce: settings.downloadsMaximumAtOnce, retry: RetryPolicy(settings),
            timeouts: TransferTimeouts(settings), archives: ArchiveLimits(settings),
            librarySize: settings.libraryMaximumSize)
    }
}

extension RetryPolicy {
    init(_ settings: Settings) {
        self.init(attempts: settings.downloadsAttempts, delay: settings.downloadsRetryDelay)
    }
}

extension TransferTimeouts {
    init(_ settings: Settings) {
        self.init(
            connect: settings.networkConnectTimeout, answer: settings.networkStallTimeout,
            stall: StallLimit(in: settings.networkStallTimeout))
    }
}

extension ArchiveLimits {
    init(_ settings: Settings) {
        self.init()
        entries = settings.archivesMaximumEntries
        unpackedSize = settings.archivesMaximumUnpackedSize
        ratio = settings.archivesMaximumRatio
        depth = settings.archivesMaximumDepth
        pathLength = settings.archivesMaximumPathLength
        nameLength = settings.archivesMaximumNameLength
    }
}

extension ImageLimits {
    init(_ settings: Settings) {
        self.init()
        pixels = settings.imagesMaximumPixels
        frames = settings.imagesMaximumFrames
        allPixels = settings.imagesMaximumAllPixels
        size = settings.imagesMaximumSize
    }
}
