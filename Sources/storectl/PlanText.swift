import StoreModel
import StoreTerminal

/// The text of a plan: a table of its steps, their sizes, and what is left out and why.
struct PlanText {
    let plan: ChangePlan
    /// The permissions that the command grants to all products.
    var consent: Set<Permission> = []
    /// The languages of texts, the best first.
    var languages: [String] = []

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
        if !plan.keptBack.isEmpty { lines += ["Kept back:"] + keptBack.lines(width: width) }
        return lines
    }

    /// Returns the table of the steps, followed by a sentence for each dependency if the notes do not fit in the table.
    private func steps(width: Int?) -> [String] {
        let lines = table(withReasons: true).lines(width: width)
        // The reason is the end of a step's line.
        let isComplete = zip(plan.steps, lines.dropFirst()).allSatisfy { step, line in
            step.requiredBy.map { line.hasSuffix(Self.reason($0)) } ?? true
        }
        if isComplete { return lines }
        let required = plan.steps.compactMap { step in step.requiredBy.map { (step.productIdentifier, $0) } }
        return table(withReasons: false).lines(width: width)
            + required.flatMap { product, other in
                "'\(product)' is \(Self.reason("'\(other)'")).".wrapped(to: width, keepsQuotations: true)
            }
    }

    private static func reason(_ other: String) -> String { "required by \(other)" }

    private func table(withReasons: Bool) -> Table {
        var table = Table([
            .identifier(title: "ID"), .init(title: "VERSION", omission: 2),
            // The sum of the sizes follows the table, and the notes say what is not signed.
            .init(title: isRemoval ? "SIZE" : "DOWNLOAD", right: true, omission: 0),
            .init(title: "NOTES", flexible: true, omission: 1),
        ])
        for step in plan.steps {
            let size = step.action == .uninstall ? step.diskSize : step.downloadSize
            table.add(
                step.productIdentifier, Self.versions(step.installed, step.version),
                size.map { AmountFormat.bytes($0) } ?? "-", note(step, withReason: withReasons))
        }
        return table
    }

    private var keptBack: Table {
        var table = Table([
            .identifier(title: "ID"), .init(title: "VERSION", omission: 0), .init(title: "REASON", flexible: true),
        ])
        for update in plan.keptBack {
            table.add(
                update.productIdentifier, Self.versions(update.installed, update.available), update.heldBack ?? "")
        }
        return table
    }

    private var isRemoval: Bool { plan.steps.contains { $0.action == .uninstall } }

    private func note(_ step: ChangePlan.Step, withReason: Bool) -> String {
        let required = withReason ? step.requiredBy.map(Self.reason) : nil
        let reason = required ?? (step.action == .repair ? "repair" : "")
        return [step.signed == false && step.action != .uninstall ? "unsigned" : "", reason]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns the versions before and after a change, such as `1.0.0 → 1.2.0`; `-` if none is known.
    private static func versions(_ before: Version?, _ after: Version?) -> String {
        let known = [before, after].compactMap { $0?.text }
        return known.isEmpty ? "-" : known.joined(separator: " → ")
    }

    /// The sizes of all steps together; `nil` if none is known.
    private var sizes: String? {
        if isRemoval { return plan.diskSize.map { "Frees \(AmountFormat.bytes($0))." } }
        let download = plan.downloadSize.map { "to download: \(AmountFormat.bytes($0))" }
        let disk = plan.diskSize.map { "size on disk: \(AmountFormat.bytes($0))" }
        let free = plan.freeSpace.map { "free: \(AmountFormat.bytes($0))" }
        let parts = [download, disk, free].compactMap { $0 }.joined(separator: ", ")
        guard let first = parts.first else { return nil }
        return first.uppercased() + parts.dropFirst() + "."
    }

    /// A line for each product that can't be changed.
    var failures: [String] { plan.failures.map { "'\($0.productIdentifier)' is left out: \($0.error.message)" } }

    /// A line for each product with new permissions.
    ///
    /// - Parameter isWhole: whether to show all of them; otherwise only those that the command grants, because the user
    ///   is asked about the others, product by product.
    private func permissions(_ isWhole: Bool) -> [String] {
        plan.steps.compactMap { step in
            let shown = isWhole ? Set(step.permissions) : consent.intersection(step.permissions)
            guard !shown.isEmpty else { return nil }
            let meanings = shown.sorted().map(\.meaning).joined(separator: ", ")
            return "'\(step.productIdentifier)' requests permission to \(meanings)."
        }
    }

    /// The descriptions of what updates change.
    private func changes(_ isWhole: Bool) -> [String] {
        plan.steps.flatMap { step -> [String] in
            guard let text = step.changes?.text(in: languages), !text.isEmpty else { return [] }
            let all = text.split(whereSeparator: \.isNewline).map { "  " + $0 }
            let shown = isWhole ? all : Array(all.prefix(Self.maximumChangeLines))
            let version = step.version.map { " \($0.text)" } ?? ""
            return ["Changes in \(step.productIdentifier)\(version):"] + shown
                + (shown.count < all.count ? ["  …"] : [])
        }
    }

    private var unneeded: [String] {
        guard !plan.unneeded.isEmpty else { return [] }
        let names = plan.unneeded.map { "'\($0)'" }.joined(separator: ", ")
        return ["No longer needed then: \(names). Remove with 'storectl autoremove'."]
    }
}
