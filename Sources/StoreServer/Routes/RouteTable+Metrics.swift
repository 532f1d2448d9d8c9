import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreSystem

extension RouteTable {
    /// `/metrics`: figures for Prometheus.
    mutating func addMetrics(_ facts: DaemonContext) {
        get(
            "/metrics",
            Endpoint(
                "metrics", "Figures for Prometheus.", .ok(.metrics, "Its text form, 0.0.4."))
        ) { _ in
            let text = PrometheusText(
                await facts.manager.metrics(), facts.requests, facts.connections,
                observers: facts.manager.events.subscriptionCount, lastEvent: facts.manager.events.lastSequence)
            return Response(
                status: .ok, headers: [.contentType: PrometheusText.mediaType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text.text)))
        }
    }
}

extension PrometheusText {
    fileprivate init(
        _ figures: StoreMetrics, _ requests: RequestMetrics, _ connections: OpenConnections, observers: Int,
        lastEvent: UInt64
    ) {
        self.init()
        add("stored_build_info", .gauge, "The program's version.", [([("version", StoreAPI.programVersion)], 1)])
        addDownloads(figures)
        addHome(figures)
        addObservers(observers, connections, lastEvent)
        addRequests(requests)
        addProcess(.current())
    }

    private mutating func addDownloads(_ figures: StoreMetrics) {
        let downloads = figures.downloads
        add(
            "stored_downloads", .gauge, "Downloads that run, wait or are paused, by their state.",
            DownloadState.allCases.filter { !$0.isEnd }.map {
                ([("state", $0.rawValue)], Double(downloads.states[$0] ?? 0))
            })
        add(
            "stored_downloads_by_activity", .gauge, "The same, by what they are busy with.",
            DownloadActivity.allCases.map { ([("activity", $0.rawValue)], Double(downloads.activities[$0] ?? 0)) })
        add(
            "stored_downloads_ended_total", .counter, "Downloads that ended, by their end.",
            DownloadState.allCases.filter(\.isEnd).map {
                ([("state", $0.rawValue)], Double(downloads.ends[$0] ?? 0))
            })
        add(
            "stored_download_errors_total", .counter, "Downloads that failed, by the code of the error.",
            Self.samples(downloads.errors))
        add(
            "stored_received_bytes_total", .counter, "Bytes that came over the network, whatever became of them.",
            Double(figures.bytesReceived))
    }

    private mutating func addHome(_ figures: StoreMetrics) {
        add("stored_packs", .gauge, "Packs that are installed.", Double(figures.packs))
        add("stored_stores", .gauge, "Stores that are used.", Double(figures.stores))
        let archives = figures.downloads.keptArchives
        add("stored_kept_archives", .gauge, "Archives kept so that they need not come again.", Double(archives.count))
        add("stored_kept_archives_bytes", .gauge, "The size of all kept archives.", Double(archives.size))
        add(
            "stored_database_size_bytes", .gauge, "The size of the database with its write-ahead log.",
            Double(figures.databaseSize))
        add(
            "stored_database_transactions_total", .counter, "Transactions of the database, questions included.",
            Double(figures.database.transactions))
        add(
            "stored_database_busy_seconds_total", .counter, "How long the database's one connection was at work.",
            figures.database.busy / .seconds(1))
    }

    private mutating func addObservers(_ observers: Int, _ connections: OpenConnections, _ lastEvent: UInt64) {
        add("stored_connections", .gauge, "Open connections to the socket.", Double(connections.count))
        add("stored_event_readers", .gauge, "Connections that read events.", Double(connections.eventStreams))
        add(
            "stored_event_observers", .gauge, "Observers of events, those of the connections included.",
            Double(observers))
        add("stored_event_last_sequence", .gauge, "The number of the newest event.", Double(lastEvent))
    }

    private mutating func addRequests(_ requests: RequestMetrics) {
        add(
            "stored_request_duration_seconds", "Time until the answer to a request was there, its body aside.",
            requests.times.map { key, histogram in
                (
                    [
                        ("route", key.route.replacing("**", with: "{path}")), ("method", key.method),
                        ("status", "\(key.status)"),
                    ], histogram
                )
            })
        add(
            "stored_request_errors_total", .counter, "Requests that failed, by the code of the error.",
            Self.samples(requests.errors))
    }

    private mutating func addProcess(_ process: ResourceUsage) {
        add("process_cpu_seconds_total", .counter, "Processor time, user and system.", process.processorTime)
        add("process_open_fds", .gauge, "Open file descriptors.", Double(process.openDescriptors))
        add("process_max_fds", .gauge, "How many file descriptors may be open.", Double(process.maximumDescriptors))
        add("process_virtual_memory_bytes", .gauge, "Virtual memory.", Double(process.virtualMemory))
        add("process_resident_memory_bytes", .gauge, "Resident memory.", Double(process.residentMemory))
        add("process_start_time_seconds", .gauge, "Start of the process, since 1970.", ResourceUsage.startTime)
    }

    private static func samples(_ counts: [ErrorCode: Int]) -> [(labels: Labels, value: Double)] {
        counts.sorted { $0.key.word < $1.key.word }.map { ([("code", $0.key.word)], Double($0.value)) }
    }
}
