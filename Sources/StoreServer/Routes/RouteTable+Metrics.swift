import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreSystem

extension RouteTable {
    /// Adds the HTTP route `/metrics`, from which Prometheus reads the daemon's metrics.
    mutating func addMetrics(_ daemon: DaemonContext) {
        get(
            "/metrics",
            Endpoint(
                "metrics", "Metrics for Prometheus.",
                .ok(.metrics(example: PrometheusText.example), "Prometheus' text exposition format 0.0.4."))
        ) { _ in
            let text = PrometheusText(
                await daemon.manager.metrics(), daemon.requests, daemon.connections,
                observers: daemon.manager.events.subscriptionCount, lastEvent: daemon.manager.events.lastSequence)
            return Response(
                status: .ok, headers: [.contentType: PrometheusText.mediaType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text.text)))
        }
    }
}

extension PrometheusText {
    /// Two metrics, for the OpenAPI document.
    fileprivate static var example: String {
        var text = PrometheusText()
        text.addVersion()
        text.add("stored_packs", .gauge, "Installed packs.", 3)
        return text.text
    }

    fileprivate init(
        _ store: StoreMetrics, _ requests: RequestMetrics, _ connections: OpenConnections, observers: Int,
        lastEvent: UInt64
    ) {
        self.init()
        addVersion()
        addDownloads(store)
        addHome(store)
        addObservers(observers, connections, lastEvent)
        addRequests(requests)
        addProcess(.current())
    }

    private mutating func addVersion() {
        add("stored_build_info", .gauge, "The version of the program.", [([("version", StoreAPI.programVersion)], 1)])
    }

    private mutating func addDownloads(_ store: StoreMetrics) {
        let downloads = store.downloads
        add(
            "stored_downloads", .gauge, "Downloads that run, wait or are paused, by state.",
            DownloadState.allCases.filter { !$0.isEnd }.map {
                ([("state", $0.rawValue)], Double(downloads.states[$0] ?? 0))
            })
        add(
            "stored_downloads_by_activity", .gauge, "Downloads that run, wait or are paused, by activity.",
            DownloadActivity.allCases.map { ([("activity", $0.rawValue)], Double(downloads.activities[$0] ?? 0)) })
        add(
            "stored_downloads_ended_total", .counter, "Downloads that ended, by final state.",
            DownloadState.allCases.filter(\.isEnd).map {
                ([("state", $0.rawValue)], Double(downloads.ends[$0] ?? 0))
            })
        add(
            "stored_download_errors_total", .counter, "Downloads that failed, by error code.",
            Self.samples(downloads.errors))
        add(
            "stored_received_bytes_total", .counter, "Bytes received over the network, discarded ones included.",
            Double(store.bytesReceived))
    }

    private mutating func addHome(_ store: StoreMetrics) {
        add("stored_packs", .gauge, "Installed packs.", Double(store.packs))
        add("stored_stores", .gauge, "Configured stores.", Double(store.stores))
        let archives = store.downloads.keptArchives
        add(
            "stored_kept_archives", .gauge, "Archives kept so that they need not be fetched again.",
            Double(archives.count))
        add("stored_kept_archives_bytes", .gauge, "The size of all kept archives.", Double(archives.size))
        add(
            "stored_database_size_bytes", .gauge, "The size of the database and its write-ahead log.",
            Double(store.databaseSize))
        add(
            "stored_database_transactions_total", .counter, "Transactions of the database, reads included.",
            Double(store.database.transactions))
        add(
            "stored_database_busy_seconds_total", .counter, "The time in which the database's connection was busy.",
            store.database.busy / .seconds(1))
    }

    private mutating func addObservers(_ observers: Int, _ connections: OpenConnections, _ lastEvent: UInt64) {
        add("stored_connections", .gauge, "Open connections to the socket.", Double(connections.count))
        add("stored_event_readers", .gauge, "Connections that read events.", Double(connections.eventStreams))
        add(
            "stored_event_observers", .gauge, "Subscriptions to events, those of connections included.",
            Double(observers))
        add("stored_event_last_sequence", .gauge, "The number of the newest event.", Double(lastEvent))
    }

    private mutating func addRequests(_ requests: RequestMetrics) {
        add(
            "stored_request_duration_seconds", "The time until the response to a request began.",
            requests.durations.map { key, histogram in
                (
                    [
                        ("route", key.route.replacing("**", with: "{path}")), ("method", key.method),
                        ("status", "\(key.status)"),
                    ], histogram
                )
            })
        add(
            "stored_request_errors_total", .counter, "Requests that failed, by error code.",
            Self.samples(requests.errors))
    }

    private mutating func addProcess(_ process: ResourceUsage) {
        add("process_cpu_seconds_total", .counter, "Processor time, user and system.", process.processorTime)
        add("process_open_fds", .gauge, "Open file descriptors.", Double(process.openDescriptors))
        add(
            "process_max_fds", .gauge, "The maximum number of open file descriptors.",
            Double(process.maximumDescriptors))
        add("process_virtual_memory_bytes", .gauge, "Virtual memory.", Double(process.virtualMemory))
        add("process_resident_memory_bytes", .gauge, "Resident memory.", Double(process.residentMemory))
        add(
            "stored_allocated_memory_bytes", .gauge, "Memory that the program has allocated and not freed.",
            Double(process.allocatedMemory))
        add(
            "process_start_time_seconds", .gauge, "The start of the process in seconds since 1970.",
            ResourceUsage.startTime)
    }

    private static func samples(_ counts: [ErrorCode: Int]) -> [(labels: Labels, value: Double)] {
        counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ([("code", $0.key.rawValue)], Double($0.value)) }
    }
}
