import StoreEvents
import StoreModel

/// The settings and shared objects of all downloads that were begun under the same settings.
///
/// An object, so that each of a long queue of waiting downloads holds one reference.
final class DownloadEnvironment: Sendable {
    let steps: StepEnvironment
    let settings: DownloadSettings
    /// The slots of running downloads, for transferring and unpacking; they limit how many run at once.
    let slots: PrioritySemaphore
    let circuitBreaker: HostCircuitBreaker
    let events: EventBus
    let clock: TimeSource

    init(
        steps: StepEnvironment, settings: DownloadSettings, slots: PrioritySemaphore,
        circuitBreaker: HostCircuitBreaker, events: EventBus, clock: TimeSource
    ) {
        self.steps = steps
        self.settings = settings
        self.slots = slots
        self.circuitBreaker = circuitBreaker
        self.events = events
        self.clock = clock
    }

    /// Returns the same download environment with other settings, for downloads that begin later.
    func with(_ settings: DownloadSettings) -> DownloadEnvironment {
        DownloadEnvironment(
            steps: steps, settings: settings, slots: slots, circuitBreaker: circuitBreaker, events: events, clock: clock
        )
    }
}
