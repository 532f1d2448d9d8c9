import StoreArchives
import StoreCatalogue
import StoreDownloads
import StoreImages
import StoreModel
import StoreSettings
import StoreSkins
import StoreTransfers
import StoreWorker

// The settings of each module, computed from the daemon's settings.

extension DownloadSettings {
    init(_ settings: Settings) {
        self.init(
            maximumAtOnce: settings.downloadsMaximumAtOnce, retry: RetryPolicy(settings),
            outages: OutagePolicy(settings), partials: PartialFileLimits(settings),
            timeouts: TransferTimeouts(settings), archives: ArchiveLimits(settings),
            librarySize: settings.libraryMaximumSize, archiveSize: settings.downloadsMaximumSize,
            keptArchives: settings.downloadsKeptArchives)
    }
}

extension OutagePolicy {
    init(_ settings: Settings) {
        self.init(
            timeToFirstAnswer: settings.downloadsContactTimeout, timeAfterAnswer: settings.downloadsOutageTimeout,
            delay: settings.downloadsRetryDelay, longestDelay: settings.downloadsRetryLongestDelay)
    }
}

extension PartialFileLimits {
    init(_ settings: Settings) {
        self.init(age: settings.downloadsKeepPartial, size: settings.downloadsKeptPartials)
    }
}

extension CatalogueLimits {
    init(_ settings: Settings) {
        self.init(
            documentSize: settings.catalogueMaximumSize, totalSize: settings.catalogueMaximumTotalSize,
            products: settings.catalogueMaximumProducts, memory: settings.catalogueMaximumMemory,
            detailsSize: settings.catalogueMaximumDetailsSize)
    }
}

extension SkinsManager.Settings {
    init(_ settings: Settings, _ places: HomePaths) {
        self.init(
            finder: SkinFinder(
                purchased: places.packs, purchasedExtension: settings.skinsPurchasedExtension,
                preinstalled: places.preinstalled, preinstalledExtension: settings.skinsPreinstalledExtension),
            defaultSkin: settings.skinsDefault, idiom: SkinIdiom(named: settings.skinsIdiom) ?? .desktop,
            compiledDirectory: places.skins, choiceFile: places.skinChoice, assetCacheLimit: settings.skinsMemory,
            sizeLimit: settings.skinsMaximumSize)
    }
}

extension RetryPolicy {
    init(_ settings: Settings) {
        self.init(
            attempts: settings.downloadsAttempts, delay: settings.downloadsRetryDelay,
            longestDelay: settings.downloadsRetryLongestDelay)
    }
}

extension TransferTimeouts {
    init(_ settings: Settings) {
        self.init(
            connect: settings.networkConnectTimeout, answer: settings.networkAnswerTimeout,
            stall: StallLimit(settings), whole: settings.networkWholeTimeout)
    }

    /// Creates the time limits of a transfer that a client waits for and that is not resumed, such as that of an image.
    ///
    /// It may take as long as fetching a catalogue: a server that sends a byte now and then exceeds no other limit.
    init(interactive settings: Settings) {
        self.init(settings)
        whole = min(whole ?? settings.catalogueRefreshTimeout, settings.catalogueRefreshTimeout)
    }
}

extension StallLimit {
    init(_ settings: Settings) {
        let window = settings.networkStallTimeout
        let (bytes, isTooMany) = settings.networkSlowestRate.multipliedReportingOverflow(by: Int(window.seconds))
        self.init(bytes: isTooMany ? Int.max : max(1, bytes), in: window)
    }
}

extension BandwidthLimits {
    init(_ settings: Settings) {
        self.init(total: settings.networkBandwidth, shares: settings.networkShares)
    }
}

extension TransferConfiguration {
    init(_ settings: Settings) {
        self.init(
            connectionsPerHost: settings.networkConnectionsPerHost, certificates: settings.networkCertificates,
            proxy: settings.networkProxy, noProxy: settings.networkNoProxy)
        // A limit for one host that is higher than the default for all hosts raises the latter.
        connections = connections.map { max($0, settings.networkConnectionsPerHost) }
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
        entryTableSize = settings.archivesMaximumTableSize
    }
}

extension WorkerService.Settings {
    init(_ settings: Settings) {
        self.init()
        isRequired = settings.workerRequired
        limits.memory = settings.workerMaximumMemory
        limits.time = settings.workerTimeout
    }

    /// Creates the settings of the processes that make thumbnails.
    ///
    /// A thumbnail takes a fraction of a second, and a front-end can show the image itself instead.
    init(thumbnails settings: Settings) {
        self.init(settings)
        limits.time = min(settings.workerTimeout, .seconds(30))
        // One that has the libraries loaded takes 30 MB.
        keptHelpers = 1
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
