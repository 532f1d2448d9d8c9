import FoundationEssentials
import StoreModel
import Testing

@testable import StoreServer

/// What the desktop shows of ended installations, and which of them.
@Suite struct InstallDigestTests {
    private let start = ContinuousClock.now
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func event(
        _ product: String, _ state: DownloadState = .finished, _ action: OperationAction = .install,
        error: ErrorReport? = nil, at seconds: Double = 0
    ) -> Event {
        Event(
            sequence: 1, time: time + seconds,
            happening: .download(
                DownloadStatus(
                    operation: OperationID(rawValue: "op-" + product), action: action, productIdentifier: product,
                    store: "shop", state: state, error: error)))
    }

    private func notification(_ events: [Event], names: [String: String] = [:]) -> DesktopNotification? {
        var digest = InstallDigest()
        for event in events { _ = digest.add(event, now: start) }
        _ = digest.report { _ in true }
        return DesktopNotification(digest, names: names, .of(.english))
    }

    @Test func `only the end of an installation or update counts, unless it was cancelled`() {
        var digest = InstallDigest()
        for state in DownloadState.allCases {
            let isAdded = digest.add(event("a", state), now: start)
            #expect(isAdded == (state == .finished || state == .failed), "\(state)")
        }
        let others = [
            event("a", .finished, .repair), Event(sequence: 1, time: time, happening: .catalogue(store: "shop")),
        ]
        for other in others {
            let isAdded = digest.add(other, now: start)
            #expect(!isAdded)
        }
    }

    @Test func `it is due after a pause without downloads, or after a while`() {
        var digest = InstallDigest()
        #expect(!digest.isDue(isBusy: false, now: start + .seconds(3600)))
        _ = digest.add(event("a"), now: start)
        #expect(!digest.isDue(isBusy: false, now: start))
        #expect(digest.isDue(isBusy: false, now: start + InstallDigest.pause))
        #expect(!digest.isDue(isBusy: true, now: start + InstallDigest.pause))
        _ = digest.add(event("b"), now: start + InstallDigest.pause / 2)
        #expect(!digest.isDue(isBusy: false, now: start + InstallDigest.pause))
        #expect(digest.isDue(isBusy: true, now: start + InstallDigest.maximumWait))
        let isReported = digest.report { _ in true }
        #expect(isReported && digest.isEmpty)
        #expect(!digest.isDue(isBusy: false, now: start + .seconds(3600)))
    }

    @Test func `a single pack is named, with the reason of a failure`() throws {
        let names = ["a": "Cups"]
        #expect(notification([event("a")], names: names)?.title == "Installed Cups")
        #expect(notification([event("a", .finished, .update)], names: names)?.title == "Updated Cups")
        let error = ErrorReport(code: .noSpace, message: "no space left\u{1B}[2J")
        let failed = try #require(notification([event("a", .failed, error: error)]))
        #expect(failed.title == "Could not install a" && failed.body == "no space left\u{FFFD}[2J")
        #expect(failed.topic == .installs && failed.buttons == [.open])
    }

    @Test func `fifty installations at once are one notification, to which later ones are added`() throws {
        var digest = InstallDigest()
        for number in 0..<50 { _ = digest.add(event("p\(number)"), now: start) }
        _ = digest.report { _ in true }
        var notification = try #require(DesktopNotification(digest, names: ["p0": "Cups"], .of(.english)))
        #expect(notification.title == "Installed 50 packs" && notification.body == "Cups, p1, p2 and 47 more")
        _ = digest.add(event("late", .failed), now: start)
        // The same product again is not another pack.
        _ = digest.add(event("p7"), now: start)
        _ = digest.report { _ in true }
        notification = try #require(DesktopNotification(digest, names: [:], .of(.english)))
        #expect(notification.title == "Installed 50 packs, 1 failed" && notification.body == "late")
        digest.forgetReported()
        #expect(DesktopNotification(digest, names: [:], .of(.english)) == nil)
    }

    @Test func `of very many ends, the number is kept`() throws {
        var digest = InstallDigest()
        for number in 0..<1_000 { _ = digest.add(event("p\(number)"), now: start) }
        #expect(digest.isDue(isBusy: true, now: start))
        _ = digest.report { _ in true }
        #expect(digest.reported.count == InstallDigest.maximumItems)
        #expect(DesktopNotification(digest, names: [:], .of(.english))?.title == "Installed 1000 packs")
    }

    @Test func `updates and requests for consent are named`() throws {
        let update = AvailableUpdate(
            productIdentifier: "a", store: "shop", installed: Version("1.0.0"), available: Version("2.0.0"))
        let one = try #require(DesktopNotification(updates: [update], names: ["a": "Cups"], .of(.english)))
        #expect(one.title == "Update for Cups" && one.body == "Cups 2.0.0" && one.buttons == [.update, .open])
        let many = try #require(
            DesktopNotification(updates: Array(repeating: update, count: 5), names: [:], .of(.english)))
        #expect(many.title == "5 updates are available" && many.body.hasSuffix(" and 2 more"))
        let network = Permission(rawValue: "network")
        let consent = try #require(DesktopNotification(requests: [("weather", [network])], names: [:], .of(.english)))
        #expect(consent.title == "weather needs your consent" && consent.body == "Permissions: use the network")
        #expect(consent.buttons == [.open])
        #expect(DesktopNotification(updates: [], names: [:], .of(.english)) == nil)
        let long = try #require(
            DesktopNotification(requests: [(String(repeating: "x", count: 5_000), [])], names: [:], .of(.english)))
        #expect(long.title.count < 300)
    }
}
