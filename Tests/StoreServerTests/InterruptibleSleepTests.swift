import Testing

@testable import StoreServer

@Suite(.timeLimit(.minutes(5))) struct InterruptibleSleepTests {
    private let sleep = InterruptibleSleep()
    private let never = ContinuousClock.now + .seconds(86_400)

    @Test func `an interrupt ends a sleep that is under way, and one that is about to begin`() async {
        async let slept: Void = sleep.sleep(until: never)
        sleep.interrupt()
        await slept
        sleep.interrupt()
        await sleep.sleep(until: never)
        async let endless: Void = sleep.sleep(until: nil)
        sleep.interrupt()
        await endless
    }

    @Test func `the sleep of a cancelled task ends`() async {
        let task = Task { [sleep, never] in await sleep.sleep(until: never) }
        task.cancel()
        await task.value
        let endless = Task { [sleep] in await sleep.sleep(until: nil) }
        endless.cancel()
        await endless.value
        // A sleep that nothing interrupts ends at its time.
        await sleep.sleep(until: .now + .milliseconds(1))
    }
}
