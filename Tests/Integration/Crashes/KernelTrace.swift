import Foundation

/// All system calls of a program, as strace observed them, judged by what they do to files.
///
/// Nothing is filtered: each call is counted, or changes nothing, or its target is an exception of the test, or it is a
/// problem.
struct KernelTrace {
    /// strace's options for a trace that can be read here: of all calls, with the paths of descriptors.
    static let options = ["-f", "-qq", "-y", "-s", "8", "-e", "signal=none"]

    /// How often each call concerned the directory, by the names that the preloaded library uses.
    private(set) var counts: [String: Int] = [:]
    /// Calls that may have changed something unseen.
    private(set) var problems: [String] = []
    /// The number of calls of each name.
    private(set) var calls: [String: Int] = [:]

    private let home: String
    /// The files outside the directory that may change, and the files that may be mapped.
    private let exceptions: (path: Set<String>, mapped: Set<String>)
    /// The paths of open descriptors, for names such as `/proc/self/fd/7/stored.sock`.
    private var descriptors: [Int: String] = [:]

    /// Judges a trace.
    ///
    /// - Parameters:
    ///   - lines: the output of strace.
    ///   - home: the directory whose calls are counted.
    ///   - exceptions: the files outside the directory that may change.
    ///   - mapped: the files that may be mapped into memory shared with other processes.
    init(_ lines: String, beneath home: String, except exceptions: Set<String>, mapped: Set<String>) {
        self.home = home
        self.exceptions = (exceptions, mapped)
        for line in lines.split(separator: "\n") { take(line) }
    }

    private mutating func take(_ line: Substring) {
        let text = line.drop { $0.isNumber || $0 == " " }
        defer { noteDescriptor(text) }
        // strace splits a call that another thread interrupts into two lines.
        if text.hasPrefix("<... ") || text.hasPrefix("+++") || text.hasPrefix("---") { return }
        guard let open = text.firstIndex(of: "(") else {
            problems.append("not understood: \(text)")
            return
        }
        let name = String(text[..<open])
        calls[name, default: 0] += 1
        if SystemCallEffects.harmless.contains(name) { return }
        guard judge(name, Self.arguments(text[text.index(after: open)...])) else {
            problems.append("unexpected: \(text.prefix(300))")
            return
        }
    }

    /// Counts a call.
    ///
    /// - Returns: whether it is known what the call does, and whether it is counted or allowed.
    private mutating func judge(_ name: String, _ arguments: [Substring]) -> Bool {
        if name == "mmap" { return isAllowedMapping(arguments) }
        if name == "ioctl" {
            return arguments.count > 1 && SystemCallEffects.harmlessRequests.contains(String(arguments[1]))
        }
        if let (common, targets) = SystemCallEffects.changes[name] {
            let places = targets.map { place($0, arguments) }
            guard !places.contains(where: { $0 == nil }) else { return false }
            if places.contains(where: { isBeneath($0) }) {
                counts[common, default: 0] += 1
                return true
            }
            return places.allSatisfy(isException)
        }
        if let (target, flags) = SystemCallEffects.openings[name] {
            guard let place = place(target, arguments) else { return false }
            if isBeneath(place) {
                counts["openat", default: 0] += 1
                return true
            }
            let changes =
                name == "creat"
                || ["O_CREAT", "O_TRUNC", "O_TMPFILE"].contains { arguments[safe: flags]?.contains($0) != false }
            return !changes || isException(place)
        }
        if let (common, target) = SystemCallEffects.reads[name] {
            guard let place = place(target, arguments) else { return false }
            if isBeneath(place) { counts[common, default: 0] += 1 }
            return true
        }
        return false
    }

    /// Returns whether a mapping into memory is private, or of a file that may be mapped.
    ///
    /// Memory that is shared with other processes can be changed without a call. Files of the system are mapped to be read,
    /// such as the C library's tables of character sets.
    private func isAllowedMapping(_ arguments: [Substring]) -> Bool {
        guard arguments.count == 6, arguments[3].contains("MAP_") else { return false }
        if !arguments[3].contains("MAP_SHARED") || arguments[4] == "-1" { return true }
        guard let path = path(of: arguments[4]) else { return false }
        return exceptions.mapped.contains(path) || (path.hasPrefix("/usr/") && !arguments[2].contains("PROT_WRITE"))
    }

    private func isBeneath(_ place: String?) -> Bool {
        place.map { $0 == home || $0.hasPrefix(home + "/") || $0 == "*" } ?? false
    }

    private func isException(_ place: String?) -> Bool {
        guard let place else { return false }
        return exceptions.path.contains(place) || SystemCallEffects.notFiles.contains { place.hasPrefix($0) }
    }

    // MARK: Reading strace's output

    /// Returns the path that a call works on; `nil` if it can't be told.
    private func place(_ target: SystemCallEffects.Target, _ arguments: [Substring]) -> String? {
        switch target {
        case .everything: return "*"
        case .descriptor(let index): return arguments[safe: index].flatMap(path)
        case .path(let index): return arguments[safe: index].flatMap { resolve($0, relativeTo: nil) }
        case .relativePath(let index):
            guard arguments.count > index + 1 else { return nil }
            return resolve(arguments[index + 1], relativeTo: path(of: arguments[index]))
        case .address(let index):
            guard let address = arguments[safe: index] else { return nil }
            guard let name = address.range(of: "sun_path=") else {
                // No file: an address on a network, or an abstract one.
                return address.contains("AF_UNIX") ? nil : "socket:"
            }
            return resolve(address[name.upperBound...].prefix { $0 != "}" && $0 != "," }, relativeTo: nil)
        }
    }

    /// Returns the path that strace adds to a descriptor, as in `7</tmp/x>`.
    private func path(of argument: Substring) -> String? {
        guard let open = argument.firstIndex(of: "<"), argument.last == ">" else { return nil }
        return String(argument[argument.index(after: open)...].dropLast())
    }

    /// Returns the path that a quoted name stands for.
    private func resolve(_ quoted: Substring, relativeTo folder: String?) -> String? {
        // NULL stands for the descriptor itself.
        if quoted == "NULL" { return folder }
        guard quoted.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
        let name = quoted.dropFirst().dropLast()
        let prefix = "/proc/self/fd/"
        if name.hasPrefix(prefix) {
            let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
            guard let known = Int(number).flatMap({ descriptors[$0] }) else { return nil }
            return known + name.dropFirst(prefix.count + number.count)
        }
        if name.hasPrefix("/") { return String(name) }
        guard let folder else { return nil }
        return name.isEmpty ? folder : folder + "/" + name
    }

    /// Notes the descriptor that a call returned.
    private mutating func noteDescriptor(_ line: Substring) {
        guard line.last == ">", let equals = line.range(of: " = ", options: .backwards) else { return }
        let result = line[equals.upperBound...]
        if let number = Int(result.prefix { $0.isNumber }) { descriptors[number] = path(of: result) }
    }

    /// Splits a call's arguments, up to the parenthesis that ends them or the interruption by another thread.
    private static func arguments(_ text: Substring) -> [Substring] {
        var arguments: [Substring] = []
        var (depth, isQuoted, isEscaped, isPath) = (0, false, false, false)
        var start = text.startIndex
        var index = start
        func add() {
            var argument = text[start..<index].drop { $0 == " " }
            while argument.last == " " { argument.removeLast() }
            if !argument.isEmpty { arguments.append(argument) }
        }
        while index < text.endIndex {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if character == "\\" { isEscaped = true } else if character == "\"" { isQuoted = false }
            } else if isPath {
                // strace writes '<' and '>' in the path of a descriptor as numbers.
                isPath = character != ">"
            } else if depth == 0, text[index...].hasPrefix("<unfinished ...>") {
                break
            } else {
                switch character {
                case "\"": isQuoted = true
                case "<": isPath = true
                case "(", "[", "{": depth += 1
                case ")" where depth == 0:
                    add()
                    return arguments
                case ")", "]", "}": depth -= 1
                case "," where depth == 0:
                    add()
                    start = text.index(after: index)
                default: break
                }
            }
            index = text.index(after: index)
        }
        add()
        return arguments
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
