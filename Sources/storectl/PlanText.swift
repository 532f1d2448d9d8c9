import StoreMessages
import StoreModel
import StoreTerminal

/// The text of a plan: a table of its steps, their sizes, and what is left out and why.
struct PlanText {
    let plan: ChangePlan
    /// The permissions that the command grants to all products.
    var consent: Set<Permission> = []
    /// The languages of texts, the best first.
    var languages: [String] = []
    /// The texts in the user's language.
    var messages = Messages.of(.english)

    /// The maximum number of lines that are shown of the description of an update's changes.
    private static let maximumChangeLines = 10

    /// Returns the permissions that a step needs and that have not been granted.
    func missing(_ step: ChangePlan.Step) -> Set<Permission> { Set(step.permissions).subtracting(consent) }

    /// Returns the plan as lines of text; none if there is nothing to show.
    ///
    /// - Parameters:
    ///   - width: the width of the terminal in columns; `nil` if there is none.
    ///   - isWhole: whether to add what the command would ask about, or print, after the plan.
    ///   - isConfirmed: whether the user is asked to confirm the plan, and therefore has to see all permissions.
    func lines(width: Int?, isWhole: Bool = false, isConfirmed: Bool = false) -> [String] {
        var lines: [String] = []
        if !plan.steps.isEmpty {
            lines += steps(width: width) + (sizes?.wrapped(to: width) ?? [])
            lines += changes(isWhole).flatMap { $0.displayable.wrapped(to: width) }
        }
        lines += permissions(isWhole || isConfirmed).flatMap { $0.wrapped(to: width) }
        if isWhole { lines += unneeded.flatMap { $0.wrapped(to: width, keepsQuotations: true) } }
        if !plan.keptBack.isEmpty { lines += [messages.text("Kept back:")] + keptBack.lines(width: width) }
        return lines
    }

    /// Returns the table of the steps, followed by a sentence for each dependency if the notes do not fit in the table.
    private func steps(width: Int?) -> [String] {
        let lines = table(withReasons: true).lines(width: width)
        // The reason is the end of a step's line.
        let isComplete = zip(plan.steps, lines.dropFirst()).allSatisfy { step, line in
            step.requiredBy.map { line.hasSuffix(reason($0)) } ?? true
        }
        if isComplete { return lines }
        let required = plan.steps.compactMap { step in step.requiredBy.map { (step.productIdentifier, $0) } }
        return table(withReasons: false).lines(width: width)
            + required.flatMap { product, other in
                messages.text("'{product}' is required by '{other}'.", ["product": product, "other": other])
                    .wrapped(to: width, keepsQuotations: true)
            }
    }

    private func reason(_ other: String) -> String { messages.text("required by {other}", ["other": other]) }

    private func table(withReasons: Bool) -> Table {
        var table = Table([
            .identifier(title: messages.text("ID")), .init(title: messages.text("VERSION"), omission: 2),
            // The sum of the sizes follows the table, and the notes say what is not signed.
            .init(title: isRemoval ? messages.text("SIZE") : messages.text("DOWNLOAD"), right: true, omission: 0),
            .init(title: messages.text("NOTES"), flexible: true, omission: 1),
        ])
        for step in plan.steps {
            let size = step.action == .uninstall ? step.diskSize : step.downloadSize
            table.add(
                step.productIdentifier, Self.versions(step.installed, step.version),
                size.map { (step.mayFetchParts ? "≤ " : "") + AmountFormat.bytes($0, messages) } ?? "-",
                note(step, withReason: withReasons))
        }
        return table
    }

    private var keptBack: Table {
        var table = Table([
            .identifier(title: messages.text("ID")), .init(title: messages.text("VERSION"), omission: 0),
            .init(title: messages.text("REASON"), flexible: true),
        ])
        for update in plan.keptBack {
            table.add(
                update.productIdentifier, Self.versions(update.installed, update.available),
                update.heldBack.map { messages.translation(of: $0) } ?? "")
        }
        return table
    }

    private var isRemoval: Bool { plan.steps.contains { $0.action == .uninstall } }

    private func note(_ step: ChangePlan.Step, withReason: Bool) -> String {
        let required = withReason ? step.requiredBy.map(reason) : nil
        let note = required ?? (step.action == .repair ? messages.text("repair") : "")
        let unsigned = step.signed == false && step.action != .uninstall ? messages.text("unsigned") : ""
        return messages.list([unsigned, note].filter { !$0.isEmpty })
    }

    /// Returns the versions before and after a change, such as `1.0.0 → 1.2.0`; `-` if none is known.
    private static func versions(_ before: Version?, _ after: Version?) -> String {
        let known = [before, after].compactMap { $0?.text }
        return known.isEmpty ? "-" : known.joined(separator: " → ")
    }

    /// The sizes of all steps together; `nil` if none is known.
    private var sizes: String? {
        func size(_ bytes: Int) -> [String: String] { ["size": AmountFormat.bytes(bytes, messages)] }
        if isRemoval { return plan.diskSize.map { messages.text("Frees {size}.", size($0)) } }
        let download = plan.downloadSize.map { bytes in
            plan.mayFetchParts
                ? messages.text("to download: at most {size}", size(bytes))
                : messages.text("to download: {size}", size(bytes))
        }
        let disk = plan.diskSize.map { messages.text("size on disk: {size}", size($0)) }
        let free = plan.freeSpace.map { messages.text("free: {size}", size($0)) }
        let parts = messages.list([download, disk, free].compactMap { $0 })
        guard let first = parts.first else { return nil }
        return first.uppercased() + parts.dropFirst() + "."
    }

    /// A line for each product that can't be changed.
    var failures: [String] {
        plan.failures.map { failure in
            messages.text(
                "'{product}' is left out: {reason}",
                [
                    "product": failure.productIdentifier,
                    "reason": messages.translation(of: failure.error.message),
                ])
        }
    }

    /// A line for each product with new permissions.
    ///
    /// - Parameter isWhole: whether to show all of them; otherwise only those that the command grants, because the user
    ///   is asked about the others, product by product.
    private func permissions(_ isWhole: Bool) -> [String] {
        plan.steps.compactMap { step in
            let shown = isWhole ? Set(step.permissions) : consent.intersection(step.permissions)
            guard !shown.isEmpty else { return nil }
            return messages.text(
                "'{product}' requests permission to {permissions}.",
                [
                    "product": step.productIdentifier,
                    "permissions": messages.list(shown.sorted().map(messages.meaning)),
                ])
        }
    }

    /// The descriptions of what updates change.
    private func changes(_ isWhole: Bool) -> [String] {
        plan.steps.flatMap { step -> [String] in
            guard let text = step.changes?.text(in: languages), !text.isEmpty else { return [] }
            let all = text.split(whereSeparator: \.isNewline).map { "  " + $0 }
            let shown = isWhole ? all : Array(all.prefix(Self.maximumChangeLines))
            let product = step.productIdentifier + (step.version.map { " \($0.text)" } ?? "")
            return [messages.text("Changes in {product}:", ["product": product])] + shown
                + (shown.count < all.count ? ["  …"] : [])
        }
    }

    private var unneeded: [String] {
        guard !plan.unneeded.isEmpty else { return [] }
        let names = messages.names(plan.unneeded.map { "'\($0)'" })
        return [
            messages.text(
                "No longer needed then: {products}. Remove with 'storectl autoremove'.", ["products": names])
        ]
    }
}
