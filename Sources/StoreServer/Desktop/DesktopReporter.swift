import FoundationEssentials
import Logging
import StoreEngine
import StoreEvents
import StoreMessages
import StoreModel
import StoreSettings
import Synchronization

/// Reports to the user's desktop what the user has to know although no program shows it, and does what the user chooses.
final class DesktopReporter: Sendable {
    private struct State {
        var installs = InstallDigest()
        /// The products of the notification of each topic that is shown.
        var products: [DesktopNotification.Topic: [Product]] = [:]
        var tasks: [Task<Void, Never>] = []
        var isStopped = false
    }

    /// A product that a notification is about.
    private struct Product: Sendable {
        let identifier: String
        let store: String?
    }

    private let manager: StoreManager
    private let web: WebListener
    private let operations: BegunOperations
    private let log: Logger
    private let language: Language
    private let state = Mutex(State())
    private let wait = InterruptibleSleep()
    private let desktop = Mutex<(any DesktopService)?>(nil)

    /// Connects to the desktop, and reports from now on.
    ///
    /// - Returns: `nil` where there is no desktop.
    init?(
        _ context: DaemonContext, log: Logger, language: Language = .english, connecting connect: DesktopConnecting
    ) {
        self.language = language
        manager = context.manager
        web = context.web
        operations = context.operations
        self.log = log
        guard let service = connect(log, { [weak self] in self?.react(to: $1, of: $0) }) else { return nil }
        desktop.withLock { $0 = service }
        operations.beginReporting()
        begin { reporter in reporter.operations.insertResumed(await reporter.manager.downloads.requestedOperations()) }
        begin { reporter in await reporter.readEvents() }
        begin { reporter in await reporter.reportInstalls() }
    }

    /// The texts of notifications; the file of the language is read for the first one.
    private var messages: Messages { .of(language) }

    /// Whether a notification is shown whose buttons have to work, or about to be.
    var awaitsReaction: Bool {
        desktop.withLock { $0?.awaitsReaction ?? false } || state.withLock { !$0.installs.isEmpty }
    }

    /// Stops reporting, and closes the notifications whose buttons would no longer work.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopped = true
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
        await desktop.withLock { $0 }?.stop()
    }

    /// Starts a task that ends with the reporter.
    private func begin(_ body: @escaping @Sendable (DesktopReporter) async -> Void) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.tasks.append(Task { await body(self) })
        }
    }

    private func show(_ notification: DesktopNotification?, about products: [Product]) {
        guard let notification else { return }
        state.withLock { $0.products[notification.topic] = products }
        desktop.withLock { $0 }?.show(notification)
    }

    // MARK: Installations

    private func readEvents() async {
        while !Task.isCancelled {
            do {
                for try await event in try manager.events.subscribe() { add(event.event) }
                // The bus was closed.
                return
            } catch {
                // Events were missed, because more came than fit into the subscription's buffer.
                log.debug("missed events for notifications", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Adds an event to the ended installations, if it is the end of one; an operation that was cancelled is not reported.
    func add(_ event: Event) {
        if case .download(let status) = event.happening, status.state == .cancelled {
            _ = operations.remove(status.operation, endedAt: event.sequence)
        }
        let isNew = state.withLock { $0.installs.add(event, now: .now) }
        if isNew { wait.interrupt() }
    }

    /// Shows the notification about ended installations whenever it is due.
    private func reportInstalls() async {
        while !Task.isCancelled {
            let isBusy = await manager.downloads.isBusy
            let isDue = state.withLock { $0.installs.isDue(isBusy: isBusy, now: .now) }
            if isDue { await reportEndedInstalls() }
            let isEmpty = state.withLock { $0.installs.isEmpty }
            await wait.sleep(until: isEmpty ? nil : .now + InstallDigest.pause / 2)
        }
    }

    /// Shows the notification about the installations that have ended, with those of the notification that is shown.
    func reportEndedInstalls() async {
        let settings = manager.settings.current
        let (digest, refused, isNew) = state.withLock { state in
            // Looked up here and not with the event, which may come before the request that began the operation ends.
            let begun = state.installs.pending.filter {
                operations.remove($0.status.operation, endedAt: $0.event.sequence)
            }
            let ids = Set(begun.filter { !$0.needsConsent }.map(\.status.operation))
            let isNew = state.installs.report { settings.notificationsInstalls && ids.contains($0.status.operation) }
            return (state.installs, begun.filter(\.needsConsent), isNew)
        }
        await requestConsent(
            refused.map { ($0.status.productIdentifier, $0.status.store, $0.status.error?.permissions ?? []) })
        guard isNew else { return }
        show(
            DesktopNotification(digest, names: await names(of: digest.shownProducts), messages),
            about: digest.reported.map { Product(identifier: $0.status.productIdentifier, store: $0.status.store) })
    }

    /// Returns the names for display of the first installed packs, as many as notifications name.
    private func names(of products: [String]) async -> [String: String] {
        var names: [String: String] = [:]
        for product in products.prefix(DesktopNotification.namedPacks) {
            names[product] = try? await manager.packs.pack(product).name
        }
        return names
    }

    // MARK: Updates and consent

    /// Reports the newer versions that the periodic check found, and those for which the user has to consent.
    func report(_ updates: [AvailableUpdate]) async {
        let settings = manager.settings.current
        let due = updates.filter { $0.heldBack == nil }
        if settings.notificationsUpdates, !due.isEmpty {
            show(
                DesktopNotification(updates: due, names: await names(of: due.map(\.productIdentifier)), messages),
                about: due.map { Product(identifier: $0.productIdentifier, store: $0.store) })
        }
        await requestConsent(
            updates.filter { !$0.permissions.isEmpty }.map { ($0.productIdentifier, $0.store, $0.permissions) })
    }

    private func requestConsent(
        _ requests: [(productIdentifier: String, store: String, permissions: [Permission])]
    ) async {
        guard manager.settings.current.notificationsConsent, !requests.isEmpty else { return }
        show(
            DesktopNotification(
                requests: requests.map { ($0.productIdentifier, $0.permissions) },
                names: await names(of: requests.map(\.productIdentifier)), messages),
            about: requests.map { Product(identifier: $0.productIdentifier, store: $0.store) })
    }

    // MARK: Reactions

    private func react(to reaction: DesktopNotification.Reaction, of topic: DesktopNotification.Topic) {
        switch reaction {
        case .closed:
            state.withLock { state in
                state.products[topic] = nil
                if topic == .installs { state.installs.forgetReported() }
            }
        case .pressed(let button):
            let products = state.withLock { $0.products[topic] ?? [] }
            guard !products.isEmpty else { return }
            begin { reporter in
                switch button {
                case .open: await reporter.open(products)
                case .update: await reporter.update(products)
                }
            }
        }
    }

    /// Opens the page of a product, or that of all packs, in the user's browser.
    private func open(_ products: [Product]) async {
        var page = "/library"
        if products.count == 1, let store = products[0].store {
            page = "/store/" + [store, products[0].identifier].map(PathSegment.encode).joined(separator: "/")
        }
        do {
            if !web.isOn { try web.apply(await manager.set(.webEnabled, to: "true")) }
            if let link = web.makeLink(to: page) { desktop.withLock { $0 }?.open(link) }
        } catch {
            log.warning("could not open a page for a notification: \(ErrorReport(error).message)")
        }
    }

    /// Begins the updates of a notification; those that can't begin are logged, and the next check finds them again.
    private func update(_ products: [Product]) async {
        do {
            let outcomes = try await manager.updates.update(products.map(\.identifier))
            for outcome in outcomes {
                operations.insert(outcome.operation)
                guard let error = outcome.error else { continue }
                log.warning("could not update '\(outcome.productIdentifier)': \(error.message)")
            }
        } catch {
            log.warning("could not begin updates: \(ErrorReport(error).message)")
        }
    }
}

extension InstallDigest.Item {
    /// Whether the installation failed because the user has to consent to permissions.
    fileprivate var needsConsent: Bool {
        hasFailed && status.error?.code == .consentNeeded && status.error?.permissions.isEmpty == false
    }
}
