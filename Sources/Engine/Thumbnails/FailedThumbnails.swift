import FoundationEssentials
import StoreModel
import Synchronization

/// The errors of images of which no thumbnail could be made, so that the same image does not take a process each time.
///
/// They are forgotten after a while: a process may have been ended for a reason of its own.
final class FailedThumbnails: Sendable {
    /// The time in seconds for which an error is remembered.
    static let duration: TimeInterval = 600
    /// The maximum number of errors; when there are as many, all are forgotten.
    static let limit = 1_000

    private let errors = Mutex<[String: (error: StoreError, time: Date)]>([:])

    /// Returns the error of a thumbnail that could not be made a short time ago; `nil` if there is none.
    func error(of name: String, at now: Date) -> StoreError? {
        errors.withLock { errors in
            guard let (error, time) = errors[name] else { return nil }
            // Not if the clock was set back.
            guard 0..<Self.duration ~= now.timeIntervalSince(time) else {
                errors[name] = nil
                return nil
            }
            return error
        }
    }

    /// Remembers the error of a thumbnail.
    func add(_ error: StoreError, of name: String, at now: Date) {
        errors.withLock { errors in
            if errors.count >= Self.limit { errors = [:] }
            errors[name] = (error, now)
        }
    }
}
