import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// Measures the resources of a daemon every second, and detects growth.
final class SoakGrowth: Sendable, CustomStringConvertible {
    fileprivate struct Sample: Sendable {
        /// The resident memory in bytes.
        let memory: Double
        /// The open descriptors, without connections.
        let descriptors: Double
        /// The number of downloads that have ended.
        let ended: Double
    }
    private struct State {
        var samples: [Sample] = []
        var failure: (any Error)?
        var isStopped = false
    }
    private let state = Mutex(State())

    init(_ socket: String) {
        Thread.detachNewThread { [weak self] in
            do {
                let connection = try SoakConnection(socket)
                while let self, !self.state.withLock({ $0.isStopped }) {
                    let text = try connection.ask("GET", "/metrics").body
                    let sample = try Sample(MetricsDocument(String(decoding: text, as: UTF8.self)))
                    self.state.withLock { $0.samples.append(sample) }
                    sleep(1)
                }
            } catch {
                self?.state.withLock { $0.failure = error }
            }
        }
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

    /// Compares the second half of the measurements with the first.
    func expectNone() {
        let samples = state.withLock { $0.samples }
        let (first, second) = (samples[..<(samples.count / 2)], samples[(samples.count / 2)...])
        guard let before = first.last, let after = second.last else { return }
        // Files are open only during an installation, so a leak raises the minimum.
        let descriptors = { (samples: ArraySlice<Sample>) in samples.map(\.descriptors).min() ?? 0 }
        #expect(descriptors(second) <= descriptors(first) + 16, "\(self)")
        // The last 1,000 ended downloads and 10,000 events are retained, so memory grows until then.
        let memory = { (samples: ArraySlice<Sample>) in samples.map(\.memory).sorted()[samples.count / 2] }
        let kept = before.ended >= 2_000 ? 0 : min(after.ended, 2_000) * 10_000
        #expect(Sanitizers.areEnabled || memory(second) <= memory(first) * 1.1 + kept + 32e6, "\(self)")
    }

    var description: String {
        let samples = state.withLock { $0.samples }
        let places = samples.isEmpty ? [] : (0...4).map { $0 * (samples.count - 1) / 4 }
        return places.map { place in
            let sample = samples[place]
            return "\(place) s: \(Int(sample.memory / 1e6)) MB, \(Int(sample.descriptors)) files, "
                + "\(Int(sample.ended)) downloads"
        }.joined(separator: "; ")
    }
}

extension SoakGrowth.Sample {
    fileprivate init(_ metrics: MetricsDocument) throws {
        memory = try #require(metrics["process_resident_memory_bytes"])
        descriptors = try #require(metrics["process_open_fds"]) - #require(metrics["stored_connections"])
        ended = ["Finished", "Cancelled", "Failed"].reduce(0) {
            $0 + (metrics["stored_downloads_ended_total", "state=\($1)"] ?? 0)
        }
    }
}
