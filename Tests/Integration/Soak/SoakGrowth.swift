import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// Measures the resources of a daemon whenever its clients rest, and detects growth.
final class SoakGrowth: Sendable, CustomStringConvertible {
    fileprivate struct Sample: Sendable {
        /// The time since the start in hours.
        var hours = 0.0
        /// The bytes that the program has allocated and not freed.
        let allocated: Double
        /// The resident memory in bytes, which includes freed memory that the C library holds for reuse.
        let resident: Double
        /// The open descriptors, without connections.
        let descriptors: Double
        /// The number of downloads that have ended.
        let ended: Double
        /// The number of events that were published.
        let events: Double
        /// Whether nothing is in progress but paused downloads.
        let isIdle: Bool

        /// Whether everything is full that the daemon retains up to a number: the last 1,000 ended downloads, and 10,000
        /// events.
        var isWarm: Bool { ended >= 2_000 && events >= 20_000 }
    }
    private struct State {
        var samples: [Sample] = []
        var failure: (any Error)?
        var isStopped = false
    }
    private let state = Mutex(State())

    /// The growth that a run of an hour excludes, for each hour.
    ///
    /// Descriptors include idle connections to the store.
    static let limits = (allocated: 100_000.0, descriptors: 16.0)

    /// Measures until ``stop()``.
    ///
    /// - Parameter seconds: the time between two rests.
    init(_ socket: String, _ rest: SoakRest, every seconds: UInt32) {
        let start = ContinuousClock.now
        Thread.detachNewThread { [weak self] in
            do {
                let connection = try SoakConnection(socket)
                while let self, !self.state.withLock({ $0.isStopped }) {
                    var sample = try rest.rest { try Self.measureIdle(connection) }
                    sample.hours = (ContinuousClock.now - start) / .seconds(3600)
                    self.state.withLock { $0.samples.append(sample) }
                    sleep(seconds)
                }
            } catch {
                self?.state.withLock { $0.failure = error }
            }
        }
    }

    /// Waits for the end of everything that clients have started, and takes the least of three measurements.
    private static func measureIdle(_ connection: SoakConnection) throws -> Sample {
        func measure() throws -> Sample {
            let text = try connection.ask("GET", "/metrics").body
            return try Sample(MetricsDocument(String(decoding: text, as: UTF8.self)))
        }
        var sample = try measure()
        while !sample.isIdle {
            usleep(20_000)
            sample = try measure()
        }
        for _ in 0..<2 {
            usleep(50_000)
            let next = try measure()
            if next.allocated < sample.allocated { sample = next }
        }
        return sample
    }

    /// Stops the measurement.
    ///
    /// - Throws: the error of a measurement that failed or returned an invalid document.
    func stop() throws {
        if let failure = state.withLock({ state in
            state.isStopped = true
            return state.failure
        }) {
            throw failure
        }
    }

    /// The measurements after the warm-up: since the first third of the run is over, and the daemon is warm.
    private var warm: [Sample] {
        let samples = state.withLock { $0.samples }
        let third = (samples.last?.hours ?? 0) / 3
        return samples.filter { $0.isWarm && $0.hours >= third }
    }

    /// The measured allocated bytes, each with its time in seconds, for a look at how they differ.
    var series: String {
        state.withLock { $0.samples }.map { "\(Int($0.hours * 3600)):\(Int($0.allocated))" }.joined(separator: " ")
    }

    /// Fits the trends of memory and descriptors after the warm-up.
    ///
    /// - Parameter isHour: whether the run is long enough for the limits to be excluded, and not only for a growth beyond
    ///   them to be seen.
    func expectNone(isHour: Bool) throws {
        let warm = warm
        var measured = [("descriptors", warm.map(\.descriptors), Self.limits.descriptors)]
        // A sanitizer has an allocator of its own.
        let isMemoryChecked = Sanitizers.canCheckMemory()
        if isMemoryChecked { measured.append(("allocated bytes", warm.map(\.allocated), Self.limits.allocated)) }
        for (name, values, limit) in measured {
            let trend = LinearTrend(zip(warm, values).map { LinearTrend.Point(time: $0.hours, value: $1) })
            let verdict = trend?.verdict(limit: limit) ?? .uncertain
            let slopes = trend.map { "\(Int($0.slope)) ± \(Int(min($0.margin, 1e15))) an hour" } ?? "unknown"
            print("soak: \(name): \(slopes), \(warm.count) measurements after the warm-up: \(verdict)")
            #expect(verdict == .steady || verdict == .uncertain && !isHour, "\(name): \(slopes); \(self)")
        }
        // Before the warm-up ends, no more grows than is retained by then.
        let samples = state.withLock { $0.samples }
        let (first, last) = try (#require(samples.first), #require(samples.last))
        let retained = 32e6 + min(last.ended, 2_000) * 10_000
        #expect(!isMemoryChecked || last.allocated - first.allocated < retained, "\(self)")
    }

    var description: String {
        let samples = state.withLock { $0.samples }
        let places = samples.isEmpty ? [] : (0...4).map { $0 * (samples.count - 1) / 4 }
        return places.map { place in
            let sample = samples[place]
            return
                "\(Int(sample.hours * 3600)) s: \(Int(sample.allocated / 1e3)) kB of \(Int(sample.resident / 1e6)) MB, "
                + "\(Int(sample.descriptors)) files, \(Int(sample.ended)) downloads"
        }.joined(separator: "; ")
    }
}

extension SoakGrowth.Sample {
    fileprivate init(_ metrics: MetricsDocument) throws {
        allocated = try #require(metrics["stored_allocated_memory_bytes"])
        resident = try #require(metrics["process_resident_memory_bytes"])
        descriptors = try #require(metrics["process_open_fds"]) - #require(metrics["stored_connections"])
        ended = ["Finished", "Cancelled", "Failed"].reduce(0) {
            $0 + (metrics["stored_downloads_ended_total", "state=\($1)"] ?? 0)
        }
        events = try #require(metrics["stored_event_last_sequence"])
        isIdle = metrics.values.allSatisfy { series, value in
            series.name != "stored_downloads_by_activity" || series.labels["activity"] == "paused" || value == 0
        }
    }
}
